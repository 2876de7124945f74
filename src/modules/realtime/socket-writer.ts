import type { Connection } from './connection.ts';

/** Sockets written per turn of the event loop, to bound its duration; the rest follows in the next turn. */
const SLICE = 1_000;
/** Maximum unsent bytes per client before it is dropped as slow. */
const MAX_WAITING_BYTES = 1024 * 1024;

interface OutboxOptions {
  onSlow: (connection: Connection) => void;
}

/**
 * Writes frames to sockets. A frame is encoded once for all recipients; frames queued for a socket are written in one
 * system call, which dominates the cost, and sockets with the same frames share the joined bytes.
 */
export function socketWriter({ onSlow }: OutboxOptions) {
  let dirty: Connection[] = [];
  let next = 0;
  let isScheduled = false;
  let lastFrames: Buffer[] = [];
  let lastBytes: Buffer = Buffer.alloc(0);
  const counts = { frames: 0, writes: 0, slow: 0 };

  function joined(frames: Buffer[]): Buffer {
    const isSame =
      frames.length === lastFrames.length && frames.every((frame, place) => frame === lastFrames[place]);
    if (!isSame) {
      lastFrames = frames;
      lastBytes = Buffer.concat(frames);
    }
    return lastBytes;
  }

  function write(connection: Connection): void {
    const { queued, queuedMore } = connection;
    connection.queued = undefined;
    connection.queuedMore = undefined;
    // Already written by `drain`, or closed.
    if (!queued || !connection.isOpen) return;
    const bytes = queuedMore ? joined([queued, ...queuedMore]) : queued;
    if (connection.socket.writableLength + bytes.length > MAX_WAITING_BYTES) {
      counts.slow++;
      onSlow(connection);
      return;
    }
    counts.frames += 1 + (queuedMore?.length ?? 0);
    counts.writes++;
    connection.socket.write(bytes);
  }

  function flush(): void {
    isScheduled = false;
    const end = Math.min(dirty.length, next + SLICE);
    for (; next < end; next++) write(dirty[next] as Connection);
    if (next < dirty.length) schedule();
    else {
      dirty = [];
      next = 0;
      lastFrames = [];
    }
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  }

  return {
    counts,
    put(connection: Connection, frame: Buffer): void {
      if (connection.queued) {
        connection.queuedMore ??= [];
        connection.queuedMore.push(frame);
        return;
      }
      connection.queued = frame;
      dirty.push(connection);
      schedule();
    },
    /** Writes a connection's pending frames immediately, for example before it is closed. */
    drain: write,
  };
}

export type SocketWriter = ReturnType<typeof socketWriter>;

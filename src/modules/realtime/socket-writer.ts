import { SECOND_MS } from '../../kernel/time/time.ts';
import type { Connection } from './connection.ts';

/** Sockets written per turn of the event loop, to bound its duration; the rest follows in the next turn. */
const SLICE = 1_000;
/**
 * Connections that are looked at before the first of them is written to. With thousands of them each is far from the
 * processor's caches; looked at together, their memory is waited for at once.
 */
const TOGETHER = 16;
/** Unsent bytes that a client may have for a while, and those at which it is disconnected as slow at once. */
const MAX_WAITING_BYTES = 1024 * 1024;
const MAX_BURST_BYTES = 8 * MAX_WAITING_BYTES;
/** How long a client may exceed the first limit, since a burst of the server alone does not make a slow reader. */
const PATIENCE_MS = 5 * SECOND_MS;

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

  function drop(connection: Connection): void {
    if (!connection.isOpen) return;
    counts.slow++;
    onSlow(connection);
  }

  /** Removes a connection's pending frames, and returns the bytes to be written; undefined if there are none. */
  function take(connection: Connection): Buffer | undefined {
    const { queued, queuedMore } = connection;
    connection.queued = undefined;
    connection.queuedMore = undefined;
    // Already written by `drain`, or closed.
    if (!queued || !connection.isOpen) return undefined;
    const bytes = queuedMore ? joined([queued, ...queuedMore]) : queued;
    if (isTooMuch(connection, connection.socket.writableLength + bytes.length)) {
      drop(connection);
      return undefined;
    }
    counts.frames += 1 + (queuedMore?.length ?? 0);
    counts.writes++;
    return bytes;
  }

  /** Writes to as many sockets of `dirty`, from `next` on, as are taken together. */
  function writeSome(end: number): void {
    const some = dirty.slice(next, Math.min(end, next + TOGETHER));
    next += some.length;
    const taken = some.map(take);
    for (let place = 0; place < some.length; place++) {
      const bytes = taken[place];
      if (bytes) (some[place] as Connection).socket.write(bytes);
    }
  }

  function flush(): void {
    isScheduled = false;
    const end = Math.min(dirty.length, next + SLICE);
    while (next < end) writeSome(end);
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
    /** Closes the connection of a client that reads too slowly. */
    drop,
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
    drain(connection: Connection): void {
      const bytes = take(connection);
      if (bytes) connection.socket.write(bytes);
    },
  };
}

/** Returns whether a client has left too many bytes unread for too long. */
function isTooMuch(connection: Connection, bytes: number): boolean {
  if (bytes <= MAX_WAITING_BYTES) {
    connection.behindSinceMs = undefined;
    return false;
  }
  const nowMs = performance.now();
  connection.behindSinceMs ??= nowMs;
  return bytes > MAX_BURST_BYTES || nowMs - connection.behindSinceMs > PATIENCE_MS;
}

export type SocketWriter = ReturnType<typeof socketWriter>;

import type { Clock } from '../../kernel/time/time.ts';
import type { Connection, Due, Numbered, Subscription } from './connection.ts';
import { hasEnded } from './numbering.ts';
import type { SocketWriter } from './socket-writer.ts';

/** Limits of one write to a socket: messages and bytes, but at least one message. */
const MAX_MESSAGES = 100;
const MAX_BYTES = 128 * 1024;
/** Maximum size of new messages that are queued while a client reads missed ones. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;

interface ReplayDeps {
  outbox: SocketWriter;
  /** Called when the missed messages of a connection cannot be read. */
  onUnreadable: (connection: Connection, error: Error) => void;
  clock: Clock;
}

/**
 * Sends the missed messages of subscriptions, and then those that were held back meanwhile, in portions that wait for
 * the socket, so that the server's own writes never make a client a slow reader. A connection receives one portion at a
 * time, whatever its subscriptions. The sweep finds readers that have stopped.
 */
export function replays({ outbox, onUnreadable, clock }: ReplayDeps) {
  /** Sends a portion; returns whether the subscription is now live, with no more messages to send first. */
  function sendSome(subscription: Subscription): boolean {
    const { connection } = subscription;
    const due = subscription.due ?? takeQueued(subscription);
    const count = portionOf(due.messages);
    for (const { frame } of due.messages.slice(0, count)) outbox.put(connection, frame);
    due.messages = due.messages.slice(count);
    const isSent = due.messages.length === 0 && !due.next;
    // Messages that were held back meanwhile are sent next.
    if (isSent) subscription.due = subscription.queued?.length ? takeQueued(subscription) : undefined;
    else subscription.due = due;
    if (!subscription.due) subscription.queued = undefined;
    return !subscription.due;
  }

  /** Reads the next missed messages, once those in memory are sent. */
  async function read(subscription: Subscription): Promise<void> {
    const { due } = subscription;
    if (!due?.next || due.messages.length > 0) return;
    const next = await due.next();
    // The client may have subscribed again meanwhile.
    if (subscription.due === due) subscription.due = next;
  }

  /** Waits until the socket has accepted the written data; returns whether the connection is still open. */
  async function isTaken(connection: Connection): Promise<boolean> {
    const { socket } = connection;
    outbox.drain(connection);
    if (connection.isOpen && socket.writableNeedDrain) {
      connection.unread = { bytes: socket.writableLength, sinceMs: clock.elapsedMs() };
      await drained(connection);
      connection.unread = undefined;
    }
    return connection.isOpen;
  }

  async function sendAll(connection: Connection, line: Set<Subscription>): Promise<void> {
    try {
      for (const subscription of line) {
        for (;;) {
          if (!(await isTaken(connection))) return;
          await read(subscription);
          // While the subscription is held, the release of the hold sends the rest.
          if (subscription.pauses > 0 || hasEnded(subscription) || sendSome(subscription)) break;
        }
        line.delete(subscription);
      }
    } catch (error) {
      onUnreadable(connection, error as Error);
    } finally {
      connection.line = undefined;
    }
  }

  return {
    /**
     * Sends the missed messages of a subscription, and makes it live; synchronously, if they are few and no other
     * subscription is waiting.
     */
    send(subscription: Subscription): void {
      const { connection } = subscription;
      if (connection.line) connection.line.add(subscription);
      else if (connection.socket.writableNeedDrain || !sendSome(subscription)) {
        connection.line = new Set([subscription]);
        void sendAll(connection, connection.line);
      }
    },
    /** Keeps a message for a subscription that is not live. */
    keep(subscription: Subscription, message: Numbered): void {
      subscription.queued?.push(message);
      if (!subscription.due) return;
      subscription.queuedBytes += message.frame.length;
      if (subscription.queuedBytes > MAX_HELD_BYTES) outbox.drop(subscription.connection);
    },
  };
}

/** Returns the messages that were held back and are sent now. */
function takeQueued(subscription: Subscription): Due {
  const queued = subscription.queued ?? [];
  subscription.queued = [];
  subscription.queuedBytes = 0;
  return { messages: queued.filter(({ seq }) => seq === 0 || seq > subscription.sentUpTo), next: undefined };
}

export type Replays = ReturnType<typeof replays>;

/** Returns the number of messages that fit into a portion. */
function portionOf(messages: Numbered[]): number {
  let bytes = 0;
  const end = messages.findIndex(({ frame }, place) => {
    bytes += frame.length;
    return place > 0 && (place >= MAX_MESSAGES || bytes > MAX_BYTES);
  });
  return end < 0 ? messages.length : end;
}

const drained = ({ socket }: Connection): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      socket.off('drain', end);
      socket.off('close', end);
      resolve();
    };
    socket.on('drain', end);
    socket.on('close', end);
  });

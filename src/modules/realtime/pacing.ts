import type { Clock } from '../../kernel/time/time.ts';
import type { Connection, Due, Numbered, Subscription } from './connection.ts';
import { hasEnded } from './numbering.ts';
import type { SocketWriter } from './socket-writer.ts';

/** What is written to a socket at once: at most so many messages and bytes, but at least one message. */
const MAX_MESSAGES = 100;
const MAX_BYTES = 128 * 1024;
/** Bytes of new messages that may come while a client reads the ones that it missed. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;

interface PacingDeps {
  outbox: SocketWriter;
  /** Called when the missed messages of a connection cannot be read. */
  onUnreadable: (connection: Connection, error: Error) => void;
  clock: Clock;
}

/**
 * Sends what subscriptions are due, the messages that they missed and then those that were held back meanwhile, in
 * portions that wait for the socket: what we write at once never makes a slow reader of a client. A connection is sent
 * one portion at a time, whatever it is subscribed to. Readers that stop are found by the sweep.
 */
export function pacing({ outbox, onUnreadable, clock }: PacingDeps) {
  /** Sends a portion; returns whether nothing more is due, and the subscription is live. */
  function sendSome(subscription: Subscription): boolean {
    const { connection } = subscription;
    const due = subscription.due ?? takeQueued(subscription);
    const count = portionOf(due.messages);
    for (const { frame } of due.messages.slice(0, count)) outbox.put(connection, frame);
    due.messages = due.messages.slice(count);
    const isSent = due.messages.length === 0 && !due.next;
    // What was held back meanwhile is due next.
    if (isSent) subscription.due = subscription.queued?.length ? takeQueued(subscription) : undefined;
    else subscription.due = due;
    if (!subscription.due) subscription.queued = undefined;
    return !subscription.due;
  }

  /** Reads the next messages that are due, once those in memory are sent. */
  async function read(subscription: Subscription): Promise<void> {
    const { due } = subscription;
    if (!due?.next || due.messages.length > 0) return;
    const next = await due.next();
    // It may have subscribed anew meanwhile.
    if (subscription.due === due) subscription.due = next;
  }

  /** Waits until the socket has taken what was written; returns whether the connection is still open. */
  async function isTaken(connection: Connection): Promise<boolean> {
    const { socket } = connection;
    outbox.drain(connection);
    if (connection.isOpen && socket.writableNeedDrain) {
      connection.unread = { bytes: socket.writableLength, sinceMs: clock.now() };
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
          // A hold sends the rest when it is released.
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
    /** Sends what a subscription is due, and makes it live; at once, if it is little and nothing waits before it. */
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

/** Returns the messages that were held back and are due now. */
function takeQueued(subscription: Subscription): Due {
  const queued = subscription.queued ?? [];
  subscription.queued = [];
  subscription.queuedBytes = 0;
  return { messages: queued.filter(({ seq }) => seq === 0 || seq > subscription.sentUpTo), next: undefined };
}

export type Pacing = ReturnType<typeof pacing>;

/** Returns how many of the messages fit into a portion. */
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

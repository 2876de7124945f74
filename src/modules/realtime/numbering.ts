import { type LiveMessage, textOf } from '../../kernel/live.ts';
import type { Channel, Numbered, Subscription } from './connection.ts';
import { frameOf } from './frames.ts';
import type { SocketWriter } from './socket-writer.ts';

/** Numbered messages kept per channel for clients that reconnect. */
const MAX_RECENT = 256;
/** Messages without a number, such as typing, are dropped for clients with this much unsent data. */
const VOLATILE_LIMIT_BYTES = 256 * 1024;

interface NumberingDeps {
  outbox: SocketWriter;
  onError: (error: Error) => void;
}

/**
 * Orders the messages of a channel: drops duplicates and reads missing messages, so that every subscriber receives all
 * of them in order, whichever process they were sent through.
 */
export function numbering({ outbox, onError }: NumberingDeps) {
  function deliver(channel: Channel, message: Numbered): void {
    channel.seq = message.seq;
    remember(channel, message);
    for (const { connection, held, toldUpTo } of channel.subscriptions) {
      if (held) held.push(message);
      else if (message.seq > toldUpTo) outbox.put(connection, message.frame);
    }
  }

  /** Accepts a numbered message from the bus. */
  function take(channel: Channel, message: Numbered): void {
    if (channel.seq === undefined || channel.isCatchingUp) channel.early.push(message);
    else if (message.seq === channel.seq + 1) deliver(channel, message);
    else if (message.seq > channel.seq) {
      channel.early.push(message);
      void catchUp(channel);
    }
  }

  function takeEarly(channel: Channel): void {
    const early = channel.early.sort((a, b) => a.seq - b.seq);
    channel.early = [];
    for (const message of early) take(channel, message);
  }

  /** Reads the messages that the bus did not deliver. */
  async function catchUp(channel: Channel): Promise<void> {
    if (channel.isCatchingUp || channel.seq === undefined || !channel.findMissed) return;
    channel.isCatchingUp = true;
    try {
      const { messages, seq, gap } = await channel.findMissed(channel.seq);
      if (gap) {
        forgetUpTo(channel, (messages[0]?.seq ?? seq) - 1);
        tellAll(channel, textOf(gap));
      }
      for (const message of messages) deliver(channel, numberedOf(message));
      channel.seq = Math.max(channel.seq, seq);
    } catch (error) {
      onError(error as Error);
      // Continues with what is known; the next check detects the gap.
      channel.early = [];
    } finally {
      channel.isCatchingUp = false;
    }
    takeEarly(channel);
  }

  /** Sends a message without a number to all subscribers. */
  function tellAll(channel: Channel, text: string): void {
    const frame = frameOf(text);
    for (const { connection, held } of channel.subscriptions) {
      if (held) held.push({ seq: 0, frame, isRewrite: false });
      else if (connection.socket.writableLength < VOLATILE_LIMIT_BYTES) outbox.put(connection, frame);
    }
  }

  return {
    take,
    tellAll,
    /** Takes note of the channel's newest number, as read from the database. */
    learn(channel: Channel, seq: number): void {
      if (channel.seq === undefined) {
        channel.seq = seq;
        channel.recentAfter = seq;
        takeEarly(channel);
      } else if (seq > channel.seq) void catchUp(channel);
    },
  };
}

/** Holds messages back from subscriptions until they are released. */
export const holding = (outbox: SocketWriter) => ({
  /** Holds messages of a channel back until `release` was called as many times. */
  hold(subscription: Subscription): void {
    subscription.holds++;
    subscription.held ??= [];
  },
  /** Releases one hold; on the last, sends the missed messages, then the held ones. */
  release(subscription: Subscription, missed: Numbered[] = [], upTo = 0): void {
    const { connection, held = [] } = subscription;
    subscription.toldUpTo = Math.max(subscription.toldUpTo, upTo);
    const due = [...missed, ...held.filter(({ seq }) => seq === 0 || seq > subscription.toldUpTo)];
    subscription.holds--;
    subscription.held = subscription.holds > 0 ? due : undefined;
    if (subscription.held || isGone(subscription)) return;
    for (const { frame } of due) outbox.put(connection, frame);
  },
});

/** Returns the messages after a `seq` if all of them are still in memory. */
export function recentAfter({ recent, recentAfter, seq }: Channel, after: number): Numbered[] | undefined {
  if (seq === undefined || after < recentAfter) return undefined;
  return recent.filter((message) => message.seq > after);
}

/** Returns whether a subscription was ended, by its connection or by the server. */
export const isGone = (subscription: Subscription): boolean =>
  subscription.channel.subscriptions[subscription.place] !== subscription;

/** Converts a message with a number for delivery. */
export const numberedOf = (message: LiveMessage): Numbered => ({
  seq: message.seq as number,
  frame: frameOf(textOf(message)),
  isRewrite: message.kind.numbered === 'rewrite',
});

/** Keeps a message for clients that reconnect. */
function remember(channel: Channel, message: Numbered): void {
  // Kept messages are outdated by a rewrite; the database has their current state.
  if (message.isRewrite) forgetUpTo(channel, message.seq - 1);
  channel.recent.push(message);
  if (channel.recent.length > MAX_RECENT) channel.recentAfter = (channel.recent.shift() as Numbered).seq;
}

function forgetUpTo(channel: Channel, seq: number): void {
  channel.recent = [];
  channel.recentAfter = seq;
}

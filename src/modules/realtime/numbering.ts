import { type LiveMessage, textOf } from '../../kernel/live.ts';
import type { Channel, Numbered, Subscription } from './connection.ts';
import { frameOf } from './frames.ts';
import type { SocketWriter } from './socket-writer.ts';

/** Numbered messages of a channel kept for those who come back. */
const MAX_RECENT = 256;
/** Messages without a number, such as typing, are not sent to those who have this much waiting. */
const VOLATILE_LIMIT_BYTES = 256 * 1024;

interface NumberingDeps {
  outbox: SocketWriter;
  onError: (error: Error) => void;
}

/**
 * Puts the messages of a channel in order. One that comes twice is dropped, and where one is missing it is fetched, so
 * that everybody gets all of them in order, whichever process they were sent through.
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

  /** Takes a numbered message that came over the bus. */
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

  /** Fetches what did not come over the bus. */
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
      // What is known goes on; the next look finds the hole.
      channel.early = [];
    } finally {
      channel.isCatchingUp = false;
    }
    takeEarly(channel);
  }

  /** Tells everybody on the channel a message that has no number. */
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
    /** Learns how far the channel is, from somebody who has looked. */
    learn(channel: Channel, seq: number): void {
      if (channel.seq === undefined) {
        channel.seq = seq;
        channel.recentAfter = seq;
        takeEarly(channel);
      } else if (seq > channel.seq) void catchUp(channel);
    },
  };
}

/** Holds messages back from subscriptions, and tells them later. */
export const holding = (outbox: SocketWriter) => ({
  /** Tells a subscription nothing of its channel, until it is released as often. */
  hold(subscription: Subscription): void {
    subscription.holds++;
    subscription.held ??= [];
  },
  /** Tells what was missed, then what came meanwhile, then whatever comes; once nothing else holds it. */
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

/** Returns what came after a `seq`, if all of it is still in memory. */
export function recentAfter({ recent, recentAfter, seq }: Channel, after: number): Numbered[] | undefined {
  if (seq === undefined || after < recentAfter) return undefined;
  return recent.filter((message) => message.seq > after);
}

/** Returns whether a subscription was ended, by its connection or by the server. */
export const isGone = (subscription: Subscription): boolean =>
  subscription.channel.subscriptions[subscription.place] !== subscription;

/** Returns a numbered message as it is delivered. */
export const numberedOf = (message: LiveMessage): Numbered => ({
  seq: message.seq as number,
  frame: frameOf(textOf(message)),
  isRewrite: message.kind.numbered === 'rewrite',
});

/** Keeps a message for those who come back. */
function remember(channel: Channel, message: Numbered): void {
  // What was kept shows messages as they read before: the database knows how they read now.
  if (message.isRewrite) forgetUpTo(channel, message.seq - 1);
  channel.recent.push(message);
  if (channel.recent.length > MAX_RECENT) channel.recentAfter = (channel.recent.shift() as Numbered).seq;
}

function forgetUpTo(channel: Channel, seq: number): void {
  channel.recent = [];
  channel.recentAfter = seq;
}

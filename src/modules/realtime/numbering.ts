import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from '../../kernel/ids.ts';
import { type LiveMessage, textOf } from '../../kernel/live/live.ts';
import type { Portion } from '../chat/contract.ts';
import type { Channel, Due, Numbered, Subscription } from './connection.ts';
import { frameOf } from './frames.ts';
import type { SocketWriter } from './socket-writer.ts';

/** Numbered messages kept per channel for reconnecting clients. */
const MAX_RECENT = 256;
/** Messages without a number, such as typing, are dropped for clients with this much unsent data. */
const VOLATILE_LIMIT_BYTES = 256 * 1024;
/** Interval and maximum number of checks whether subscribers have accepted a portion of messages that the bus lost. */
const LOOK_MS = 25;
const MAX_LOOKS = 40;

interface NumberingDeps {
  outbox: SocketWriter;
  /** Keeps a message for a subscription that is not live. */
  keep: (subscription: Subscription, message: Numbered) => void;
  onError: (error: Error) => void;
}

/**
 * Orders the messages of a channel: drops duplicates and reads missing messages, so that every subscriber receives all
 * of them in order, whichever process they were sent through.
 */
export function numbering({ outbox, keep, onError }: NumberingDeps) {
  function deliver(channel: Channel, message: Numbered): void {
    channel.seq = message.seq;
    remember(channel, message);
    for (const subscription of channel.subscriptions) {
      if (subscription.queued) keep(subscription, message);
      else if (message.seq > subscription.sentUpTo) outbox.put(subscription.connection, message.frame);
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

  /** Delivers missed messages, pausing after each portion until the subscribers have had time to accept it. */
  async function deliverAll(channel: Channel, portion: Portion): Promise<void> {
    for (const message of portion.messages) deliver(channel, numberedOf(message));
    if (!portion.next) return;
    for (let look = 0; look < MAX_LOOKS && channel.subscriptions.some(isBehind); look++) await sleep(LOOK_MS);
    await deliverAll(channel, await portion.next());
  }

  /** Reads the messages that the bus did not deliver. */
  async function catchUp(channel: Channel): Promise<void> {
    if (channel.isCatchingUp || channel.seq === undefined || !channel.findMissed) return;
    channel.isCatchingUp = true;
    try {
      const { seq, gap, ...missed } = await channel.findMissed(channel.seq);
      if (gap) {
        forgetUpTo(channel, (missed.messages[0]?.seq ?? seq) - 1);
        sendToAll(channel, textOf(gap));
      }
      await deliverAll(channel, missed);
      channel.seq = Math.max(channel.seq, seq);
    } catch (error) {
      onError(error as Error);
      // Continues with the known messages; the next check detects the gap again.
      channel.early = [];
    } finally {
      channel.isCatchingUp = false;
    }
    takeEarly(channel);
  }

  /** Sends a message without a number to all subscribers except these members. */
  function sendToAll(channel: Channel, text: string, except?: ReadonlySet<ObjectId>): void {
    const frame = frameOf(text);
    for (const subscription of channel.subscriptions) {
      const { connection } = subscription;
      if (except && connection.caller && except.has(connection.caller.userId)) continue;
      if (subscription.queued) keep(subscription, { seq: 0, frame, isRewrite: false });
      else if (connection.socket.writableLength < VOLATILE_LIMIT_BYTES) outbox.put(connection, frame);
    }
  }

  return {
    take,
    sendToAll,
    /** Records the channel's newest number, as read from the database. */
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
export const holding = (send: (subscription: Subscription) => void) => ({
  /** Holds messages of a channel back until `release` has been called as many times as `pause`. */
  pause(subscription: Subscription): void {
    subscription.pauses++;
    subscription.queued ??= [];
  },
  /**
   * Releases one hold; on the last, sends the missed messages, up to this number, then the held ones. The missed
   * messages replace those of an earlier request.
   */
  release(subscription: Subscription, missed?: Due, upTo = 0): void {
    subscription.sentUpTo = Math.max(subscription.sentUpTo, upTo);
    if (missed) subscription.due = missed;
    subscription.pauses--;
    if (subscription.pauses === 0 && !hasEnded(subscription)) send(subscription);
  },
});

/** Returns the messages after a `seq` if all of them are still in memory. */
export function recentAfter({ recent, recentAfter, seq }: Channel, after: number): Numbered[] | undefined {
  if (seq === undefined || after < recentAfter) return undefined;
  return recent.filter((message) => message.seq > after);
}

/** Whether a subscription has ended, by its connection or by the server. */
export const hasEnded = (subscription: Subscription): boolean =>
  subscription.channel.subscriptions[subscription.place] !== subscription;

const isBehind = ({ connection }: Subscription): boolean => connection.socket.writableNeedDrain;

/** Converts a message with a number for delivery. */
export const numberedOf = (message: LiveMessage): Numbered => ({
  seq: message.seq as number,
  frame: frameOf(textOf(message)),
  isRewrite: message.kind.numbered === 'rewrite',
});

/** Keeps a message for reconnecting clients. */
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

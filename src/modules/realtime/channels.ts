import { decodeLive, type LiveEvent, type LiveMessage, type Revocation, textOf } from '../../kernel/live.ts';
import type { Bus } from '../../kernel/shared/bus.ts';
import type { Channel, Connection, FindMissed, Numbered, Subscription } from './connection.ts';
import { frameOf } from './frames.ts';
import type { SocketWriter } from './socket-writer.ts';

/** Numbered events of a channel kept for those who come back. */
const MAX_RECENT = 256;
/** A channel that nobody has any more is kept for those who come back. */
const LINGER_MS = 30_000;
/** What passes, such as typing, is spared those who have this much waiting. */
const VOLATILE_LIMIT_BYTES = 256 * 1024;

interface ChannelDeps {
  bus: Bus;
  outbox: SocketWriter;
  onError: (error: Error) => void;
}

interface Opening {
  /** Of channels whose events are numbered. */
  findMissed?: FindMissed;
  gapAfter?: (seq: number) => LiveEvent;
  onRevoked?: (subscription: Subscription, reason: string) => void;
  onReview?: (channel: Channel) => void;
  rewrites?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Whether it has left its channel, or was put out of it. */
export const isGone = (subscription: Subscription): boolean =>
  subscription.channel.subscriptions[subscription.place] !== subscription;

/**
 * The channels that connections of this process are on, each fed by the bus. The events of a room are numbered: one
 * that comes twice is dropped, and where one is missing it is fetched, so that everybody gets all of them in order,
 * through whatever process they were said.
 */
export function channels({ bus, outbox, onError }: ChannelDeps) {
  const open = new Map<string, Promise<Channel>>();
  const known = new Map<string, Channel>();

  function deliver(channel: Channel, event: Numbered): void {
    channel.seq = event.seq;
    remember(channel, event);
    for (const { connection, held, toldUpTo } of channel.subscriptions) {
      if (held) held.push(event);
      else if (event.seq > toldUpTo) outbox.put(connection, event.frame);
    }
  }

  function remember(channel: Channel, event: Numbered): void {
    // What was kept shows what was said before it was changed: the database knows how it reads now.
    if (event.isRewrite) forgetUpTo(channel, event.seq - 1);
    channel.recent.push(event);
    if (channel.recent.length > MAX_RECENT) channel.recentAfter = (channel.recent.shift() as Numbered).seq;
  }

  function forgetUpTo(channel: Channel, seq: number): void {
    channel.recent = [];
    channel.recentAfter = seq;
  }

  function take(channel: Channel, event: Numbered): void {
    if (channel.seq === undefined || channel.isCatchingUp) channel.early.push(event);
    else if (event.seq === channel.seq + 1) deliver(channel, event);
    else if (event.seq > channel.seq) {
      channel.early.push(event);
      void catchUp(channel);
    }
  }

  function takeEarly(channel: Channel): void {
    const early = channel.early.sort((a, b) => a.seq - b.seq);
    channel.early = [];
    for (const event of early) take(channel, event);
  }

  /** Fetches what did not come over the bus. */
  async function catchUp(channel: Channel): Promise<void> {
    if (channel.isCatchingUp || channel.seq === undefined || !channel.findMissed) return;
    channel.isCatchingUp = true;
    try {
      const { events, seq, isCut } = await channel.findMissed(channel.seq);
      if (isCut) {
        forgetUpTo(channel, (events[0]?.seq ?? seq) - 1);
        if (channel.gapAfter) volatile(channel, textOf(channel.gapAfter(channel.seq)));
      }
      for (const event of events) deliver(channel, numberedOf(channel, event));
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

  function volatile(channel: Channel, text: string): void {
    const frame = frameOf(text);
    for (const { connection, held } of channel.subscriptions) {
      if (held) held.push({ seq: 0, frame, isRewrite: false });
      else if (connection.socket.writableLength < VOLATILE_LIMIT_BYTES) outbox.put(connection, frame);
    }
  }

  function revokeOf(channel: Channel, { userId, reason }: Revocation): void {
    for (const subscription of [...channel.subscriptions]) {
      if (userId !== undefined && subscription.connection.caller?.userId !== userId) continue;
      revoke(subscription, reason);
    }
  }

  /** Ends a subscription, and tells the connection unless it does not know of it yet. */
  function revoke(subscription: Subscription, reason: string): void {
    if (isGone(subscription)) return;
    leave(subscription);
    if (subscription.isAdmitted) subscription.channel.onRevoked(subscription, reason);
  }

  function receive(channel: Channel, message: LiveMessage): void {
    if (message.kind === 'revocation') revokeOf(channel, message.revocation);
    else if (message.kind === 'review') channel.onReview(channel);
    else if (message.seq === 0) volatile(channel, message.text);
    else {
      const { seq, text, type } = message;
      take(channel, { seq, frame: frameOf(text), isRewrite: channel.rewrites.has(type) });
    }
  }

  async function make(
    name: string,
    {
      findMissed,
      gapAfter,
      onRevoked = () => undefined,
      onReview = () => undefined,
      rewrites = NONE,
    }: Opening,
  ): Promise<Channel> {
    const channel: Channel = {
      ...{ name, findMissed, gapAfter, onRevoked, onReview, rewrites },
      ...{ subscriptions: [], stop: async () => undefined },
      ...{ seq: undefined, early: [], isCatchingUp: false, recent: [], recentAfter: 0, lingering: undefined },
    };
    channel.stop = await bus.subscribe(name, (text) => {
      for (const message of decodeLive(text)) receive(channel, message);
    });
    known.set(name, channel);
    return channel;
  }

  async function opened(name: string, opening: Opening): Promise<Channel> {
    for (;;) {
      const made = open.get(name) ?? make(name, opening);
      open.set(name, made);
      const channel = await made;
      // It may have been shut just now, by the last who left it.
      if (known.get(name) === channel) return channel;
    }
  }

  function shut(channel: Channel): void {
    open.delete(channel.name);
    known.delete(channel.name);
    channel.stop().catch(onError);
  }

  function leave(subscription: Subscription): void {
    const { connection, channel, place } = subscription;
    if (isGone(subscription)) return;
    const last = channel.subscriptions.pop() as Subscription;
    if (last !== subscription) {
      channel.subscriptions[place] = last;
      last.place = place;
    }
    connection.subscriptions.delete(channel.name);
    subscription.onLeave?.();
    if (channel.subscriptions.length > 0) return;
    // Nobody has been let in, or there is nothing to come back for.
    if (channel.seq === undefined) shut(channel);
    else channel.lingering = setTimeout(() => shut(channel), LINGER_MS).unref();
  }

  /** From now on the connection is told nothing of the channel, until it is {@link release}d as often. */
  function hold(subscription: Subscription): void {
    subscription.holds++;
    subscription.held ??= [];
  }

  return {
    known,
    leave,
    revoke,
    hold,
    /** Puts a connection on a channel. With `isHeld` it is told nothing yet: {@link release} does. */
    async join(
      connection: Connection,
      name: string,
      opening: Opening = {},
      isHeld = false,
    ): Promise<Subscription> {
      const channel = await opened(name, opening);
      clearTimeout(channel.lingering);
      const existing = connection.subscriptions.get(name);
      if (existing) {
        if (isHeld) hold(existing);
        return existing;
      }
      const subscription: Subscription = {
        ...{ connection, channel, place: channel.subscriptions.length, onLeave: undefined },
        ...{ holds: 0, held: undefined, toldUpTo: 0, isAdmitted: false },
      };
      if (isHeld) hold(subscription);
      channel.subscriptions.push(subscription);
      connection.subscriptions.set(name, subscription);
      // It may have gone while the channel was opened.
      if (!connection.isOpen) leave(subscription);
      return subscription;
    },

    /** Somebody has looked how far the channel is. */
    learn(channel: Channel, seq: number): void {
      if (channel.seq === undefined) {
        channel.seq = seq;
        channel.recentAfter = seq;
        takeEarly(channel);
      } else if (seq > channel.seq) void catchUp(channel);
    },

    /** What came after a place, if all of it is still here. */
    recent({ recent, recentAfter, seq }: Channel, after: number): Numbered[] | undefined {
      if (seq === undefined || after < recentAfter) return undefined;
      return recent.filter((event) => event.seq > after);
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
  };
}

/** An event as it is told, at its place in the channel. */
export function numberedOf({ rewrites }: Channel, event: LiveEvent): Numbered {
  return {
    seq: event.seq as number,
    frame: frameOf(textOf(event)),
    isRewrite: rewrites.has(event.type),
  };
}

export type Channels = ReturnType<typeof channels>;

import type { Bus } from '../../kernel/distributed/bus.ts';
import {
  type BusMessage,
  decodeForMembers,
  decodeLive,
  liveChannel,
  type Revocation,
} from '../../kernel/live/live.ts';
import type { Channel, Connection, FindMissed, Subscription } from './connection.ts';
import { frameOf } from './frames.ts';
import { hasEnded, holding, numbering } from './numbering.ts';
import type { Replays } from './replays.ts';
import type { SocketWriter } from './socket-writer.ts';

/** How long a channel without subscriptions is kept for reconnecting clients. */
const LINGER_MS = 30_000;

interface ChannelDeps {
  bus: Bus;
  outbox: SocketWriter;
  pace: Replays;
  /** Returns whether messages of this type edit or delete earlier ones. */
  isRewrite: (type: string) => boolean;
  onError: (error: Error) => void;
}

interface Opening {
  /** For channels with numbered messages. */
  findMissed?: FindMissed;
  onRevoked?: (subscription: Subscription, reason: string) => void;
  onReview?: (channel: Channel) => void;
}

/** The channels that connections of this process are subscribed to, each fed by the bus. */
export function channels({ bus, outbox, pace, isRewrite, onError }: ChannelDeps) {
  const { open, shut, byName } = openChannels({ bus, onError, receive });
  const { take, sendToAll, learn } = numbering({ outbox, keep: pace.keep, onError });
  const { pause, release } = holding(pace.send);

  function receive(channel: Channel, message: BusMessage): void {
    if (message.kind === 'revocation') revokeFrom(channel, message.revocation);
    else if (message.kind === 'review') channel.onReview(channel);
    else if (message.seq === 0) sendToAll(channel, message.text, message.except);
    else {
      const { seq, text, type } = message;
      take(channel, { seq, frame: frameOf(text), isRewrite: isRewrite(type) });
    }
  }

  /** Passes messages for several members on to those of them who are connected here. */
  function receiveForMembers(text: string): void {
    const { userIds, messages } = decodeForMembers(text);
    for (const userId of userIds) {
      const channel = byName.get(liveChannel.user(userId));
      if (channel) for (const message of messages) receive(channel, message);
    }
  }

  function revokeFrom(channel: Channel, { userId, reason }: Revocation): void {
    for (const subscription of [...channel.subscriptions]) {
      if (userId !== undefined && subscription.connection.caller?.userId !== userId) continue;
      revoke(subscription, reason);
    }
  }

  /** Ends a subscription, and notifies the connection if it was admitted. */
  function revoke(subscription: Subscription, reason: string): void {
    if (hasEnded(subscription)) return;
    leave(subscription);
    if (subscription.isAdmitted) subscription.channel.onRevoked(subscription, reason);
  }

  function leave(subscription: Subscription): void {
    const { connection, channel, place } = subscription;
    if (hasEnded(subscription)) return;
    const last = channel.subscriptions.pop() as Subscription;
    if (last !== subscription) {
      channel.subscriptions[place] = last;
      last.place = place;
    }
    connection.subscriptions.delete(channel.name);
    subscription.onLeave?.();
    if (channel.subscriptions.length > 0) return;
    // A channel without a number has had no admitted subscriber, so nothing is kept for a reconnect.
    if (channel.seq === undefined) shut(channel);
    else channel.lingering = setTimeout(() => shut(channel), LINGER_MS).unref();
  }

  /** Subscribes a connection to a channel. With `isPaused`, messages are held back until `release`. */
  async function join(
    connection: Connection,
    name: string,
    opening: Opening = {},
    isPaused = false,
  ): Promise<Subscription> {
    const channel = await open(name, opening);
    clearTimeout(channel.lingering);
    const existing = connection.subscriptions.get(name);
    if (existing) {
      if (isPaused) pause(existing);
      return existing;
    }
    const subscription = newSubscription(connection, channel);
    if (isPaused) pause(subscription);
    channel.subscriptions.push(subscription);
    connection.subscriptions.set(name, subscription);
    // The connection may have closed while the channel was opened.
    if (!connection.isOpen) leave(subscription);
    return subscription;
  }

  return { byName, receiveForMembers, join, leave, revoke, pause, release, learn };
}

interface OpeningDeps extends Pick<ChannelDeps, 'bus' | 'onError'> {
  receive: (channel: Channel, message: BusMessage) => void;
}

/** Opens channels of the bus, once per channel regardless of the number of subscribers, and closes them. */
function openChannels({ bus, onError, receive }: OpeningDeps) {
  const opening = new Map<string, Promise<Channel>>();
  const channelsByName = new Map<string, Channel>();

  async function make(name: string, options: Opening): Promise<Channel> {
    const channel = newChannel(name, options);
    channel.stop = await bus.subscribe(name, (text) => {
      for (const message of decodeLive(text)) receive(channel, message);
    });
    channelsByName.set(name, channel);
    return channel;
  }

  return {
    byName: channelsByName,
    async open(name: string, options: Opening): Promise<Channel> {
      for (;;) {
        const pending = opening.get(name) ?? make(name, options);
        opening.set(name, pending);
        const channel = await pending.catch((error) => {
          opening.delete(name);
          throw error;
        });
        // The last subscriber may have left and closed it in the meantime.
        if (channelsByName.get(name) === channel) return channel;
      }
    },
    shut(channel: Channel): void {
      opening.delete(channel.name);
      channelsByName.delete(channel.name);
      channel.stop().catch(onError);
    },
  };
}

const newChannel = (name: string, { findMissed, onRevoked, onReview }: Opening): Channel => ({
  name,
  findMissed,
  onRevoked: onRevoked ?? (() => undefined),
  onReview: onReview ?? (() => undefined),
  subscriptions: [],
  stop: async () => undefined,
  seq: undefined,
  early: [],
  isCatchingUp: false,
  recent: [],
  recentAfter: 0,
  lingering: undefined,
});

const newSubscription = (connection: Connection, channel: Channel): Subscription => ({
  connection,
  queued: undefined,
  sentUpTo: 0,
  channel,
  place: channel.subscriptions.length,
  onLeave: undefined,
  pauses: 0,
  queuedBytes: 0,
  due: undefined,
  isAdmitted: false,
});

export type Channels = ReturnType<typeof channels>;

import { Failure, insufficientPermissions, serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live.ts';
import { authenticationRequired } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time.ts';
import { type Chat, REWRITES } from '../chat/contract.ts';
import type { Identity } from '../identity/contract.ts';
import type { Presence, Present } from '../presence/contract.ts';
import { type Channels, isGone, numberedOf } from './channels.ts';
import { CLOSES } from './closing.ts';
import type { Channel, Connection, Subscription } from './connection.ts';
import { frameOf } from './frames.ts';
import type { Judging } from './judging.ts';
import type { MemberConnections } from './members.ts';
import type { PriceBoard } from './prices.ts';
import {
  type ClientMessage,
  MAX_SYMBOLS,
  type Messages,
  noPrices,
  notYourOwn,
  tooManySubscriptions,
  tooManySymbols,
} from './protocol.ts';

const MAX_SUBSCRIPTIONS = 128;
/** Of one member in one room; typing goes on being told for longer than that. */
const TYPING_MS = 3_000;

export interface HandlingDeps {
  chat: Chat;
  identity: Pick<Identity, 'authenticateUntil'>;
  presence: Presence;
  live: Live;
  channels: Channels;
  members: MemberConnections;
  judge: Judging;
  prices: PriceBoard;
  clock: Clock;
  put: (connection: Connection, frame: Buffer) => void;
}

/** An answer to a message, and what is to follow it. */
export interface Reply {
  type: string;
  data: object;
  afterwards?: () => void;
}

/** What is done about each kind of message. Failures are thrown, and told by whoever asks. */
export function handling(deps: HandlingDeps) {
  const { chat, identity, presence, live, channels, members, judge, prices, clock } = deps;
  const typed = new WeakMap<Connection, Map<ObjectId, number>>();

  /** Who it is at this moment: a session that has ended, or a token that has expired, may ask for nothing more. */
  async function callerOf({ token, caller }: Connection): Promise<UserCaller> {
    if (!caller) throw authenticationRequired();
    return (await identity.authenticateUntil(token)).caller;
  }

  async function authenticate(connection: Connection, { token }: Messages['auth']): Promise<Reply> {
    const { caller, expiresAt } = await identity.authenticateUntil(token);
    if (connection.caller && connection.caller.userId !== caller.userId) {
      connection.close(CLOSES.otherUser);
      throw insufficientPermissions();
    }
    // It may have gone while its token was looked at; then there is nobody to count.
    if (!connection.isOpen) throw authenticationRequired();
    const isFirst = !connection.caller;
    Object.assign(connection, { caller, token, expiresAtMs: expiresAt.getTime(), isWarned: false });
    if (isFirst) {
      connection.onSignedIn();
      for (const surplus of members.add(connection, caller.userId)) surplus.close(CLOSES.replaced);
      await channels.join(connection, liveChannel.all);
    }
    const { userId, sessionId } = caller;
    return { type: 'auth:success', data: { userId, sessionId, expiresAt } };
  }

  /** The channel of everybody, which nobody asks for, does not count. */
  function mayHaveMore({ subscriptions }: Connection): void {
    const asked = subscriptions.size - Number(subscriptions.has(liveChannel.all));
    if (asked >= MAX_SUBSCRIPTIONS) throw tooManySubscriptions();
  }

  const openingOf = (chatroomId: ObjectId) => ({
    findMissed: (from: number) => chat.missed(chatroomId, from),
    gapAfter: (seq: number) => ({ type: 'chat:gap', data: { chatroomId, after: seq } }),
    onRevoked: tellRevoked(chatroomId),
    onReview: (channel: Channel) => void judge.room(channel),
    rewrites: REWRITES,
  });

  async function subscribeRoom(
    connection: Connection,
    fields: Messages['subscribe chatroom'],
  ): Promise<Reply> {
    for (;;) {
      const reply = await trySubscribeRoom(connection, fields);
      if (reply) return reply;
    }
  }

  /** Resolves to nothing when the subscription was ended meanwhile: then it is to be decided anew. */
  async function trySubscribeRoom(
    connection: Connection,
    { chatroomId, after }: Messages['subscribe chatroom'],
  ): Promise<Reply | undefined> {
    const name = liveChannel.room(chatroomId);
    const isNew = !connection.subscriptions.has(name);
    if (isNew) mayHaveMore(connection);
    // On the channel first, so that nothing falls between what was missed and what comes, and so that whatever changes
    // after it was decided reaches it.
    const isHeld = isNew || after !== undefined;
    const subscription = await channels.join(connection, name, openingOf(chatroomId), isHeld);
    try {
      const caller = await callerOf(connection);
      const { seq, memberCount } = await chat.enter(chatroomId, caller);
      channels.learn(subscription.channel, seq);
      await bePresent(subscription, { roomId: chatroomId, userId: caller.userId });
      const { active, online } = await presence.whoIsIn(chatroomId);
      // Last of all: what is deleted from now on must not be told any more.
      const missed = await missedSince(subscription, after, chatroomId, seq);
      if (isGone(subscription) && connection.isOpen) return undefined;
      subscription.isAdmitted = true;
      return {
        type: 'subscribe:success',
        data: {
          ...{ channel: 'chatroom', chatroomId, seq: missed.upTo, memberCount, activeNow: active },
          ...(online ? { online } : {}),
          ...(after === undefined ? {} : { replayed: missed.events.length, more: missed.isCut }),
        },
        afterwards: () => {
          if (isHeld) channels.release(subscription, missed.events, missed.upTo);
        },
      };
    } catch (error) {
      // Who may not have it loses it, should they have had it before.
      if (isNew || (error instanceof Failure && error.status < 500)) channels.leave(subscription);
      else if (isHeld) channels.release(subscription);
      throw error;
    }
  }

  async function bePresent(subscription: Subscription, present: Present): Promise<void> {
    if (subscription.onLeave || isGone(subscription)) return;
    subscription.onLeave = () => presence.leave(present);
    await presence.enter(present);
  }

  async function missedSince(
    { channel }: Subscription,
    after: number | undefined,
    chatroomId: ObjectId,
    seq: number,
  ) {
    if (after === undefined || after >= seq) return { events: [], upTo: seq, isCut: false };
    const recent = channels.recent(channel, after);
    if (recent) return { events: recent, upTo: recent.at(-1)?.seq ?? seq, isCut: false };
    const found = await chat.missed(chatroomId, after);
    const events = found.events.map((event) => numberedOf(channel, event));
    return { events, upTo: Math.max(seq, found.seq), isCut: found.isCut };
  }

  /** Somebody may not have the room any more. */
  const tellRevoked =
    (roomId: ObjectId) =>
    ({ connection }: Subscription, reason: string): void => {
      const data = { channel: 'chatroom', chatroomId: roomId, reason };
      deps.put(connection, frameOf(JSON.stringify({ type: 'unsubscribed', data })));
    };

  const unsubscribed = (data: object): Reply => ({ type: 'unsubscribe:success', data });

  function leave(connection: Connection, name: string): void {
    const subscription = connection.subscriptions.get(name);
    if (subscription) channels.leave(subscription);
  }

  async function typing(connection: Connection, { chatroomId }: Messages['chat:typing']): Promise<void> {
    const caller = connection.caller as UserCaller;
    // Told to those who listen by somebody who does.
    if (!connection.subscriptions.has(liveChannel.room(chatroomId))) return;
    const times = typed.get(connection) ?? new Map<ObjectId, number>();
    typed.set(connection, times);
    if (clock.now() - (times.get(chatroomId) ?? 0) < TYPING_MS) return;
    times.set(chatroomId, clock.now());
    const data = { chatroomId, userId: caller.userId };
    await live.tell(liveChannel.room(chatroomId), [{ type: 'chat:typing', data }]);
  }

  async function subscribeNotifications(connection: Connection, userId: ObjectId): Promise<Reply> {
    const caller = await callerOf(connection);
    if (userId !== caller.userId) throw notYourOwn();
    const name = liveChannel.user(userId);
    if (!connection.subscriptions.has(name)) mayHaveMore(connection);
    await channels.join(connection, name);
    return { type: 'subscribe:success', data: { channel: 'notifications', userId } };
  }

  async function subscribeMarket(connection: Connection, asked: string[]): Promise<Reply> {
    await callerOf(connection);
    if (!prices.isThere) throw noPrices();
    const wanted = asked.map((symbol) => symbol.toUpperCase());
    const all = new Set([...(connection.symbols ?? []), ...wanted]);
    if (all.size > MAX_SYMBOLS) throw tooManySymbols();
    const data = { channel: 'market', symbols: [...all] };
    return { type: 'subscribe:success', data, afterwards: () => prices.watch(connection, wanted) };
  }

  /** Answers what there is to answer; typing has no answer. */
  return async (connection: Connection, { kind, fields }: ClientMessage): Promise<Reply | undefined> => {
    if (kind === 'ping') return { type: 'pong', data: { timestamp: new Date(clock.now()) } };
    if (kind === 'auth') return authenticate(connection, fields);
    if (!connection.caller) throw authenticationRequired();
    switch (kind) {
      case 'subscribe chatroom':
        return subscribeRoom(connection, fields);
      case 'subscribe notifications':
        return subscribeNotifications(connection, fields.userId);
      case 'subscribe market':
        return subscribeMarket(connection, fields.symbols);
      case 'unsubscribe chatroom': {
        const { chatroomId } = fields;
        leave(connection, liveChannel.room(chatroomId));
        return unsubscribed({ channel: 'chatroom', chatroomId });
      }
      case 'unsubscribe notifications': {
        const { userId } = connection.caller;
        leave(connection, liveChannel.user(userId));
        return unsubscribed({ channel: 'notifications', userId });
      }
      case 'unsubscribe market': {
        const symbols = fields.symbols?.map((symbol) => symbol.toUpperCase()) ?? [
          ...(connection.symbols ?? []),
        ];
        prices.unwatch(connection, symbols);
        return unsubscribed({ channel: 'market', symbols });
      }
      case 'chat:send': {
        const { chatroomId: roomId, ...rest } = fields;
        const acknowledged = await chat.send({ roomId, ...rest }, await callerOf(connection));
        const { clientMessageId } = rest;
        return {
          type: 'chat:ack',
          data: { ...(clientMessageId === undefined ? {} : { clientMessageId }), ...acknowledged },
        };
      }
      case 'chat:typing':
        await typing(connection, fields);
        return undefined;
    }
  };
}

/** What a client is told of whatever was thrown: a failure as it is, an outage as one, nothing of a fault of ours. */
export function failureOf(error: unknown, onFault: (error: unknown) => void): Failure {
  if (error instanceof Failure) return error;
  onFault(error);
  return serviceUnavailable(error);
}

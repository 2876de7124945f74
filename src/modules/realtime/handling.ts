import { Failure, insufficientPermissions, serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel, textOf } from '../../kernel/live.ts';
import { authenticationRequired } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Chat } from '../chat/contract.ts';
import type { Identity } from '../identity/contract.ts';
import type { Presence } from '../presence/contract.ts';
import type { Channels } from './channels.ts';
import { CLOSES } from './closing.ts';
import type { Connection, Subscription } from './connection.ts';
import { frameOf } from './frames.ts';
import type { PriceBoard } from './prices.ts';
import {
  type ClientMessage,
  type Messages,
  MOST_SYMBOLS,
  noPrices,
  notYourOwn,
  tooManySubscriptions,
  tooManySymbols,
} from './protocol.ts';

const MOST_SUBSCRIPTIONS = 128;
/** Of one member in one room; typing goes on being told for longer than that. */
const TYPING_MS = 3_000;

export interface HandlingNeeds {
  chat: Chat;
  identity: Pick<Identity, 'authenticateUntil'>;
  presence: Presence;
  live: Live;
  channels: Channels;
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
export function handling(needs: HandlingNeeds) {
  const { chat, identity, presence, live, channels, prices, clock } = needs;
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
    const isFirst = !connection.caller;
    Object.assign(connection, { caller, token, expiresAtMs: expiresAt.getTime(), isWarned: false });
    if (isFirst) {
      connection.onSignedIn();
      await channels.join(connection, liveChannel.all);
    }
    const { userId, sessionId } = caller;
    return { type: 'auth:success', data: { userId, sessionId, expiresAt } };
  }

  function mayHaveMore({ subscriptions }: Connection): void {
    if (subscriptions.size >= MOST_SUBSCRIPTIONS) throw tooManySubscriptions();
  }

  async function subscribeRoom(
    connection: Connection,
    { chatroomId, after }: Messages['subscribe chatroom'],
  ): Promise<Reply> {
    const caller = await callerOf(connection);
    const name = liveChannel.room(chatroomId);
    const isNew = !connection.subscriptions.has(name);
    if (isNew) mayHaveMore(connection);
    // On the channel first, so that nothing falls between what was missed and what comes.
    const opening = {
      findMissed: (from: number) => chat.missed(chatroomId, from),
      gapAfter: (seq: number) => ({ type: 'chat:gap', data: { chatroomId, after: seq } }),
      onExpulsion: putOut(chatroomId),
    };
    const subscription = await channels.join(connection, name, opening, isNew || after !== undefined);
    try {
      const { seq, memberCount } = await chat.enter(chatroomId, caller);
      channels.learn(subscription.channel, seq);
      const missed = await missedSince(subscription, after, chatroomId, seq);
      if (!subscription.onLeave && connection.isOpen) {
        const present = { roomId: chatroomId, userId: caller.userId };
        subscription.onLeave = () => presence.leave(present);
        await presence.enter(present);
      }
      const active = (await presence.activeIn([chatroomId])).get(chatroomId) ?? 0;
      return {
        type: 'subscribe:success',
        data: {
          ...{ channel: 'chatroom', chatroomId, seq: missed.upTo, memberCount, activeNow: active },
          ...(after === undefined ? {} : { replayed: missed.events.length, more: missed.isCut }),
        },
        afterwards: () => channels.release(subscription, missed.events, missed.upTo),
      };
    } catch (error) {
      // Who may not have it loses it, should they have had it before.
      if (isNew || (error instanceof Failure && error.status < 500)) channels.leave(subscription);
      else channels.release(subscription, [], 0);
      throw error;
    }
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
    const events = found.events.map((event) => ({ seq: event.seq as number, frame: frameOf(textOf(event)) }));
    return { events, upTo: Math.max(seq, found.seq), isCut: found.isCut };
  }

  /** Somebody may not have the room any more. */
  const putOut =
    (roomId: ObjectId) =>
    ({ connection }: Subscription, reason: string): void => {
      const data = { channel: 'chatroom', chatroomId: roomId, reason };
      needs.put(connection, frameOf(JSON.stringify({ type: 'unsubscribed', data })));
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
    mayHaveMore(connection);
    await channels.join(connection, liveChannel.user(userId));
    return { type: 'subscribe:success', data: { channel: 'notifications', userId } };
  }

  async function subscribeMarket(connection: Connection, asked: string[]): Promise<Reply> {
    await callerOf(connection);
    if (!prices.isThere) throw noPrices();
    const wanted = asked.map((symbol) => symbol.toUpperCase());
    const all = new Set([...(connection.symbols ?? []), ...wanted]);
    if (all.size > MOST_SYMBOLS) throw tooManySymbols();
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

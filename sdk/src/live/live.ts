import type { Caller } from '../caller.ts';
import { type Facts, PlatformError } from '../errors.ts';
import type { LiveMessages } from '../generated/live.ts';
import { listChatMessages } from '../generated/operations/chatrooms.ts';
import { listNotifications } from '../generated/operations/notifications.ts';
import type { ChatMessage, Notification } from '../generated/wire.ts';
import { host, randomId, type Signal, within } from '../host.ts';
import { type Connection, connectionOf, type Incoming } from './connection.ts';
import { listenersOf } from './listeners.ts';
import { missedOf } from './missed.ts';
import { OF_NOTIFICATIONS } from './of-notifications.ts';
import { type Acknowledged, type Room, type RoomInside, roomOf } from './room.ts';
import { type LiveState, SIGNED_OUT } from './states.ts';
import { watchingOf } from './watching.ts';

/** The live channel: one connection, opened on first use. */
export interface Live {
  readonly state: LiveState;
  onState(listener: (state: LiveState) => void): () => void;
  /**
   * A chatroom; it is subscribed to when the first listener is added. With `after`, the messages after that `seq`
   * are delivered first. With `present: false`, such as for a badge, the others are not shown that the member is there;
   * see {@link Room.show}.
   */
  room(id: string, options?: { after?: number; present?: boolean }): Room;
  /**
   * Listens to messages outside of rooms. Listening to one of `notification:*`, `member:muted`, `chat:muted`, `chat:added`,
   * `chat:removed`, `chat:room-updated` and `chat:read` subscribes to the member's notifications. Those that come while the connection is lost follow after it, once
   * each and in order, the newest thousand at most. Signing out removes the listeners, so add them after each sign-in.
   */
  on<Type extends keyof LiveMessages>(type: Type, listener: (data: LiveMessages[Type]) => void): () => void;
  /**
   * Adds a subscription to the prices of these symbols: see `market:price`, and `subscribe:error` for a refusal. The
   * returned function ends it; symbols that are also watched elsewhere stay.
   */
  watch(symbols: string[]): () => void;
  /**
   * Reconnects at once, also after the channel has ended; a connection that looks open must respond within five
   * seconds.
   */
  reconnect(): void;
  /** Closes the channel until its next use: iterations end, and messages being sent fail with `LIVE_ENDED`. */
  close(): void;
}

/** The reason when the program closes the channel. */
const CLOSED = 'closed';

/**
 * Maximum length of a message; at three bytes for each letter it is below the 64 KiB of the platform. A longer one would
 * end the connection, and end it again after each reconnect.
 */
const MAX_MESSAGE_LENGTH = 20_000;

/** Maximum number of pages, of a hundred messages each, that are read to fill a gap. */
const MAX_GAP_PAGES = 50;

/** A message that expects a response; it is sent again after each reconnect until the response arrives. */
interface Pending {
  message: { chatroomId?: string; clientMessageId?: string; [field: string]: unknown };
  answered?: ((answer: Incoming) => void) | undefined;
  refused?: ((error: PlatformError) => void) | undefined;
}

export function createLive(caller: Caller): Live {
  const { session, options } = caller;
  const states = listenersOf<LiveState>();
  const messages = listenersOf<Incoming>();
  const rooms = new Map<string, RoomInside>();
  /** Ordered as sent, which is also the order of messages in a room. */
  const pending = new Map<string, Pending>();
  let state: LiveState = { name: 'idle' };
  let wantsNotifications = false;
  let userId: string | undefined;

  const connection: Connection = connectionOf({
    url: `${options.baseUrl.replace(/^http/, 'ws')}/v1/live`,
    session,
    WebSocket: options.WebSocket ?? host.WebSocket,
    onOpen() {
      // Subscriptions are renewed, and messages that have not been acknowledged are sent again.
      for (const [id, { message }] of pending) if (!message.clientMessageId) pending.delete(id);
      const said = [...pending.values()];
      for (const inside of rooms.values()) if (inside.isWanted()) inside.subscribe();
      watching.renew();
      // Messages follow the subscriptions, so that a client that is new to a room receives its own first message.
      for (const one of said) sendInTurn(one);
    },
    onMessage: receive,
    onState(next) {
      state = next;
      if (next.name === 'ended') give(next.reason);
      states.emit(next);
    },
    // A room that nobody has left may also be for sending.
    isWanted: () => messages.size() + rooms.size > 0,
  });
  session.listeners.add(() => finish(SIGNED_OUT));

  /**
   * Ends all listeners and pending messages. Iterations fail with the reason, except when the program has closed
   * the channel.
   */
  function give(reason: string): void {
    const error = new PlatformError({
      message: `The live channel has ended: ${reason}`,
      kind: 'client',
      code: reason === SIGNED_OUT ? 'SIGNED_OUT' : 'LIVE_ENDED',
    });
    for (const one of pending.values()) one.refused?.(error);
    pending.clear();
    for (const inside of rooms.values()) inside.end(reason === CLOSED ? undefined : error);
    // State of one member must not reach the next.
    if (reason === SIGNED_OUT) forget();
  }

  /** Returns a function that withdraws the message if it has not been responded to. */
  function ask(
    message: Pending['message'],
    answered?: Pending['answered'],
    refused?: Pending['refused'],
  ): () => void {
    const requestId = randomId();
    const one = { message: { ...message, requestId }, answered, refused };
    if (JSON.stringify(message).length > MAX_MESSAGE_LENGTH) {
      refused?.(refusal('The message is too large', 'INVALID_MESSAGE'));
    } else {
      pending.set(requestId, one);
      connection.wake();
      sendInTurn(one);
    }
    return () => settle(requestId, one);
  }

  /** Sends the messages of a room one after another, so that a message that has to wait is not overtaken. */
  function sendInTurn(one: Pending): void {
    if (one.message.clientMessageId && firstSaidIn(one.message.chatroomId) !== one) return;
    connection.send(one.message);
  }

  const firstSaidIn = (chatroomId: string | undefined): Pending | undefined =>
    [...pending.values()].find(({ message }) => message.clientMessageId && message.chatroomId === chatroomId);

  /** Removes a message, if it is still pending, and sends the next one of its room. */
  function settle(requestId: string, { message }: Pending): void {
    const next = pending.delete(requestId) && message.clientMessageId && firstSaidIn(message.chatroomId);
    if (next) connection.send(next.message);
  }

  const watching = watchingOf(
    (symbols, refused) => ask({ type: 'subscribe', channel: 'market', symbols }, undefined, refused),
    connection.send,
  );
  const missed = missedOf(
    () => caller.call(listNotifications, { query: { limit: 50 } }) as AsyncIterable<Notification>,
    messages.emit,
  );
  const subscribe = () =>
    ask({ type: 'subscribe', channel: 'notifications', userId }, ({ data }) => missed.subscribed(data));

  function receive(message: Incoming): void {
    const { type, data, requestId } = message;
    const one = pending.get(requestId as string);
    if (one && type.endsWith('error')) refused(requestId as string, one, data);
    else if (one) {
      settle(requestId as string, one);
      one.answered?.(message);
    } else if (type === 'auth:success') {
      userId = data.userId;
      if (wantsNotifications) subscribe();
    } else if (type === 'unsubscribed')
      rooms.get(data.chatroomId)?.refused(refusal(data.reason, data.reason));
    else rooms.get(data?.chatroomId)?.receive(message);
    if (type === 'notification:new') missed.receive(message);
    else messages.emit(message);
  }

  /**
   * Temporarily refused commands are retried; other refusals are final. So is slow mode, which may last for hours, and
   * which members have to be told about.
   */
  function refused(
    requestId: string,
    one: Pending,
    { code, message, errors, retryAfter, mutedUntil }: Incoming['data'],
  ): void {
    // As after a disconnection, every command is sent again, with another token.
    if (code === 'TOKEN_EXPIRED') connection.renew();
    else if (retryAfter === undefined || code === 'SLOW_MODE') {
      settle(requestId, one);
      one.refused?.(refusal(message, code, { fields: errors ?? [], meta: { mutedUntil }, retryAfter }));
    } else
      host.setTimeout(() => {
        if (pending.get(requestId) === one) connection.send(one.message);
      }, retryAfter * 1_000);
  }

  const enter = (id: string, after: number | undefined, present: boolean | undefined) =>
    ask(
      { type: 'subscribe', channel: 'chatroom', chatroomId: id, after, present },
      ({ data }) => rooms.get(id)?.entered(data),
      (error) => rooms.get(id)?.refused(error),
    );

  async function say(chatroomId: string, message: string, signal?: Signal): Promise<Acknowledged> {
    const clientMessageId = randomId();
    let answer!: Incoming;
    let withdraw: (() => void) | undefined;
    const stored = async () => {
      answer = await new Promise((resolve, reject) => {
        withdraw = ask({ type: 'chat:send', chatroomId, message, clientMessageId }, resolve, reject);
      });
    };
    // Some three weeks: no limit but that of timers.
    await within(2e9, signal, stored).finally(() => withdraw?.());
    const { messageId: id, seq, timestamp: createdAt } = answer.data;
    return { id, seq, createdAt };
  }

  /** Reads the messages after one event and before another, oldest first. */
  async function readMissed(chatroomId: string, after: number, before: number): Promise<ChatMessage[]> {
    const missed: ChatMessage[] = [];
    const request = { params: { chatroomId }, query: { limit: 100 } };
    let count = 0;
    for await (const one of caller.call(listChatMessages, request)) {
      if (one.seq <= after || ++count > MAX_GAP_PAGES * 100) break;
      if (one.seq < before) missed.unshift(one);
    }
    return missed;
  }

  function room(id: string, { after, present }: { after?: number; present?: boolean } = {}): Room {
    const known = rooms.get(id);
    if (known) return known.room;
    const inside: RoomInside = roomOf({
      id,
      after,
      present,
      subscribe(seq, isPresent) {
        // Also subscribes again to a room that was left.
        rooms.set(id, inside);
        enter(id, seq, isPresent);
      },
      unsubscribe() {
        rooms.delete(id);
        connection.send({ type: 'unsubscribe', channel: 'chatroom', chatroomId: id });
      },
      wake: connection.wake,
      readMissed: (from, to) => readMissed(id, from, to),
      say: (message, options) => say(id, message, options?.signal),
      typing: () => connection.send({ type: 'chat:typing', chatroomId: id }),
    });
    rooms.set(id, inside);
    return inside.room;
  }

  function finish(reason: string): void {
    connection.end(reason);
    forget();
  }

  function forget(): void {
    for (const { room } of [...rooms.values()]) room.leave();
    messages.clear();
    watching.clear();
    missed.clear();
    wantsNotifications = false;
  }

  return {
    room,
    close: () => finish(CLOSED),
    get state() {
      return state;
    },
    onState: states.add,
    on(type, listener) {
      if (OF_NOTIFICATIONS.includes(type) && !wantsNotifications) {
        wantsNotifications = true;
        if (userId !== undefined) subscribe();
      }
      connection.wake();
      return messages.add((message) => {
        if (message.type === type) listener(message.data);
      });
    },
    watch: watching.watch,
    reconnect: connection.check,
  };
}

const refusal = (message: string, code: string, more?: Partial<Facts>): PlatformError =>
  new PlatformError({ message, kind: 'refused', code }, more);

import type { PlatformError } from '../errors.ts';
import type { ChatMessage } from '../generated/wire.ts';
import type { Signal } from '../host.ts';
import type { Incoming } from './connection.ts';
import { listenersOf } from './listeners.ts';

/**
 * The events of a chatroom. Those with a `seq` arrive once each and in this order, even if the connection is lost.
 */
export type RoomEvent =
  | {
      type: 'message';
      seq: number;
      id: string;
      userId: string;
      message: string;
      createdAt: string;
      editedAt: string | null;
      user: ChatMessage['user'];
    }
  | { type: 'updated'; seq: number; id: string; message: string; editedAt: string }
  | { type: 'deleted'; seq: number; id: string }
  | { type: 'typing'; userId: string }
  /** The subscription holds, at first and after each reconnect. */
  | { type: 'entered'; memberCount: number; activeNow: number; online?: string[] | undefined }
  /**
   * More was missed than the platform sends again. The messages after `after` follow, read over HTTP as they are now, unless
   * `isFilled` is false. Edits and deletions of older ones are not told: discard what you keep of the room up to `after`,
   * and read it anew when it is shown.
   */
  | { type: 'gap'; after: number; isFilled: boolean }
  /** The member may not, or no longer, read the room; iterations end with this as their error. */
  | { type: 'left'; reason: string };

/** The result of sending a message. */
export interface Acknowledged {
  id: string;
  seq: number;
  createdAt: string;
}

/** A chatroom on the live channel: iterate over it, or add listeners. */
export interface Room extends AsyncIterable<RoomEvent> {
  readonly id: string;
  /** The `seq` of the newest event: store it to continue from there with `live.room(id, { after })`. */
  readonly seq: number | undefined;
  on<Type extends RoomEvent['type']>(
    type: Type,
    listener: (event: Extract<RoomEvent, { type: Type }>) => void,
  ): () => void;
  /**
   * Resolves when the message is stored. It survives lost connections: a message that is sent again is stored once.
   * In slow mode it rejects with `SLOW_MODE` and `retryAfter`. `signal` ends the wait; a message that was sent before
   * may be stored nevertheless.
   */
  send(message: string, options?: { signal?: Signal }): Promise<Acknowledged>;
  typing(): void;
  /** Sets whether the others are shown that the member is in the room, such as while it is open on the screen. */
  show(isPresent: boolean): void;
  /** Ends the subscription and all iterations, and forgets all listeners. */
  leave(): void;
}

interface RoomParts {
  id: string;
  after: number | undefined;
  present: boolean | undefined;
  /** Subscribes, after the given event if there is one. */
  subscribe(after: number | undefined, present: boolean | undefined): void;
  unsubscribe(): void;
  /** Connects again if the connection has ended. */
  wake(): void;
  /** Reads the messages between two events, oldest first. */
  readMissed(after: number, before: number): Promise<ChatMessage[]>;
  say: Room['send'];
  typing(): void;
}

export interface RoomInside {
  room: Room;
  /** Whether the room has listeners, so that it must be subscribed to. */
  isWanted(): boolean;
  subscribe(): void;
  entered(data: Incoming['data']): void;
  receive(message: Incoming): void;
  /** Ends all iterations. */
  end(error?: unknown): void;
  refused(error: PlatformError): void;
}

export function roomOf(parts: RoomParts): RoomInside {
  const listeners = listenersOf<RoomEvent>();
  let { after: seq, present } = parts;
  let isWanted = false;
  /** Events that are held back until the gap before them is filled. */
  let held: Incoming[] | undefined;
  let isGapBefore = false;
  /** Messages that were read over HTTP. The platform may send them again when they are changed later. */
  const filled = new Set<string>();
  let round = 0;

  function want(): void {
    if (isWanted) parts.wake();
    else {
      isWanted = true;
      subscribe();
    }
  }

  function subscribe(): void {
    begin();
    parts.subscribe(seq, present);
  }

  /** Starts over; a gap being filled is no longer needed. */
  function begin(): void {
    round++;
    held = undefined;
    isGapBefore = false;
  }

  function tell(message: Incoming): void {
    if (message.seq === undefined || message.seq <= (seq ?? -1)) return;
    seq = message.seq;
    const event = eventOf(message);
    if (event?.type === 'message' && filled.delete(event.id))
      listeners.emit({ ...event, type: 'updated', editedAt: event.editedAt ?? event.createdAt });
    else if (event) listeners.emit(event);
  }

  /** Reads the events missing before the first of the held ones, then delivers those. */
  async function fill(first: Incoming): Promise<void> {
    held = [first];
    const mine = ++round;
    const after = seq ?? 0;
    const missed = await parts.readMissed(after, first.seq as number).catch(() => undefined);
    // A new subscription has begun meanwhile; it delivers all of these again.
    if (mine !== round) return;
    const later = held ?? [];
    held = undefined;
    listeners.emit({ type: 'gap', after, isFilled: missed !== undefined });
    const heldIds = new Set(
      later.filter(({ type }) => type === 'chat:message').map(({ data }) => data.messageId),
    );
    for (const one of missed ?? []) {
      if (heldIds.has(one.id)) continue;
      filled.add(one.id);
      seq = one.seq;
      listeners.emit({ type: 'message', ...one });
    }
    for (const message of later) tell(message);
  }

  const room: Room = {
    id: parts.id,
    get seq() {
      return seq;
    },
    on(type, listener) {
      want();
      return listeners.add((event) => {
        if (event.type === type) listener(event as never);
      });
    },
    [Symbol.asyncIterator]() {
      const iteration = listeners.iterate();
      want();
      return iteration;
    },
    send: parts.say,
    typing: parts.typing,
    show(isPresent) {
      present = isPresent;
      if (isWanted) subscribe();
    },
    leave() {
      isWanted = false;
      begin();
      parts.unsubscribe();
      listeners.clear();
    },
  };

  return {
    room,
    isWanted: () => isWanted,
    subscribe,
    entered({ seq: newest, memberCount, activeNow, online, more }) {
      // The platform numbers from an earlier event again where it was restored from a backup, or lost its newest messages.
      if (seq === undefined || newest < seq) seq = newest;
      isGapBefore = more === true;
      listeners.emit({ type: 'entered', memberCount, activeNow, online });
    },
    receive(message) {
      if (message.type === 'chat:typing') listeners.emit({ type: 'typing', userId: message.data.userId });
      else if (message.type === 'chat:gap') isGapBefore = true;
      else if (held) held.push(message);
      else if (isGapBefore && message.seq !== undefined && message.seq > (seq ?? -1)) {
        isGapBefore = false;
        void fill(message);
      } else tell(message);
    },
    end: listeners.end,
    refused(error) {
      isWanted = false;
      listeners.emit({ type: 'left', reason: error.code });
      listeners.end(error);
    },
  };
}

/** Converts live and HTTP messages to one shape. */
function eventOf({ type, data, seq = 0 }: Incoming): RoomEvent | undefined {
  const { messageId: id, userId, message, timestamp, editedAt = null, user } = data;
  if (type === 'chat:message')
    return { type: 'message', seq, id, userId, message, createdAt: timestamp, editedAt, user };
  if (type === 'chat:updated') return { type: 'updated', seq, id, message, editedAt };
  if (type === 'chat:deleted') return { type: 'deleted', seq, id };
  return undefined;
}

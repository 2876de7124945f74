import { Type } from 'typebox';
import { limitPerKey } from '../../kernel/concurrency/limit-per-key.ts';
import { Failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel, textOf } from '../../kernel/live/live.ts';
import type { Command, Reply } from '../../kernel/live/live-commands.ts';
import { accountInactive, expiredToken, invalidToken } from '../../kernel/operations/access.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { banned, type Chat, notMember, type Portion, roomNotFound } from '../chat/contract.ts';
import type { Presence, Present } from '../presence/contract.ts';
import type { AccessReview } from './access-review.ts';
import type { Channels } from './channels.ts';
import type { Channel, Connection, Due, Subscription } from './connection.ts';
import { frameOf } from './frames.ts';
import { hasEnded, numberedOf, recentAfter } from './numbering.ts';
import { ownCommand } from './own-command.ts';
import { accessRevoked, subscribed, subscribeFailed, unsubscribed } from './realtime.live.ts';
import { leaveChannel, mayHaveMore, tooManySubscriptions } from './subscriptions.ts';
import type { Verifier } from './verifying.ts';

/** Maximum number of concurrent reads of missed messages for one member, over all connections of this process. */
const READS_PER_MEMBER = 2;

interface RoomDeps {
  chat: Pick<Chat, 'enter' | 'missed'>;
  verifier: Pick<Verifier, 'callerOf'>;
  presence: Presence;
  channels: Channels;
  judge: AccessReview;
  put: (connection: Connection, frame: Buffer) => void;
}

interface SubscriptionRequest {
  chatroomId: ObjectId;
  after?: number;
  present?: boolean;
}

/** Subscriptions to chatrooms. */
export function roomCommands(deps: RoomDeps): Command[] {
  const subscribe = roomSubscribing(deps);
  return [
    ownCommand({
      type: 'subscribe',
      channel: 'chatroom',
      summary:
        'Subscribes to a chatroom. With `after`, the last `seq` that you have seen, the messages you missed follow the answer, before newer ones. With `present: false`, such as for a badge, you are not shown as present; subscribe again to change it.',
      fields: Type.Object({
        chatroomId: ObjectIdShape,
        after: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The last `seq` that you have seen in the room',
            examples: [118],
          }),
        ),
        present: Type.Optional(
          Type.Boolean({
            default: true,
            description: 'Whether the others are shown that you are in the room, through this connection',
            examples: [true],
          }),
        ),
      }),
      access: 'signed-in',
      failures: [
        invalidToken,
        expiredToken,
        accountInactive,
        roomNotFound,
        notMember,
        banned,
        tooManySubscriptions,
      ],
      answer: subscribed,
      refusal: subscribeFailed,
      async handle({ fields, connection }) {
        while (connection.isOpen) {
          const reply = await subscribe(connection, fields);
          if (reply) return reply;
        }
        return undefined;
      },
    }),
    ownCommand({
      type: 'unsubscribe',
      channel: 'chatroom',
      summary: 'Ends the subscription to a chatroom.',
      fields: Type.Object({ chatroomId: ObjectIdShape }),
      access: 'signed-in',
      answer: unsubscribed,
      async handle({ fields: { chatroomId }, connection }) {
        leaveChannel(deps.channels, connection, liveChannel.room(chatroomId));
        return unsubscribed({ channel: 'chatroom', chatroomId });
      },
    }),
  ];
}

function roomSubscribing({ chat, verifier, presence, channels, judge, put }: RoomDeps) {
  const openingOf = (chatroomId: ObjectId) => ({
    findMissed: (after: number) => chat.missed(chatroomId, after),
    onReview: (channel: Channel) => void judge.room(channel),
    onRevoked: ({ connection }: Subscription, reason: string) =>
      put(connection, frameOf(textOf(accessRevoked({ channel: 'chatroom', chatroomId, reason })))),
  });

  async function showPresence(subscription: Subscription, present: Present, isShown: boolean): Promise<void> {
    if (hasEnded(subscription) || isShown === (subscription.onLeave !== undefined)) return;
    if (!isShown) {
      subscription.onLeave?.();
      subscription.onLeave = undefined;
      return;
    }
    subscription.onLeave = () => presence.leave(present);
    await presence.enter(present);
  }

  const missed = missedSince(chat);

  /**
   * Grants access to the room.
   * @returns undefined if the subscription was ended concurrently, also with its connection; then nothing more is read
   */
  async function admit(
    subscription: Subscription,
    request: SubscriptionRequest,
    isPaused: boolean,
  ): Promise<Reply | undefined> {
    const { connection, channel } = subscription;
    const { chatroomId, after, present = true } = request;
    const caller = await verifier.callerOf(connection);
    const { seq, memberCount } = await chat.enter(chatroomId, caller);
    channels.learn(channel, seq);
    if (hasEnded(subscription)) return undefined;
    await showPresence(subscription, { roomId: chatroomId, userId: caller.userId }, present);
    const { active, online } = await presence.shownTo(caller.userId, chatroomId);
    // Read after the access check, so that a message deleted before is not sent.
    const found = await missed(subscription, request, caller.userId, seq);
    if (!found || hasEnded(subscription)) return undefined;
    subscription.isAdmitted = true;
    return {
      message: subscribed({
        channel: 'chatroom',
        chatroomId,
        seq: found.upTo,
        memberCount,
        activeNow: active,
        ...(online ? { online } : {}),
        ...(after === undefined ? {} : { replayed: found.count, more: found.isCut }),
      }),
      afterwards: () => {
        if (isPaused) channels.release(subscription, found.due, found.upTo);
      },
    };
  }

  /** Resolves to undefined when the subscription was ended concurrently; the caller must retry. */
  return async (connection: Connection, request: SubscriptionRequest): Promise<Reply | undefined> => {
    const name = liveChannel.room(request.chatroomId);
    const isNew = !connection.isOn(name);
    if (isNew) mayHaveMore(connection);
    // Joins before the check, so that no message is lost between the missed and the new ones, and changes of access
    // after the check are received.
    const isPaused = isNew || request.after !== undefined;
    const subscription = await channels.join(connection, name, openingOf(request.chatroomId), isPaused);
    try {
      return await admit(subscription, request, isPaused);
    } catch (error) {
      // A subscriber who is no longer allowed also loses an existing subscription.
      if (isNew || (error instanceof Failure && error.status < 500)) channels.leave(subscription);
      else if (isPaused) channels.release(subscription);
      throw error;
    }
  };
}

/** The messages that a client has missed: the due ones, the newest number, and whether older ones were omitted. */
interface Found {
  due: Due | undefined;
  count: number;
  upTo: number;
  isCut: boolean;
}

/** Reads the messages after a `seq`, from memory or from the database. */
function missedSince(chat: Pick<Chat, 'missed'>) {
  const limitReads = limitPerKey(READS_PER_MEMBER);

  /** Converts missed messages to frames; for a connection that has closed, nothing more is read. */
  function dueOf({ messages, next }: Portion, subscription: Subscription, userId: ObjectId): Due {
    const read = async (): Promise<Due> =>
      hasEnded(subscription) || !next
        ? { messages: [], next: undefined }
        : dueOf(await next(), subscription, userId);
    return { messages: messages.map(numberedOf), next: next && (() => limitReads(userId, read)) };
  }

  /** Returns undefined if the subscription was ended before its turn. */
  return async (
    subscription: Subscription,
    { chatroomId, after }: SubscriptionRequest,
    userId: ObjectId,
    seq: number,
  ): Promise<Found | undefined> => {
    if (after === undefined || after >= seq) return { due: undefined, count: 0, upTo: seq, isCut: false };
    const messages = recentAfter(subscription.channel, after);
    if (messages) {
      // Without any, the bus has not brought this process what comes after yet, and will.
      const upTo = messages.at(-1)?.seq ?? after;
      return { due: { messages, next: undefined }, count: messages.length, upTo, isCut: false };
    }
    return limitReads(userId, async () => {
      if (hasEnded(subscription)) return undefined;
      const { gap, count, ...found } = await chat.missed(chatroomId, after);
      const due = dueOf(found, subscription, userId);
      return { due, count, upTo: Math.max(seq, found.seq), isCut: gap !== undefined };
    });
  };
}

import { Type } from 'typebox';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { job, jobKind } from '../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Notifications } from '../notifications/contract.ts';
import type { Presence } from '../presence/contract.ts';
import { messagesWaiting, notMember } from './contract.ts';
import type { Room } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import { TOLD_AT_ONCE, type Told, type WaitingStore } from './waiting.store.ts';

/** Whoever reads the message within this time is not told of it. */
export const TOLD_AFTER_SECONDS = 30;
/** A job tells of all messages that are committed before it runs, so that those within this time need no other one. */
const COVERED_MS = (TOLD_AFTER_SECONDS * SECOND_MS) / 2;
/** Rooms that are remembered as covered; a forgotten one has a job too many. */
const MAX_REMEMBERED = 10_000;

const tellWaiting = jobKind('chat.tell-waiting', {
  version: 1,
  /** Only members with ids after `after`, if there is one. */
  data: Type.Object({ roomId: ObjectIdShape, after: Type.Optional(ObjectIdShape) }),
});

interface WaitingDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'clock'> {
  store: WaitingStore;
  rooms: Pick<RoomStore, 'find'>;
  presence: Pick<Presence, 'whoIsIn'>;
  moderation: Pick<Moderation, 'blocksAmong'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/**
 * Tells members who are elsewhere that messages wait for them in a room that is not public: once, until they have read
 * them, when the notification goes.
 */
export function waitingMessages(deps: WaitingDeps) {
  const { store, rooms, presence, moderation, notifications, database, events, jobs, clock } = deps;
  /** Until when the messages of a room need no other job, in the order of the jobs. */
  const coveredUntil = new Map<ObjectId, number>();

  function remember(roomIds: ObjectId[], until: number): void {
    for (const roomId of roomIds) {
      coveredUntil.delete(roomId);
      coveredUntil.set(roomId, until);
    }
    for (const [roomId, end] of coveredUntil) {
      if (end > clock.elapsedMs() && coveredUntil.size <= MAX_REMEMBERED) return;
      coveredUntil.delete(roomId);
    }
  }

  /** Returns those who have blocked the author: they are not told, but are of the next message of somebody else. */
  async function blockersAmong(tx: Transaction, told: Told[]): Promise<ObjectId[]> {
    const pairs = told.map(({ userId, fromUserId }) => ({ blockerId: userId, blockedId: fromUserId }));
    return (await moderation.blocksAmong(pairs, tx)).map(({ blockerId }) => blockerId);
  }

  return {
    /**
     * Has members told of messages that the transaction sends in these rooms.
     * @returns what to do once it has committed
     */
    async tellIn(tx: Transaction, sentIn: Pick<Room, 'id' | 'type'>[]): Promise<() => void> {
      const until = clock.elapsedMs() + COVERED_MS;
      const roomIds = sentIn
        .filter(({ id, type }) => type !== 'public' && (coveredUntil.get(id) ?? 0) <= clock.elapsedMs())
        .map(({ id }) => id);
      const afterSeconds = TOLD_AFTER_SECONDS;
      if (roomIds.length > 0)
        await jobs.enqueue(
          tx,
          tellWaiting,
          roomIds.map((roomId) => ({ roomId })),
          { afterSeconds },
        );
      return () => remember(roomIds, until);
    },

    /** Takes the notification back from a member who has read what there was. */
    async takeBack(roomId: ObjectId, userId: ObjectId): Promise<void> {
      await database.transaction(async (tx) => {
        const since = await store.forget(tx, roomId, userId);
        const about = { chatroomId: roomId };
        // They may be told of others at once.
        const until = clock.date();
        if (since)
          await notifications.withdrawIn(tx, [{ of: messagesWaiting, about, since, to: userId, until }]);
      });
    },

    /** Records whether a member of the room wants to be told. @throws notMember */
    async quieten(roomId: ObjectId, userId: ObjectId, isQuiet: boolean): Promise<void> {
      if (!(await store.quieten(roomId, userId, isQuiet))) throw notMember();
    },

    jobs: [
      job(tellWaiting, {
        runIn: async (tx, { roomId, after = '' }) => {
          const room = await rooms.find(roomId, tx);
          // It may have become public, or been deleted.
          if (!room || room.type === 'public') return;
          const { online: present = [] } = await presence.whoIsIn(roomId);
          const told = await store.tell(tx, roomId, { present, after }, clock.date());
          const blockers = await blockersAmong(tx, told);
          if (blockers.length > 0) await store.untell(tx, roomId, blockers);
          const heard = told.filter(({ userId }) => !blockers.includes(userId));
          await events.publish(tx, messagesWaiting, ...heard.map((one) => ({ roomId, ...one })));
          const last = told.map(({ userId }) => userId).toSorted()[TOLD_AT_ONCE - 1];
          if (last !== undefined) await jobs.enqueue(tx, tellWaiting, [{ roomId, after: last }]);
        },
      }),
    ],
  };
}

export type WaitingMessages = ReturnType<typeof waitingMessages>;

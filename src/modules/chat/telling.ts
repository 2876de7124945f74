import { Type } from 'typebox';
import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type LiveMessage, liveChannel, MEMBERS_AT_ONCE } from '../../kernel/live/live.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Notifications, Withdrawal } from '../notifications/contract.ts';
import { removedFromRoom, roomUpdated } from './chat.live.ts';
import { memberAdded, messagesWaiting, publicRoomCreated, roomHandedOn } from './contract.ts';
import type { EverRoom, Left, Room } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import type { TellingStore } from './telling.store.ts';

const tellMembers = jobKind('chat.tell-members', {
  version: 1,
  data: Type.Object({
    roomId: ObjectIdShape,
    /** Only members with ids after it, if there is one. */
    after: Type.Optional(ObjectIdShape),
    /** Connected members are not told. */
    isQuiet: Type.Optional(Type.Boolean()),
  }),
});

interface TellingDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'live' | 'clock'> {
  store: TellingStore;
  rooms: Pick<RoomStore, 'findEver'>;
  notifications: Pick<Notifications, 'withdrawIn' | 'fanOut'>;
}

/** What the members of a room are told of it, as it is now. */
function messageOf({ id: chatroomId, ...room }: EverRoom): LiveMessage {
  if (room.deletedAt) return removedFromRoom({ chatroomId, reason: 'ROOM_DELETED' });
  const { name, description, rules, type, slowModeSeconds, createdBy, updatedAt } = room;
  return roomUpdated({ chatroomId, name, description, rules, type, slowModeSeconds, createdBy, updatedAt });
}

/**
 * Tells members of rooms, wherever they are in the app, that these have changed or that they are no longer in them; their
 * notifications about such rooms go.
 */
export function telling({ store, rooms, notifications, database, events, jobs, live, clock }: TellingDeps) {
  const { fanOut } = notifications;
  const KINDS = [memberAdded, messagesWaiting, roomHandedOn];
  const withdrawalsOf = (userId: ObjectId, { roomId, notifiedSince: since }: Left): Withdrawal[] =>
    since
      ? // They may be added again at once.
        KINDS.map((of) => ({ of, about: { chatroomId: roomId }, since, to: userId, until: clock.date() }))
      : [];

  const tellAll = (tx: Transaction, roomId: ObjectId, { isQuiet = false } = {}): Promise<void> =>
    jobs.enqueue(tx, tellMembers, [{ roomId, ...(isQuiet && { isQuiet }) }]);

  return {
    /** Records, in the transaction that has a member notified, that their notifications about a room have a beginning. */
    note: (tx: Transaction, roomId: ObjectId, userId: ObjectId): Promise<void> =>
      store.note(tx, roomId, userId, clock.date()),

    /** Has all members of a room told, once the transaction commits, that it has changed or no longer exists. */
    tellAll,

    /**
     * Makes a function that does so for what this caller does to rooms, and returns whether the members are told: beyond the
     * hourly limit they are not. A transaction that is repeated counts once.
     */
    announcing(kind: string, caller: UserCaller) {
      let admission: Promise<boolean> | undefined;
      return async (tx: Transaction, { id, createdBy }: Room): Promise<boolean> => {
        admission ??= fanOut.admitsChange(kind, caller, createdBy);
        const isAnnounced = await admission;
        await tellAll(tx, id, { isQuiet: !isAnnounced });
        return isAnnounced;
      };
    },

    /**
     * Makes a function that has the subscribers of the topic notified of a new public room, as many an hour as a member may
     * announce; a transaction that is repeated counts once.
     */
    opening(creator: UserCaller) {
      const isAdmitted = lazy(() => fanOut.admits('chatrooms', creator));
      return async (tx: Transaction, { id: roomId, type }: Pick<Room, 'id' | 'type'>): Promise<void> => {
        if (type !== 'public') return;
        const isQuiet = !(await isAdmitted());
        await events.publish(tx, publicRoomCreated, { roomId, userId: creator.userId, isQuiet });
      };
    },

    /** Takes back the notifications of a new public room from the subscribers of the topic. */
    withdrawOpening: (tx: Transaction, { id, createdAt }: Pick<Room, 'id' | 'createdAt'>): Promise<void> =>
      notifications.withdrawIn(tx, [{ of: publicRoomCreated, about: { chatroomId: id }, since: createdAt }]),

    /** Takes back the notifications about rooms that a member has left in this transaction. */
    withdraw: (tx: Transaction, userId: ObjectId, left: Left[]): Promise<void> =>
      notifications.withdrawIn(
        tx,
        left.flatMap((one) => withdrawalsOf(userId, one)),
      ),

    /** Tells a member that they are no longer in rooms. */
    tellRemoved: (userId: ObjectId, roomIds: ObjectId[], reason: string): Promise<void> =>
      live.send(
        liveChannel.user(userId),
        roomIds.map((chatroomId) => removedFromRoom({ chatroomId, reason })),
      ),

    jobs: [
      job(tellMembers, {
        // In turn, so that nobody is told of an earlier state after a later one.
        concurrency: 1,
        run: async ({ roomId, after = '', isQuiet = false }) => {
          const room = await rooms.findEver(roomId);
          if (!room || (isQuiet && !room.deletedAt)) return;
          const some = await store.someAfter(roomId, after);
          const userIds = some.map(({ userId }) => userId);
          if (!isQuiet) await live.sendToMembers(userIds, [messageOf(room)]);
          await database.transaction(async (tx) => {
            if (room.deletedAt)
              await notifications.withdrawIn(
                tx,
                some.flatMap(({ userId, notifiedSince }) => withdrawalsOf(userId, { roomId, notifiedSince })),
              );
            const last = userIds[MEMBERS_AT_ONCE - 1];
            if (last !== undefined)
              await jobs.enqueue(tx, tellMembers, [{ roomId, after: last, ...(isQuiet && { isQuiet }) }]);
          });
        },
      }),
    ] as Job[],
  };
}

export type Telling = ReturnType<typeof telling>;

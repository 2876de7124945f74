import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type AsRead, mustBeAsRead, timeOfChange } from '../../kernel/operations/lost-updates.ts';
import { changesNothing, changesOf } from '../../kernel/records/audit.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Moderation } from '../moderation/contract.ts';
import { roomChanged, roomNotFound } from './contract.ts';
import { roomHasHistory } from './failures.ts';
import type { MessageStore } from './messages.store.ts';
import { recordedOf } from './recorded-rooms.ts';
import { mustModerate, mustOwn, type RoomView } from './room-access.ts';
import type { Room, RoomChanges } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

interface RoomChangeDeps {
  store: RoomStore;
  messages: Pick<MessageStore, 'hasOthersThan'>;
  view: (room: Room, caller: UserCaller) => Promise<RoomView>;
  database: Database;
  events: Events;
  moderation: Pick<Moderation, 'maySpeak' | 'intervene' | 'closeReports'>;
  telling: Pick<Telling, 'announcing' | 'withdrawOpening'>;
  live: Live;
  clock: Clock;
}

/** Changes and deletion of chatrooms. */
export function roomChanges(deps: RoomChangeDeps) {
  const { store, messages, view, database, events, live, moderation, telling, clock } = deps;

  /** Checks that a room may become public: nobody else may have confided anything to it. @throws roomHasHistory */
  async function mayOpen(tx: Transaction, { id, type, createdBy, memberCount }: Room): Promise<void> {
    if (type === 'public') return;
    if (memberCount > 1 || (await messages.hasOthersThan(tx, id, createdBy))) throw roomHasHistory();
  }

  /** Checks, under the lock of a room, who changes what: of rooms of others, moderators change the texts. @throws insufficientPermissions, muted */
  async function mayChange(
    tx: Transaction,
    room: Room,
    changes: RoomChanges,
    caller: UserCaller,
  ): Promise<void> {
    const changesTexts = [changes.name, changes.description, changes.rules].some((one) => one !== undefined);
    const changesMore = changes.type !== undefined || changes.slowModeSeconds !== undefined;
    mustModerate(room, caller);
    if (changesMore) mustOwn(room, caller);
    if (changesTexts) await moderation.maySpeak(caller, tx);
  }

  return {
    /**
     * Changes a room, and has its members told unless the caller has exceeded the hourly limit.
     * @throws roomNotFound, roomHasHistory, insufficientPermissions, muted, changedMeanwhile
     */
    async update(
      roomId: ObjectId,
      { expectedUpdatedAt, ...changes }: RoomChanges & AsRead,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<{ room: RoomView; isAnnounced: boolean }> {
      const announce = telling.announcing('chatroom-changes', caller);
      const { updated: room, isAnnounced } = await database.transaction(async (tx) => {
        // A concurrent message or membership either waits for this lock or is visible here.
        const [before] = await store.lock(tx, [roomId]);
        if (!before) throw roomNotFound();
        await mayChange(tx, before, changes, caller);
        if (changes.type === 'public') await mayOpen(tx, before);
        const changed = changesOf(before, changes);
        // A save that changes nothing is not announced, and does not count towards the limit of announcements.
        if (changesNothing(changed)) return { updated: before, isAnnounced: true };
        mustBeAsRead(before, { expectedUpdatedAt });
        const updated = await store.update(roomId, changes, timeOfChange(clock, before), tx);
        await moderation.intervene(tx, actorOf(caller, facts), {
          kind: 'chatroom',
          subjectId: roomId,
          authorId: before.createdBy,
          action: 'changed',
          ...recordedOf(before, changed),
        });
        await events.publish(tx, roomChanged, { roomId });
        const isClosed = before.type === 'public' && changes.type !== undefined && changes.type !== 'public';
        // The name that staff replace may be the reason.
        const isRenamedByStaff = changed.name !== undefined && caller.userId !== before.createdBy;
        if (isClosed || (isRenamedByStaff && before.type === 'public'))
          await telling.withdrawOpening(tx, before);
        return { updated, isAnnounced: await announce(tx, before) };
      });
      if (!room) throw roomNotFound();
      // A public room may have become private, so that non-members lose access immediately.
      if (changes.type !== undefined && room.type !== 'public') await live.review(liveChannel.room(roomId));
      return { room: await view(room, caller), isAnnounced };
    },
    /** @throws roomNotFound, insufficientPermissions */
    async delete(loaded: Room, caller: UserCaller, facts: RequestFacts): Promise<void> {
      const { id: roomId } = loaded;
      const announce = telling.announcing('chatroom-deletions', caller);
      const actor = actorOf(caller, facts);
      await database.transaction(async (tx) => {
        // Before the lock, as verdicts do; who is no longer the owner under it is refused.
        if (caller.userId !== loaded.createdBy)
          await moderation.closeReports(tx, { kind: 'chatroom', subjectIds: [roomId] }, actor);
        const [room] = await store.lock(tx, [roomId]);
        if (!room) throw roomNotFound();
        mustOwn(room, caller);
        await store.delete(tx, roomId, clock.date());
        await moderation.intervene(tx, actor, {
          kind: 'chatroom',
          subjectId: roomId,
          authorId: room.createdBy,
          action: 'removed',
          ...recordedOf(room),
        });
        await events.publish(tx, roomChanged, { roomId });
        await announce(tx, room);
        if (room.type === 'public') await telling.withdrawOpening(tx, room);
      });
      await live.revoke(liveChannel.room(roomId), { reason: 'ROOM_DELETED' });
    },
  };
}

import type { Database } from '../../kernel/database/database.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live/live.ts';
import { only } from '../../kernel/only.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import type { Identity } from '../identity/contract.ts';
import { type AfterCommit, type Moderation, mutedTill } from '../moderation/contract.ts';
import type { Allowances } from './allowances.ts';
import { type MessageView, withAuthors } from './authors.ts';
import { roomNotFound } from './contract.ts';
import type { EarlierTextStore } from './earlier-texts.store.ts';
import { messageNotFound, tooManyEdits } from './failures.ts';
import { sendToRooms } from './live-messages.ts';
import type { MembershipStore } from './memberships.store.ts';
import { MAX_EDITS, type Message, REPORTABLE_DAYS } from './messages.model.ts';
import type { MessageStore } from './messages.store.ts';
import { isModerator, refusalOf } from './room-access.ts';
import type { Membership, Room } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';

interface MessageDeps {
  store: MessageStore;
  rooms: Pick<RoomStore, 'lock'>;
  members: Pick<MembershipStore, 'find'>;
  database: Database;
  live: Live;
  moderation: Pick<Moderation, 'mayApproach' | 'maySpeak' | 'intervene' | 'closeReports'>;
  take: Allowances;
  identity: Pick<Identity, 'profilesOf'>;
  earlier: Pick<EarlierTextStore, 'count' | 'keep'>;
  clock: Clock;
  newId: NewId;
}

interface Asked {
  roomId: ObjectId;
  id: ObjectId;
  caller: UserCaller;
}

/** The state against which a change is checked, read under the lock of the room. */
interface Found {
  message: Message;
  room: Room;
  membership: Membership | undefined;
  /** The event number of the change. */
  seq: number;
}

/** Returns the message as it is then; the same one if nothing has changed. */
type Work = (tx: Transaction, found: Found) => Promise<Message>;

/** Reading, editing and deleting messages. */
export function messageRules(deps: MessageDeps) {
  const { store, rooms, members, moderation, database, live, take, identity, earlier } = deps;
  const { clock, newId } = deps;

  /**
   * Changes a message under the lock of its room, and notifies the room. Access is checked again under the lock, which
   * bans and removals also take: once they have been answered, no earlier change can still take effect.
   */
  async function change(asked: Asked, work: Work): Promise<MessageView> {
    const { view, isChanged } = await database.transaction((tx) => changeIn(tx, asked, work));
    if (isChanged) await sendToRooms(live, [view]);
    return view;
  }

  async function changeIn(
    tx: Transaction,
    { roomId, id, caller }: Asked,
    work: Work,
  ): Promise<{ view: MessageView; isChanged: boolean }> {
    const [[room], [membership], message] = await Promise.all([
      rooms.lock(tx, [roomId]),
      members.find([{ roomId, userId: caller.userId }], tx),
      store.find(roomId, id, tx),
    ]);
    if (!room) throw roomNotFound();
    const refusal = refusalOf(room, membership, caller);
    if (refusal) throw refusal();
    if (!message) throw messageNotFound();
    const after = await work(tx, { message, room, membership, seq: room.lastSeq + 1 });
    return { view: only(await withAuthors(identity, [after], tx)), isChanged: after !== message };
  }

  /** Whether a message is the caller's own, or one in their own room. */
  const isOwnOf = ({ userId }: UserCaller, { message, room }: Found): boolean =>
    [message.userId, room.createdBy].includes(userId);

  const remove =
    (caller: UserCaller): Work =>
    async (tx, found) => {
      const { message, seq } = found;
      const isOwn = isOwnOf(caller, found);
      if (!isOwn && !isModerator(caller)) throw insufficientPermissions();
      const at = new Date(clock.now());
      await store.delete(tx, message, { by: caller.userId, isDecided: !isOwn, seq, at });
      return { ...message, changedSeq: seq, deletedAt: at };
    };

  /** Keeps what a message said before an edit, for reports of it. @throws tooManyEdits */
  async function keepEarlier(tx: Transaction, message: Message, at: Date): Promise<void> {
    const since = new Date(at.getTime() - REPORTABLE_DAYS * DAY_MS);
    if ((await earlier.count(tx, message.id, since)) >= MAX_EDITS) throw tooManyEdits();
    await earlier.keep(tx, newId(), message, at);
  }

  return {
    /**
     * Returns messages, newest first: a page, or those before or after a message.
     * @throws messageNotFound when that message is not in this room
     */
    async pageOf(
      roomId: ObjectId,
      request: PageRequest,
      { before, after }: { before?: ObjectId; after?: ObjectId },
    ): Promise<Page<MessageView>> {
      const cursor = before ?? after;
      if (cursor === undefined) {
        const { items, total } = await store.pageOf(roomId, request);
        return { ...request, items: await withAuthors(identity, items), total };
      }
      const [seq, total] = await Promise.all([store.seqOf(roomId, cursor), store.count(roomId)]);
      if (seq === undefined) throw messageNotFound();
      const place = before === undefined ? { after: seq } : { before: seq };
      const items = await store.nextTo(roomId, place, request.limit);
      return { page: 1, limit: request.limit, items: await withAuthors(identity, items), total };
    },
    /** @throws messageNotFound, insufficientPermissions except for the author, muted, blocked, tooManyMessages, tooManyEdits */
    async edit(roomId: ObjectId, id: ObjectId, text: string, caller: UserCaller): Promise<MessageView> {
      await take('edit', caller.userId);
      return change({ roomId, id, caller }, async (tx, { message, room, membership, seq }) => {
        if (message.userId !== caller.userId) throw insufficientPermissions();
        const at = new Date(clock.now());
        await moderation.maySpeak(caller, tx);
        if (!membership?.isMember) await moderation.mayApproach(room.createdBy, caller.userId, tx);
        if (membership?.mutedUntil && membership.mutedUntil > at && !isModerator(caller))
          throw mutedTill(membership.mutedUntil);
        // The same text is no change, of which nobody need be told.
        if (text === message.message) return message;
        await keepEarlier(tx, message, at);
        await store.edit(tx, message, { text, seq, at });
        return { ...message, message: text, changedSeq: seq, editedAt: at };
      });
    },
    /**
     * Deletes a message. That a moderator deletes one of another member in a room of another member is recorded, and its author
     * is notified.
     * @throws messageNotFound, insufficientPermissions except for the author, the room's creator and moderators
     */
    async delete(
      roomId: ObjectId,
      id: ObjectId,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<MessageView> {
      const { view: deleted } = await database.transaction(async (tx) => {
        if (isModerator(caller))
          await moderation.closeReports(tx, { kind: 'message', subjectIds: [id] }, actorOf(caller, facts));
        return changeIn(tx, { roomId, id, caller }, async (_, found) => {
          const removed = await remove(caller)(tx, found);
          const { userId: authorId } = removed;
          const intervention = { kind: 'message', subjectId: id, authorId, action: 'removed' } as const;
          if (!isOwnOf(caller, found)) await moderation.intervene(tx, actorOf(caller, facts), intervention);
          return removed;
        });
      });
      await sendToRooms(live, [deleted]);
      return deleted;
    },
    /**
     * Deletes a message of any room in a transaction, if it still exists; returns what tells its room.
     * @throws as {@link change}
     */
    async removeIn(tx: Transaction, id: ObjectId, caller: UserCaller): Promise<AfterCommit | undefined> {
      const found = await store.findAnywhere(id, tx);
      if (!found) return undefined;
      const { view } = await changeIn(tx, { roomId: found.roomId, id, caller }, remove(caller));
      return () => sendToRooms(live, [view]);
    },
  };
}

export type MessageRules = ReturnType<typeof messageRules>;

import type { FailureMaker } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import type { Place, Reportable } from '../moderation/contract.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import { messageNotFound } from './failures.ts';
import type { MembershipStore } from './memberships.store.ts';
import { type EverMessage, REPORTABLE_DAYS } from './messages.model.ts';
import type { MessageStore } from './messages.store.ts';
import type { MessageRules } from './messages.ts';
import { isModerator, refusalOf } from './room-access.ts';
import type { EverRoom, Membership } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import type { SurroundingsStore } from './surroundings.store.ts';

interface ReportableDeps {
  store: Pick<MessageStore, 'findEver'>;
  rooms: Pick<RoomStore, 'findEver'>;
  members: Pick<MembershipStore, 'find'>;
  clock: Clock;
}

/** A message that a member may report; they may no longer read all of these. */
export interface FoundMessage {
  message: EverMessage;
  isReadable: boolean;
}

/** Finds messages as a member may report them. */
export function messagesToReport({ store, rooms, members, clock }: ReportableDeps) {
  /** Returns why a member cannot read a message of a room; undefined if they can. */
  function unreadable(
    { deletedAt }: EverMessage,
    room: EverRoom | undefined,
    membership: Membership | undefined,
    reader: UserCaller,
  ): FailureMaker | undefined {
    if (!room || room.deletedAt) return roomNotFound;
    return refusalOf(room, membership, reader) ?? (deletedAt ? messageNotFound : undefined);
  }

  /**
   * Whether somebody may have read a message before it was out of their reach: their author could otherwise delete the message
   * or the room, or drive them out of it, before they report. What a moderator has deleted is decided.
   */
  function wasReadable(
    { createdAt, userId, deletedBy }: EverMessage,
    room: EverRoom,
    membership: Membership | undefined,
    reader: UserCaller,
  ): boolean {
    if (createdAt.getTime() <= clock.now() - REPORTABLE_DAYS * DAY_MS) return false;
    if (deletedBy !== null && deletedBy !== userId && deletedBy !== room.createdBy) return false;
    const wasPublic = room.publicUntil !== null && createdAt <= room.publicUntil;
    return room.type === 'public' || wasPublic || membership !== undefined || isModerator(reader);
  }

  /** @throws roomNotFound, notMember, banned, messageNotFound */
  return async (id: ObjectId, reporter: UserCaller): Promise<FoundMessage> => {
    const message = await store.findEver(id);
    if (!message) throw messageNotFound();
    const [room, [membership]] = await Promise.all([
      rooms.findEver(message.roomId),
      members.find([{ roomId: message.roomId, userId: reporter.userId }]),
    ]);
    const refusal = unreadable(message, room, membership, reporter);
    if (!refusal) return { message, isReadable: true };
    if (!room || !wasReadable(message, room, membership, reporter)) throw refusal();
    return { message, isReadable: false };
  };
}

export type MessagesToReport = ReturnType<typeof messagesToReport>;

interface ReportableMessageDeps {
  find: MessagesToReport;
  messages: MessageRules;
  surroundings: SurroundingsStore;
  rooms: Pick<RoomStore, 'findEver'>;
  members: Pick<MembershipStore, 'find'>;
}

/** Makes messages reportable by every member who may read them, or may have read them until lately. */
export function reportableMessages(deps: ReportableMessageDeps): Reportable {
  const { find, messages, surroundings, rooms, members } = deps;
  return {
    kind: 'message',
    failures: [roomNotFound, notMember, banned],
    find: async (id, reporter) => {
      const { message } = await find(id, reporter);
      return { authorId: message.userId, text: message.message, containerId: message.roomId };
    },
    remove: (tx, id, moderator) => messages.removeIn(tx, id, moderator),
    around: async ({ subjectId, containerId: roomId }, { userId }, sides) => {
      const [room, [membership], entries] = await Promise.all([
        rooms.findEver(roomId),
        members.find([{ roomId, userId }]),
        surroundings.of(subjectId, roomId, sides),
      ]);
      return {
        place: room ? placeOf(room) : null,
        entries,
        isClosed: room?.type !== 'public' && !membership?.isMember,
      };
    },
  };
}

const placeOf = ({ id, name, description, type, createdBy }: EverRoom): Place => ({
  kind: 'chatroom',
  id,
  name,
  text: description,
  type,
  authorId: createdBy,
});

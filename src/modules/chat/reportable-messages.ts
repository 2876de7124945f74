import type { FailureMaker } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import type { Place, Reportable } from '../moderation/contract.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import type { EarlierText, EarlierTextStore } from './earlier-texts.store.ts';
import { messageNotFound } from './failures.ts';
import type { MembershipStore } from './memberships.store.ts';
import { type EverMessage, MAX_EDITS, REPORTABLE_DAYS } from './messages.model.ts';
import type { MessageStore } from './messages.store.ts';
import type { MessageRules } from './messages.ts';
import { refusalOf, refusalOfMember } from './room-access.ts';
import type { EverRoom, Membership } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import type { SurroundingsStore } from './surroundings.store.ts';

interface ReportableDeps {
  store: Pick<MessageStore, 'findEver'>;
  rooms: Pick<RoomStore, 'findEver'>;
  members: Pick<MembershipStore, 'find'>;
  earlier: Pick<EarlierTextStore, 'of'>;
  clock: Clock;
}

/** A message that a member may report; they may no longer read all of these. */
export interface FoundMessage {
  message: EverMessage;
  /** What it said before it was edited, as long as that is kept. */
  earlierTexts: EarlierText[];
  isReadable: boolean;
}

/** Whether staff has deleted a message, so that it is not up to a report any more. */
const isDecided = ({ isDecided: is, deletedBy, userId }: EverMessage, room: EverRoom): boolean =>
  is ?? (deletedBy !== null && deletedBy !== userId && deletedBy !== room.createdBy);

/** Finds messages as a member may report them. */
export function messagesToReport({ store, rooms, members, earlier, clock }: ReportableDeps) {
  const reportableSince = () => new Date(clock.now() - REPORTABLE_DAYS * DAY_MS);

  /**
   * Returns why a member cannot read a message of a room; undefined if they can. Staff who are not in a room that is not public
   * are members like others here: a report has the text, and would be a way of reading that nobody records.
   */
  function unreadable(
    { deletedAt }: EverMessage,
    room: EverRoom | undefined,
    membership: Membership | undefined,
    reader: UserCaller,
  ): FailureMaker | undefined {
    if (!room || room.deletedAt) return roomNotFound;
    const refusal =
      room.type === 'public' ? refusalOf(room, membership, reader) : refusalOfMember(room, membership);
    return refusal ?? (deletedAt ? messageNotFound : undefined);
  }

  /**
   * Whether somebody may have read a message before it was out of their reach: their author could otherwise delete the message
   * or the room, or drive them out of it, before they report. What a moderator has deleted is decided.
   */
  function wasReadable(message: EverMessage, room: EverRoom, membership: Membership | undefined): boolean {
    const { createdAt } = message;
    if (createdAt <= reportableSince() || isDecided(message, room)) return false;
    const wasPublic = room.publicUntil !== null && createdAt <= room.publicUntil;
    return room.type === 'public' || wasPublic || membership !== undefined;
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
    if (refusal && (!room || !wasReadable(message, room, membership))) throw refusal();
    // Read after the message, so that a text that is replaced meanwhile is not missing.
    const earlierTexts = await earlier.of(id, reportableSince(), MAX_EDITS);
    return { message, earlierTexts, isReadable: refusal === undefined };
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
      const { message, earlierTexts } = await find(id, reporter);
      const { userId: authorId, message: text, roomId: containerId } = message;
      return { authorId, text, containerId, earlierTexts };
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

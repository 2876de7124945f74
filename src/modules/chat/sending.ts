import { batching } from '../../kernel/concurrency/batching.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { Failure, serviceUnavailable } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live/live.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import {
  AlreadyProcessed,
  type RecordedAnswer,
  type StoredResponse,
  saveResponses,
} from '../../kernel/records/idempotency.ts';
import { digestOf } from '../../kernel/secrets.ts';
import { type Clock, SECOND_MS } from '../../kernel/time/time.ts';
import { type Identity, type Profile, profileLookup } from '../identity/contract.ts';
import { type BlockPair, blocked, type Moderation, mutedTill } from '../moderation/contract.ts';
import type { Allowances } from './allowances.ts';
import { authorOf, type MessageView } from './authors.ts';
import { banned, messageSent, notMember, roomNotFound } from './contract.ts';
import { messageIdReused, slowMode } from './failures.ts';
import { sendToRooms } from './live-messages.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { Message } from './messages.model.ts';
import type { MessageStore } from './messages.store.ts';
import type { Membership, Room } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import type { WaitingMessages } from './waiting.ts';

const MAX_PER_JOB = 200;

export interface Draft {
  roomId: ObjectId;
  userId: ObjectId;
  message: string;
  /** Id chosen by the client; identifies retries of the same message. */
  clientId: string | null;
  /** Moderators are exempt from muting and slow mode. */
  isModerator: boolean;
  /** Saves the answer of a request in the transaction of the message. */
  answering?: RecordedAnswer<Sent>;
}

interface Sent extends MessageView {
  /** True for a retry of an earlier message; nothing was inserted. */
  isRepeated: boolean;
}

interface SendingDeps {
  rooms: Pick<RoomStore, 'lock'>;
  members: Pick<MembershipStore, 'find' | 'join'>;
  messages: MessageStore;
  moderation: Pick<Moderation, 'blocksAmong' | 'mutedAmong'>;
  identity: Pick<Identity, 'profilesOf'>;
  database: Database;
  events: Events;
  /** Has members who are elsewhere told; see {@link WaitingMessages}. */
  tellIn: WaitingMessages['tellIn'];
  take: Allowances;
  live: Live;
  clock: Clock;
  newId: NewId;
}

/** The data by which a batch of drafts is checked. */
interface BatchState {
  rooms: Map<ObjectId, Room>;
  memberships: Map<string, Membership>;
  repeated: Map<string, Message>;
  profileOf: (userId: ObjectId) => Profile;
  /** Non-members whom the creator of a room has blocked. */
  blocked: Set<string>;
  /** Members who are muted in every room. */
  mutedEverywhere: ReadonlyMap<ObjectId, Date>;
  /** Times of the latest messages within this batch, by room and member. */
  sentAt: Map<string, Date>;
}

const keyOf = ({ roomId, userId }: { roomId: ObjectId; userId: ObjectId }): string => roomId + userId;
const blockKeyOf = ({ blockerId, blockedId }: BlockPair): string => blockerId + blockedId;
const clientKeyOf = (one: Pick<Draft, 'roomId' | 'userId' | 'clientId'>): string => keyOf(one) + one.clientId;

/**
 * Sends messages. Concurrent ones share a transaction (like transfers of Keys); each is checked individually. A message
 * is acknowledged after its commit and the notification of connected clients.
 */
export function sending(deps: SendingDeps) {
  const { rooms, members, messages, moderation, identity, database, events, tellIn, take, live } = deps;
  const { clock, newId } = deps;

  /** Returns the non-members whom the creator of a room has blocked; blocked members have already been removed. */
  async function blockedNonMembers(
    tx: Transaction,
    drafts: Draft[],
    { rooms, memberships }: Pick<BatchState, 'rooms' | 'memberships'>,
  ): Promise<Set<string>> {
    const pairs = drafts
      .filter((draft) => !memberships.get(keyOf(draft))?.isMember)
      .flatMap(({ roomId, userId }) => {
        const room = rooms.get(roomId);
        return room ? [{ blockerId: room.createdBy, blockedId: userId }] : [];
      });
    if (pairs.length === 0) return new Set();
    return new Set((await moderation.blocksAmong(pairs, tx)).map(blockKeyOf));
  }

  async function loadBatch(tx: Transaction, drafts: Draft[]): Promise<BatchState> {
    const roomIds = [...new Set(drafts.map(({ roomId }) => roomId))].sort();
    const named = drafts.filter(({ clientId }) => clientId !== null);
    const [locked, memberships, repeated, profileOf, mutedEverywhere] = await Promise.all([
      rooms.lock(tx, roomIds),
      members.find(drafts, tx),
      named.length > 0 ? messages.byClientId(tx, named) : [],
      profileLookup(
        identity,
        drafts.map(({ userId }) => userId),
        tx,
      ),
      moderation.mutedAmong([...new Set(drafts.map(({ userId }) => userId))], tx),
    ]);
    const known = {
      rooms: new Map(locked.map((room) => [room.id, room])),
      memberships: new Map(memberships.map((one) => [keyOf(one), one])),
    };
    return {
      ...known,
      profileOf,
      mutedEverywhere,
      blocked: await blockedNonMembers(tx, drafts, known),
      repeated: new Map(repeated.map((one) => [clientKeyOf(one), one])),
      sentAt: new Map(),
    };
  }

  async function sendTogether(drafts: Draft[]): Promise<(Sent | Failure)[]> {
    const at = new Date(clock.now());
    const { outcomes, added, onCommit } = await database.transaction(async (tx) => {
      const known = await loadBatch(tx, drafts);
      const outcomes = drafts.map((draft) => decide(draft, known, at, newId));
      const added = outcomes.filter((one): one is Sent => !(one instanceof Failure) && !one.isRepeated);
      const strangers = added.filter((one) => !known.memberships.get(keyOf(one))?.isMember);
      const slowed = added.filter(({ roomId }) => known.rooms.get(roomId)?.slowModeSeconds);
      if (added.length > 0) messages.insert(tx, added, at);
      const eventData = added.map(({ id: messageId, roomId, userId }) => ({ messageId, roomId, userId }));
      await events.publish(tx, messageSent, ...eventData);
      const sentIn = new Set(added.map(({ roomId }) => known.rooms.get(roomId) as Room));
      const onCommit = await tellIn(tx, [...sentIn]);
      if (strangers.length > 0) await members.join(tx, strangers, at);
      if (slowed.length > 0) messages.touch(tx, slowed, at);
      await saveResponses(
        tx,
        drafts.map((draft, place) => recordOf(draft, outcomes[place] as Sent | Failure)),
      );
      return { outcomes, added, onCommit };
    });
    onCommit();
    await sendToRooms(live, added);
    return outcomes;
  }

  const send = batching<Draft, Sent>(
    async (drafts) => {
      try {
        return await sendTogether(drafts);
      } catch (error) {
        if (!(error instanceof AlreadyProcessed) || drafts.length === 1) throw error;
      }
      // Another process has answered one of these requests. Sent one by one, the others succeed.
      const outcomes: (Sent | Error)[] = [];
      for (const draft of drafts)
        outcomes.push(...(await sendTogether([draft]).catch((error): Error[] => [error])));
      return outcomes;
    },
    // A single lane keeps messages in the order they were sent.
    { maxSize: MAX_PER_JOB, concurrency: 1, maxQueued: 5_000, onOverflow: serviceUnavailable },
  );

  /** @throws roomNotFound, notMember, banned, blocked, muted, slowMode, tooManyMessages, messageIdReused */
  return async (draft: Draft): Promise<Sent> => {
    await take('message', draft.userId);
    return send(draft);
  };
}

/** Returns the record of what is answered to a request with a key; undefined for others, and for what is refused. */
const recordOf = ({ answering }: Draft, outcome: Sent | Failure): StoredResponse | undefined =>
  outcome instanceof Failure ? undefined : answering?.idempotency.record(() => answering.of(outcome));

/** Assigns a message its event number, unless it is rejected or a retry; updates `known` for the rest of the batch. */
function decide(draft: Draft, known: BatchState, at: Date, newId: NewId): Sent | Failure {
  const { roomId, userId, message, clientId } = draft;
  const accessFailure = accessFailureOf(draft, known);
  if (accessFailure) return accessFailure;
  const user = authorOf(known.profileOf(userId));
  // A retry is acknowledged again even if its author may no longer write.
  const before = clientId === null ? undefined : known.repeated.get(clientKeyOf(draft));
  if (before) return isAsSent(before, message) ? repeatedOf({ ...before, user }, message) : messageIdReused();
  const refusal = writeFailureOf(draft, known, at);
  if (refusal) return refusal;
  const room = known.rooms.get(roomId) as Room;
  const seq = ++room.lastSeq;
  const sent: Message = {
    id: newId(),
    roomId,
    userId,
    message,
    clientId,
    seq,
    changedSeq: seq,
    createdAt: at,
    editedAt: null,
    deletedAt: null,
    sentDigest: null,
  };
  if (clientId !== null) known.repeated.set(clientKeyOf(draft), sent);
  known.sentAt.set(keyOf(draft), at);
  return { ...sent, user, isRepeated: false };
}

/** Returns whether a message was originally sent with this text, even if it was edited since. */
function isAsSent({ message, editedAt, sentDigest }: Message, text: string): boolean {
  if (editedAt === null) return message === text;
  // Messages edited before the digest was introduced have none, and match any text.
  return sentDigest === null || sentDigest.equals(digestOf(text));
}

/**
 * Returns the stored message for a retry. If it was deleted, returns the text of the retry instead, so as to reveal
 * nothing.
 */
const repeatedOf = (before: MessageView, text: string): Sent => ({
  ...before,
  message: before.deletedAt ? text : before.message,
  isRepeated: true,
});

/** Returns the reason why the author has no access to the room; undefined if they have. */
function accessFailureOf(
  draft: Draft,
  { rooms, memberships, blocked: blocks }: BatchState,
): Failure | undefined {
  const room = rooms.get(draft.roomId);
  if (!room) return roomNotFound();
  const membership = memberships.get(keyOf(draft));
  if (membership?.bannedAt) return banned();
  if (membership?.isMember) return undefined;
  // First, because who is not let into a private room does not learn who has blocked them.
  if (room.type !== 'public') return notMember();
  return blocks.has(room.createdBy + draft.userId) ? blocked() : undefined;
}

/** Returns the reason why the author may not write now; undefined if they may. */
function writeFailureOf(
  draft: Draft,
  { rooms, memberships, sentAt, mutedEverywhere }: BatchState,
  at: Date,
): Failure | undefined {
  const room = rooms.get(draft.roomId) as Room;
  const membership = memberships.get(keyOf(draft));
  if (draft.isModerator) return undefined;
  const everywhere = mutedEverywhere.get(draft.userId);
  if (everywhere) return mutedTill(everywhere);
  if (room.createdBy === draft.userId) return undefined;
  if (membership?.mutedUntil && membership.mutedUntil > at) return mutedTill(membership.mutedUntil);
  const lastSentAt = sentAt.get(keyOf(draft)) ?? membership?.lastSentAt;
  const sinceMs = lastSentAt ? at.getTime() - lastSentAt.getTime() : Infinity;
  const waitMs = room.slowModeSeconds * SECOND_MS - sinceMs;
  return waitMs > 0 ? slowMode(Math.ceil(waitMs / SECOND_MS)) : undefined;
}

export type Send = ReturnType<typeof sending>;

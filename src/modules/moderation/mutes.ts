import type { Core } from '../../kernel/core.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { changedMeanwhile } from '../../kernel/operations/lost-updates.ts';
import { type Actor, changesNothing, changesOf } from '../../kernel/records/audit.ts';
import { instantOf, MINUTE_MS } from '../../kernel/time/time.ts';
import { type Identity, userNotFound } from '../identity/contract.ts';
import { memberMuted, mutedTill } from './contract.ts';
import { muteChanged } from './moderation.live.ts';
import type { Mute, MuteStore } from './mutes.store.ts';

export const staffNotMuted = failure(
  409,
  'STAFF_NOT_MUTED',
  'Administrators and moderators cannot be muted; take their permission first',
);

interface MuteDeps extends Pick<Core, 'database' | 'events' | 'audit' | 'live' | 'clock'> {
  store: MuteStore;
  identity: Pick<Identity, 'permissionsOf'>;
}

const STAFF = ['admin', 'moderator'];

interface MuteChange {
  /** For how long; null to end it. */
  minutes: number | null;
  deletesMessages?: boolean;
  /** Until when the moderator believes that they are muted, null if they are not; undefined to replace any mute. */
  expected?: Date | null | undefined;
}

/** A mute as moderators ask for it. */
interface MuteDraft {
  minutes: number;
  deleteMessages?: boolean;
  /** As in {@link MuteChange}. */
  expectedMutedUntil?: string | null;
}

const notOver = (until: Date | null | undefined, at: Date): Date | null =>
  until && until > at ? until : null;

const isAsSeen = (now: Date | null, expected: MuteChange['expected'], at: Date): boolean =>
  expected === undefined || now?.getTime() === notOver(expected, at)?.getTime();

/** Whether a request whose answer was lost has come again: it replaces what it has set. */
const isRepetition = (mute: Mute | undefined, minutes: number | null, { actor }: Actor): boolean =>
  mute?.mutedBy === actor && (mute.mutedUntil.getTime() - mute.mutedAt.getTime()) / MINUTE_MS === minutes;

/** Members who are muted everywhere for a while: they may write in no room, and neither posts nor comments. */
export function muteRules({ store, identity, database, events, audit, live, clock }: MuteDeps) {
  /** Sets or ends the mute of a member; returns until when they were and are muted. */
  async function changeIn(
    tx: Transaction,
    userId: ObjectId,
    { minutes, deletesMessages = false, expected }: MuteChange,
    actor: Actor,
  ) {
    // Locks the member, so that two who mute somebody who is not muted are judged one after the other.
    const permissions = await identity.permissionsOf(userId, tx);
    if (!permissions) throw userNotFound();
    if (minutes !== null && permissions.some((one) => STAFF.includes(one))) throw staffNotMuted();
    const at = clock.date();
    const mutedUntil = minutes === null ? null : new Date(at.getTime() + minutes * MINUTE_MS);
    const mute = await store.lock(tx, userId);
    const before = notOver(mute?.mutedUntil, at);
    if (!isAsSeen(before, expected, at) && !isRepetition(mute, minutes, actor)) throw changedMeanwhile();
    await store.set(tx, userId, { mutedUntil, by: actor.actor, at });
    const changes = changesOf({ mutedUntil: before }, { mutedUntil });
    if (changesNothing(changes) && !deletesMessages) return { before, mutedUntil, isChanged: false };
    await audit.record(tx, {
      ...actor,
      action: mutedUntil ? 'user.muted' : 'user.unmuted',
      target: userId,
      changes,
      details: deletesMessages ? { deletesMessages } : {},
    });
    if (mutedUntil) await events.publish(tx, memberMuted, { userId, by: actor.actor, deletesMessages });
    return { before, mutedUntil, isChanged: true };
  }

  /** The same in a transaction, after which the member's connections are told. @throws userNotFound, staffNotMuted, changedMeanwhile */
  async function change(userId: ObjectId, changes: MuteChange, actor: Actor) {
    const changed = await database.transaction((tx) => changeIn(tx, userId, changes, actor));
    const { mutedUntil, isChanged } = changed;
    const reason = actor.reason ?? null;
    if (isChanged) await live.send(liveChannel.user(userId), [muteChanged({ userId, mutedUntil, reason })]);
    return changed;
  }

  return {
    mutedAmong: (userIds: ObjectId[], queries?: Queries): Promise<Map<ObjectId, Date>> =>
      store.among(userIds, clock.date(), queries),

    /** @throws muted; administrators and moderators never are */
    async maySpeak(caller: UserCaller, queries?: Queries): Promise<void> {
      if (holds(caller, 'moderator')) return;
      const until = (await store.among([caller.userId], clock.date(), queries)).get(caller.userId);
      if (until) throw mutedTill(until);
    },

    /** @throws userNotFound, staffNotMuted, changedMeanwhile */
    async mute(
      userId: ObjectId,
      { minutes, deleteMessages = false, expectedMutedUntil }: MuteDraft,
      actor: Actor,
    ) {
      const expected =
        typeof expectedMutedUntil === 'string' ? instantOf(expectedMutedUntil) : expectedMutedUntil;
      const asked = { minutes, deletesMessages: deleteMessages, expected };
      const { mutedUntil } = await change(userId, asked, actor);
      return { userId, mutedUntil };
    },

    /** Ends a mute; idempotent. Returns until when it would have lasted, null if there was none. @throws userNotFound */
    async unmute(userId: ObjectId, actor: Actor) {
      const { before } = await change(userId, { minutes: null }, actor);
      return { userId, mutedUntil: null, wasMutedUntil: before };
    },
  };
}

export type MuteRules = ReturnType<typeof muteRules>;

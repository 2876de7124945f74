import type { Core } from '../../kernel/core.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Actor, changesNothing, changesOf } from '../../kernel/records/audit.ts';
import { MINUTE_MS } from '../../kernel/time/time.ts';
import { type Identity, userNotFound } from '../identity/contract.ts';
import { memberMuted, mutedTill } from './contract.ts';
import { muteChanged } from './moderation.live.ts';
import type { MuteStore } from './mutes.store.ts';

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

/** Members who are muted everywhere for a while: they may write in no room, and neither posts nor comments. */
export function muteRules({ store, identity, database, events, audit, live, clock }: MuteDeps) {
  /**
   * Sets or ends the mute of a member, and notifies their connections; returns until when they were muted before.
   * @throws userNotFound, staffNotMuted
   */
  async function change(
    userId: ObjectId,
    { mutedUntil, deletesMessages }: { mutedUntil: Date | null; deletesMessages: boolean },
    actor: Actor,
  ): Promise<Date | null> {
    const { before, isChanged } = await database.transaction(async (tx) => {
      const permissions = await identity.permissionsOf(userId, tx);
      if (!permissions) throw userNotFound();
      if (mutedUntil && permissions.some((one) => STAFF.includes(one))) throw staffNotMuted();
      const at = clock.date();
      const before = await store.set(tx, userId, { mutedUntil, by: actor.actor, at });
      const changes = changesOf({ mutedUntil: before }, { mutedUntil });
      if (changesNothing(changes) && !deletesMessages) return { before, isChanged: false };
      await audit.record(tx, {
        ...actor,
        action: mutedUntil ? 'user.muted' : 'user.unmuted',
        target: userId,
        changes,
        details: deletesMessages ? { deletesMessages } : {},
      });
      if (mutedUntil) await events.publish(tx, memberMuted, { userId, by: actor.actor, deletesMessages });
      return { before, isChanged: true };
    });
    if (!isChanged) return before;
    const reason = actor.reason ?? null;
    await live.send(liveChannel.user(userId), [muteChanged({ userId, mutedUntil, reason })]);
    return before;
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

    /** @throws userNotFound, staffNotMuted */
    async mute(
      userId: ObjectId,
      { minutes, deleteMessages = false }: { minutes: number; deleteMessages?: boolean },
      actor: Actor,
    ) {
      const mutedUntil = new Date(clock.now() + minutes * MINUTE_MS);
      await change(userId, { mutedUntil, deletesMessages: deleteMessages }, actor);
      return { userId, mutedUntil };
    },

    /** Ends a mute; idempotent. Returns until when it would have lasted, null if there was none. @throws userNotFound */
    async unmute(userId: ObjectId, actor: Actor) {
      const wasMutedUntil = await change(userId, { mutedUntil: null, deletesMessages: false }, actor);
      return { userId, mutedUntil: null, wasMutedUntil };
    },
  };
}

export type MuteRules = ReturnType<typeof muteRules>;

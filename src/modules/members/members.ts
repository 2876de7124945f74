import { validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Identity, type Member, memberOf, userNotFound } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import { MAX_IDS, type SeenMember } from './members.schemas.ts';

export interface MemberDeps {
  identity: Pick<Identity, 'profilesOf'>;
  moderation: Pick<Moderation, 'blocksAmong' | 'partedFrom' | 'mutedAmong'>;
}

/** Lookups of members by other members. Deleted members, and those behind a block in either direction, are absent. */
export function memberRules({ identity, moderation }: MemberDeps) {
  /** Returns the members visible to the caller, in the order of these ids, each once. @throws 422 for too many ids */
  async function visibleTo(caller: UserCaller, ids: ObjectId[]): Promise<Member[]> {
    if (ids.length > MAX_IDS)
      throw validationFailed([{ field: 'ids', message: `must have at most ${MAX_IDS} items` }]);
    const wanted = [...new Set(ids)];
    const [profiles, blocks] = await Promise.all([
      identity.profilesOf(wanted),
      moderation.blocksAmong(
        wanted.flatMap((id) => [
          { blockerId: caller.userId, blockedId: id },
          { blockerId: id, blockedId: caller.userId },
        ]),
      ),
    ]);
    const apart = new Set(blocks.flatMap(({ blockerId, blockedId }) => [blockerId, blockedId]));
    apart.delete(caller.userId);
    const known = new Map(profiles.map((profile) => [profile.userId, profile]));
    return wanted.flatMap((id) => {
      const profile = known.get(id);
      return profile === undefined || apart.has(id) ? [] : [memberOf(profile)];
    });
  }

  return {
    visibleTo,
    /** Returns those whom {@link visibleTo} keeps from the caller because of a block. */
    hiddenFrom: ({ userId }: UserCaller): Promise<ObjectId[]> => moderation.partedFrom(userId),
    /**
     * Returns a member whom the caller may see; administrators and moderators see everybody, so that a block keeps nobody from
     * their work, and until when somebody is muted everywhere. @throws userNotFound
     */
    async get(caller: UserCaller, id: ObjectId): Promise<SeenMember> {
      const isStaff = holds(caller, 'moderator');
      const [found] = isStaff
        ? (await identity.profilesOf([id])).map(memberOf)
        : await visibleTo(caller, [id]);
      if (!found) throw userNotFound();
      if (!isStaff) return found;
      return { ...found, mutedUntil: (await moderation.mutedAmong([id])).get(id) ?? null };
    },
  };
}
export type MemberRules = ReturnType<typeof memberRules>;

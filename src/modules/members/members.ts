import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Identity, type MemberCard, userNotFound } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Member } from './members.schemas.ts';

interface MemberDeps {
  identity: Pick<Identity, 'cardsOf'>;
  moderation: Pick<Moderation, 'blocksAmong'>;
}

/** How members learn who other members are. Deleted members and those behind a block, in either direction, are absent. */
export function memberRules({ identity, moderation }: MemberDeps) {
  /** Returns the members that the caller may see, in the order of these ids, each once. */
  async function visibleTo(caller: UserCaller, ids: ObjectId[]): Promise<Member[]> {
    const wanted = [...new Set(ids)];
    const [cards, blocks] = await Promise.all([
      identity.cardsOf(wanted),
      moderation.blocksAmong(
        wanted.flatMap((id) => [
          { blockerId: caller.userId, blockedId: id },
          { blockerId: id, blockedId: caller.userId },
        ]),
      ),
    ]);
    const apart = new Set(blocks.flatMap(({ blockerId, blockedId }) => [blockerId, blockedId]));
    apart.delete(caller.userId);
    const known = new Map(cards.map((card) => [card.userId, card]));
    return wanted.flatMap((id) => {
      const card = known.get(id);
      return card === undefined || card.isDeleted || apart.has(id) ? [] : [memberOf(card)];
    });
  }

  return {
    visibleTo,
    /** @throws userNotFound */
    async get(caller: UserCaller, id: ObjectId): Promise<Member> {
      const [found] = await visibleTo(caller, [id]);
      if (!found) throw userNotFound();
      return found;
    },
  };
}
export type MemberRules = ReturnType<typeof memberRules>;

const memberOf = ({ userId, firstName, lastName, username, profile, permissions }: MemberCard): Member => ({
  id: userId,
  name: `${firstName} ${lastName}`.trim(),
  username,
  avatar: (profile.profileImage as string | null | undefined) ?? null,
  isEducator: permissions.includes('educator'),
});

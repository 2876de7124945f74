import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Identity, type Member, userNotFound, withMembers } from '../identity/contract.ts';
import type { BanStore } from './bans.store.ts';
import type { Banned, Community } from './community.model.ts';
import type { CommunityStore } from './community.store.ts';
import { bannedFromCommunity, communityNotFound, creatorNotBanned } from './failures.ts';

interface BanDeps extends Pick<Core, 'database' | 'clock'> {
  store: BanStore;
  communities: Pick<CommunityStore, 'leave'>;
  identity: Pick<Identity, 'keep' | 'profilesOf'>;
}

/** Bans from communities, by their creators and by moderators. */
export function banRules({ store, communities, identity, database, clock }: BanDeps) {
  /** Serializes joining and banning of one member: a ban would otherwise not see who joins at the same time. */
  const lock = (tx: Transaction, communityId: ObjectId, userId: ObjectId): Promise<void> =>
    tx.lock('community.standing', communityId + userId);

  return {
    /** Makes sure that a member is not banned until the transaction ends. @throws bannedFromCommunity */
    async mayJoin(tx: Transaction, communityId: ObjectId, userId: ObjectId): Promise<void> {
      await lock(tx, communityId, userId);
      if (await store.isBanned(tx, communityId, userId)) throw bannedFromCommunity();
    },
    /** Removes a member, who cannot join again; idempotent. @throws creatorNotBanned, userNotFound, communityNotFound */
    async ban({ id, createdBy }: Community, userId: ObjectId): Promise<void> {
      if (userId === createdBy) throw creatorNotBanned();
      await database.transaction(async (tx) => {
        if (!(await identity.keep(tx, userId))) throw userNotFound();
        await lock(tx, id, userId);
        // Posting locks the membership before the community, too.
        await communities.leave(id, userId, tx);
        if (!(await store.insert(tx, id, userId, clock.date()))) throw communityNotFound();
      });
    },
    /** Lifts a ban, after which the member may join again; idempotent. */
    unban: ({ id }: Community, userId: ObjectId): Promise<void> => store.delete(id, userId),
    async pageOf({ id }: Community, request: PageRequest): Promise<Page<Banned & { user: Member }>> {
      const page = await store.pageOf(id, request);
      return { ...page, items: await withMembers(identity, page.items) };
    },
  };
}

export type BanRules = ReturnType<typeof banRules>;

import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type Identity, type Member, userNotFound, withMembers } from '../identity/contract.ts';
import type { BanStore } from './bans.store.ts';
import type { Banned, Community } from './community.model.ts';
import type { CommunityStore } from './community.store.ts';
import { bannedFromCommunity, communityNotFound, creatorNotBanned } from './failures.ts';

interface BanDeps extends Pick<Core, 'database' | 'audit' | 'clock'> {
  store: BanStore;
  communities: Pick<CommunityStore, 'leave'>;
  identity: Pick<Identity, 'keep' | 'profilesOf'>;
}

/** Who acts on a member of a community. */
interface By {
  caller: UserCaller;
  facts: RequestFacts;
}

/** Bans from communities, by their creators and by moderators. */
export function banRules({ store, communities, identity, audit, database, clock }: BanDeps) {
  /** Serializes joining and banning of one member: a ban would otherwise not see who joins at the same time. */
  const lock = (tx: Transaction, communityId: ObjectId, userId: ObjectId): Promise<void> =>
    tx.lock('community.standing', communityId + userId);

  /** Records what staff does to somebody in the community of another member. */
  async function record(
    tx: Transaction,
    { id: target, createdBy: authorId }: Community,
    { action, userId }: { action: 'banned' | 'unbanned'; userId: ObjectId },
    { caller, facts }: By,
  ): Promise<void> {
    if (caller.userId === authorId) return;
    const entry = { ...actorOf(caller, facts), action: `community.member-${action}`, target };
    await audit.record(tx, { ...entry, details: { userId, authorId } });
  }

  return {
    /** Makes sure that a member is not banned until the transaction ends. @throws bannedFromCommunity */
    async mayJoin(tx: Transaction, communityId: ObjectId, userId: ObjectId): Promise<void> {
      await lock(tx, communityId, userId);
      if (await store.isBanned(tx, communityId, userId)) throw bannedFromCommunity();
    },
    /** Removes a member, who cannot join again; idempotent. @throws creatorNotBanned, userNotFound, communityNotFound */
    async ban(community: Community, userId: ObjectId, by: By): Promise<void> {
      const { id, createdBy } = community;
      if (userId === createdBy) throw creatorNotBanned();
      await database.transaction(async (tx) => {
        if (!(await identity.keep(tx, userId))) throw userNotFound();
        await lock(tx, id, userId);
        const wasBanned = await store.isBanned(tx, id, userId);
        // Posting locks the membership before the community, too.
        await communities.leave(id, userId, tx);
        if (!(await store.insert(tx, id, userId, clock.date()))) throw communityNotFound();
        if (!wasBanned) await record(tx, community, { action: 'banned', userId }, by);
      });
    },
    /** Lifts a ban, after which the member may join again; idempotent. */
    unban: (community: Community, userId: ObjectId, by: By): Promise<void> =>
      database.transaction(async (tx) => {
        const wasBanned = await store.delete(tx, community.id, userId);
        if (wasBanned) await record(tx, community, { action: 'unbanned', userId }, by);
      }),
    async pageOf({ id }: Community, request: PageRequest): Promise<Page<Banned & { user: Member }>> {
      const page = await store.pageOf(id, request);
      return { ...page, items: await withMembers(identity, page.items) };
    },
  };
}

export type BanRules = ReturnType<typeof banRules>;

import type { Core } from '../../kernel/core.ts';
import type { PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Community } from './community.model.ts';
import type { CommunityStore } from './community.store.ts';

export const communityNotFound = notFound('Community');
export const notInCommunity = failure(403, 'NOT_A_MEMBER', 'You are not a member of this community');

interface CommunityDeps extends Pick<Core, 'database' | 'clock' | 'newId'> {
  store: CommunityStore;
  moderation: Pick<Moderation, 'mayApproachIn'>;
}

/** Communities: readable by everyone, writable by their members. */
export function communityRules({ store, database, clock, newId, moderation }: CommunityDeps) {
  /** @throws communityNotFound */
  async function find(id: ObjectId): Promise<Community> {
    const community = await store.find(id);
    if (!community) throw communityNotFound();
    return community;
  }

  /**
   * Returns the creator of a community; the member cannot leave it until the transaction ends.
   * @throws notInCommunity
   */
  async function creatorFor(tx: Transaction, communityId: ObjectId, userId: ObjectId): Promise<ObjectId> {
    const createdBy = await store.creatorFor(tx, communityId, userId);
    if (createdBy === undefined) throw notInCommunity();
    return createdBy;
  }

  return {
    find,
    creatorFor,
    pageOf: (request: PageRequest) => store.pageOf(request),
    /** Creates a community; its creator is the first member. */
    async create(draft: Pick<Community, 'name' | 'description'>, createdBy: ObjectId): Promise<Community> {
      const one = { ...draft, id: newId(), createdBy, memberCount: 0, postCount: 0, createdAt: clock.date() };
      await database.transaction(async (tx) => {
        await store.insert(tx, one);
        await store.join(tx, one.id, createdBy, one.createdAt);
      });
      return find(one.id);
    },
    /** @throws blocked by its creator */
    async join({ id, createdBy }: Community, userId: ObjectId): Promise<Community> {
      await database.transaction(async (tx) => {
        await moderation.mayApproachIn(tx, [createdBy], userId);
        await store.join(tx, id, userId, clock.date());
      });
      return find(id);
    },
    async leave({ id }: Community, userId: ObjectId): Promise<Community> {
      await store.leave(id, userId);
      return find(id);
    },
    /** Removes a deleted member from every community. */
    async erase(userId: ObjectId): Promise<void> {
      while ((await database.transaction((tx) => store.leaveSome(tx, userId))) > 0);
    },
  };
}

export type CommunityRules = ReturnType<typeof communityRules>;

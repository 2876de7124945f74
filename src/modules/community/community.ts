import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { only } from '../../kernel/only.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type AsRead, mustBeAsRead, timeOfChange } from '../../kernel/operations/lost-updates.ts';
import { changesNothing, changesOf } from '../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../kernel/records/idempotency.ts';
import { type Identity, type Member, memberOf, profileLookup, withMembers } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { FanOut, Notifications, Withdrawal } from '../notifications/contract.ts';
import type { BanStore } from './bans.store.ts';
import type { BanRules } from './bans.ts';
import type { Community, Joined, SeenCommunity } from './community.model.ts';
import type { CommunityStore } from './community.store.ts';
import { communityCreated } from './contract.ts';
import { bannedFromCommunity, communityNotFound, notInCommunity } from './failures.ts';

/** The name of a community whose own was removed by moderators. */
export const REMOVED_NAME = 'Removed by a moderator';

interface CommunityDeps extends Pick<Core, 'database' | 'events' | 'clock' | 'newId'> {
  fanOut: Pick<FanOut, 'admits'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
  store: CommunityStore;
  bans: Pick<BanStore, 'isBanned' | 'erase'>;
  standing: Pick<BanRules, 'mayJoin'>;
  moderation: Pick<Moderation, 'mayApproachIn' | 'intervene' | 'maySpeak'>;
  identity: Pick<Identity, 'profilesOf'>;
}

/** Names the notifications of a new community, which have its name. */
export const ofNewCommunity = ({ id, createdAt }: Pick<Community, 'id' | 'createdAt'>): Withdrawal => ({
  of: communityCreated,
  about: { communityId: id },
  since: createdAt,
});

/** Communities: readable by everyone, writable by their members. */
export function communityRules(deps: CommunityDeps) {
  const { store, bans, standing, database, events, clock, newId, moderation } = deps;
  const { identity, fanOut, notifications } = deps;

  /** @throws communityNotFound */
  async function find(id: ObjectId): Promise<Community> {
    const community = await store.find(id);
    if (!community) throw communityNotFound();
    return community;
  }

  /** Adds the creators, with one query for all. */
  async function withCreators(communities: Community[]): Promise<Omit<SeenCommunity, 'joined'>[]> {
    if (communities.length === 0) return [];
    const profileOf = await profileLookup(
      identity,
      communities.map(({ createdBy }) => createdBy),
    );
    return communities.map((one) => ({ ...one, creator: memberOf(profileOf(one.createdBy)) }));
  }

  /** Returns a community as it is after a member has joined or left it. @throws communityNotFound */
  const seenAfter = async (id: ObjectId, joined: boolean): Promise<SeenCommunity> => ({
    ...only(await withCreators([await find(id)])),
    joined,
  });

  async function seenBy(userId: ObjectId, communities: Community[]): Promise<SeenCommunity[]> {
    const [joined, named] = await Promise.all([
      store.joinedBy(
        userId,
        communities.map(({ id }) => id),
      ),
      withCreators(communities),
    ]);
    return named.map((one) => ({ ...one, joined: joined.has(one.id) }));
  }

  /**
   * Returns the creator of a community; the member cannot leave it until the transaction ends.
   * @throws notInCommunity, bannedFromCommunity
   */
  async function creatorFor(tx: Transaction, communityId: ObjectId, userId: ObjectId): Promise<ObjectId> {
    const createdBy = await store.creatorFor(tx, communityId, userId);
    if (createdBy !== undefined) return createdBy;
    throw (await bans.isBanned(tx, communityId, userId)) ? bannedFromCommunity() : notInCommunity();
  }

  return {
    find,
    creatorFor,
    /** @throws communityNotFound */
    findFor: async (id: ObjectId, userId: ObjectId): Promise<SeenCommunity> =>
      only(await seenBy(userId, [await find(id)])),
    /** Returns a community of the caller, or any for moderators. @throws communityNotFound, insufficientPermissions */
    async managed(id: ObjectId, caller: UserCaller): Promise<Community> {
      const community = await find(id);
      if (community.createdBy !== caller.userId && !holds(caller, 'moderator'))
        throw insufficientPermissions();
      return community;
    },
    /** @throws communityNotFound, muted, changedMeanwhile */
    async update(
      { id, createdBy: authorId }: Community,
      { expectedUpdatedAt, ...given }: { name?: string; description?: string } & AsRead,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<void> {
      await database.transaction(async (tx) => {
        await moderation.maySpeak(caller, tx);
        const before = await store.lock(tx, id);
        if (!before) throw communityNotFound();
        const { name = before.name, description = before.description } = given;
        const after = { name: name.trim(), description };
        const changes = changesOf(before, after);
        if (changesNothing(changes)) return;
        mustBeAsRead(before, { expectedUpdatedAt });
        await store.update(tx, { id, ...after, updatedAt: timeOfChange(clock, before) });
        const isRenamed = after.name !== before.name;
        if (isRenamed && caller.userId !== authorId)
          await notifications.withdrawIn(tx, [ofNewCommunity(before)]);
        const acted = { kind: 'community', subjectId: id, authorId, action: 'changed' } as const;
        await moderation.intervene(tx, actorOf(caller, facts), { ...acted, name: before.name, changes });
      });
    },
    async pageOf(
      filter: { joined?: boolean; search?: string },
      request: PageRequest,
      userId: ObjectId,
    ): Promise<Page<SeenCommunity>> {
      const page = await store.pageOf({ ...filter, userId }, request);
      return { ...page, items: await seenBy(userId, page.items) };
    },
    async membersOf(
      { id, memberCount: total }: Community,
      request: PageRequest,
    ): Promise<Page<Joined & { user: Member }>> {
      return { ...request, items: await withMembers(identity, await store.membersOf(id, request)), total };
    },
    /** Replaces the name and description of a community because of a report; its creator is not notified. */
    async removeReportedIn(tx: Transaction, id: ObjectId): Promise<undefined> {
      const before = await store.lock(tx, id);
      if (!before) return;
      await store.update(tx, { id, name: REMOVED_NAME, description: '', updatedAt: clock.date() });
      await notifications.withdrawIn(tx, [ofNewCommunity(before)]);
    },
    /** Creates a community; its creator is the first member. @throws muted */
    async create(
      draft: Pick<Community, 'name' | 'description'>,
      creator: UserCaller,
      idempotency = notIdempotent,
    ): Promise<SeenCommunity> {
      const { userId: createdBy } = creator;
      const at = clock.date();
      const id = newId();
      const one = { ...draft, id, createdBy, memberCount: 1, postCount: 0, createdAt: at, updatedAt: at };
      const named = only(await withCreators([one]));
      const isAdmitted = lazy(() => fanOut.admits('communities', creator));
      return database.transaction(async (tx) => {
        await moderation.maySpeak(creator, tx);
        await store.insert(tx, one);
        await store.join(tx, one.id, createdBy, one.createdAt);
        const isQuiet = !(await isAdmitted());
        await events.publish(tx, communityCreated, { communityId: one.id, userId: createdBy, isQuiet });
        return answered(tx, { idempotency }, { ...named, joined: true });
      });
    },
    /** @throws blocked by its creator, bannedFromCommunity */
    async join({ id, createdBy }: Community, userId: ObjectId): Promise<SeenCommunity> {
      await database.transaction(async (tx) => {
        await moderation.mayApproachIn(tx, [createdBy], userId);
        await standing.mayJoin(tx, id, userId);
        await store.join(tx, id, userId, clock.date());
      });
      return seenAfter(id, true);
    },
    async leave({ id }: Community, userId: ObjectId): Promise<SeenCommunity> {
      await store.leave(id, userId);
      return seenAfter(id, false);
    },
    /** Removes a deleted member from every community, and lifts their bans. */
    async erase(userId: ObjectId): Promise<void> {
      while ((await database.transaction((tx) => store.leaveSome(tx, userId))) > 0);
      await bans.erase(userId);
    },
  };
}

export type CommunityRules = ReturnType<typeof communityRules>;

import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { type Identity, type Member, withMembers } from '../../identity/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { Notifications } from '../../notifications/contract.ts';
import { educatorFollowed } from '../contract.ts';
import type { Educator } from '../educators.model.ts';
import type { EducatorStore } from '../educators.store.ts';
import { followOneself } from '../failures.ts';
import type { EducatorView } from '../profiles/profiles.schemas.ts';
import type { ProfileRules } from '../profiles/profiles.ts';
import type { Follow } from './following.model.ts';
import type { FollowStore } from './following.store.ts';
import { keyOf, type Pair, refusalsOf, subscribingToAll, topicsOf } from './subscribing.ts';

interface FollowingDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: FollowStore;
  educators: EducatorStore;
  profiles: ProfileRules;
  identity: Pick<Identity, 'profilesOf'>;
  notifications: Pick<Notifications, 'subscribeIn' | 'optOutIn' | 'excludeIn' | 'subscribeToKind'>;
  moderation: Pick<Moderation, 'blocksAmong'>;
}

/** A follow with the follower. */
type FollowView = Follow & { user: Member };

/** A requested change of a member's relation to an educator. */
type FollowRequest = Pair & { what: 'follow' | 'subscribe' | 'unfollow' };

const BATCH = { maxSize: 200, concurrency: 1, maxQueued: 5_000, onOverflow: serviceUnavailable };
const ERASED_AT_ONCE = 500;

/** Follows. Concurrent ones are batched into one transaction, so that a popular educator is no bottleneck. */
export function followingRules(deps: FollowingDeps) {
  const { store, educators, profiles, identity, notifications, moderation, database, events, clock } = deps;

  const different = (pairs: Pair[]): Pair[] => [
    ...new Map(pairs.map((pair) => [keyOf(pair), pair])).values(),
  ];

  /** Adds follows, and subscribes to those and further educators. The counts of the educators must be locked. */
  async function add(tx: Transaction, follows: Pair[], subscriptions: Pair[]) {
    if (follows.length + subscriptions.length === 0) return { added: [], existing: [] };
    const [added, existing] = await Promise.all([
      store.add(tx, follows, clock.date()),
      store.findAll(follows, tx),
      notifications.subscribeIn(tx, topicsOf(different([...follows, ...subscriptions]))),
    ]);
    const data = added.map(({ userId, educatorId }) => ({ userId, educatorId }));
    await events.publish(tx, educatorFollowed, ...data);
    return { added, existing };
  }

  async function remove(tx: Transaction, pairs: Pair[]): Promise<Follow[]> {
    if (pairs.length === 0) return [];
    const [removed] = await Promise.all([
      store.removeLocked(tx, pairs),
      notifications.optOutIn(tx, topicsOf(pairs)),
    ]);
    return removed;
  }

  // All wait for the counts of the same few popular educators, so a single lane makes the largest batches. Independent
  // statements are pipelined. In a batch, follows are done before unfollows.
  const together = batching<FollowRequest, { follow: FollowView | undefined; isNew: boolean }>(
    async (wishes) => {
      const of = (what: FollowRequest['what']): Pair[] =>
        different(wishes.filter((one) => one.what === what));
      const { refusals, added, existing, removed } = await database.transaction(async (tx) => {
        // Pipelined in this order, so that blocks are looked up under the lock.
        const [, refusals] = await Promise.all([
          store.lock(tx, wishes),
          refusalsOf(moderation, tx, different(wishes.filter(({ what }) => what !== 'unfollow'))),
        ]);
        const admitted = (pairs: Pair[]): Pair[] => pairs.filter((pair) => !refusals.has(keyOf(pair)));
        const made = await add(tx, admitted(of('follow')), admitted(of('subscribe')));
        return { refusals, ...made, removed: await remove(tx, of('unfollow')) };
      });
      const followOf = new Map(
        (await withMembers(identity, existing)).map((follow) => [keyOf(follow), follow]),
      );
      const isNew = new Set(added.map(keyOf));
      const existed = new Set(removed.map(keyOf));
      return wishes.map((one) => {
        const key = keyOf(one);
        if (one.what === 'unfollow') return { follow: undefined, isNew: existed.has(key) };
        const refusal = refusals.get(key);
        if (refusal) return refusal();
        return { follow: followOf.get(key), isNew: one.what === 'follow' && isNew.delete(key) };
      });
    },
    BATCH,
  );

  return {
    /**
     * Follows an educator and subscribes to their publications; idempotent. @throws followOneself, blocked, youBlocked
     */
    async follow(
      educatorId: ObjectId,
      { userId }: UserCaller,
    ): Promise<{ follow: FollowView; isNew: boolean }> {
      if (educatorId === userId) throw followOneself();
      const { follow, isNew } = await together({ userId, educatorId, what: 'follow' });
      return { follow: follow as FollowView, isNew };
    },
    unfollow: async (educatorId: ObjectId, { userId }: UserCaller): Promise<boolean> =>
      (await together({ userId, educatorId, what: 'unfollow' })).isNew,

    isFollowing: async (educatorId: ObjectId, { userId }: UserCaller): Promise<boolean> =>
      (await store.findAll([{ userId, educatorId }])).length > 0,
    async statusOf(educator: Educator, caller: UserCaller) {
      const [[follow], subscribed] = await Promise.all([
        store.findAll([{ userId: caller.userId, educatorId: educator.id }]),
        profiles.subscribedAmong([educator], caller),
      ]);
      return {
        isFollowing: follow !== undefined,
        followedAt: follow?.followedAt ?? null,
        subscribed: subscribed.has(educator.id),
      };
    },

    /** Returns the visible educators whom the caller follows, newest follow first. */
    async pageOf(
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<EducatorView & { followedAt: Date }>> {
      const page = await store.pageOf(caller.userId, request);
      const found: Educator[] = await educators.findAll(page.items.map(({ educatorId }) => educatorId));
      const views = new Map((await profiles.viewsOf(found, caller)).map((view) => [view.id, view]));
      const items = page.items.map(({ educatorId, followedAt }) => ({
        ...(views.get(educatorId) as EducatorView),
        followedAt,
      }));
      return { ...page, items };
    },

    /** Returns the followers of an educator, newest follow first. */
    async followersOf(educatorId: ObjectId, request: PageRequest): Promise<Page<FollowView>> {
      const page = await store.followersOf(educatorId, request);
      return { ...page, items: await withMembers(identity, page.items) };
    },

    /** @throws blocked, youBlocked */
    subscribe: async (educatorId: ObjectId, userId: ObjectId): Promise<void> =>
      void (await together({ userId, educatorId, what: 'subscribe' })),
    unsubscribe: (educatorId: ObjectId, userId: ObjectId): Promise<void> =>
      database.transaction((tx) => notifications.optOutIn(tx, topicsOf([{ userId, educatorId }]))),
    subscribeToAll: subscribingToAll(deps),

    /** Deletes the follows of a deleted member. */
    async erase(userId: ObjectId): Promise<void> {
      const eraseSome = async (tx: Transaction): Promise<number> =>
        (await store.remove(tx, await store.someOf(tx, userId, ERASED_AT_ONCE))).length;
      while ((await database.transaction(eraseSome)) > 0);
    },
    /** Ends follows and subscriptions between two members after one has blocked the other. */
    async endBetween(tx: Transaction, pairs: Pair[]): Promise<void> {
      await store.remove(tx, pairs);
      await notifications.excludeIn(tx, topicsOf(pairs));
    },
  };
}

export type FollowingRules = ReturnType<typeof followingRules>;

import { batching } from '../../kernel/batching.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/events.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Page, PageRequest } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import { type BlockPair, blocked, type Moderation } from '../moderation/contract.ts';
import { ALL_EDUCATORS, type Notifications, topicOfEducator } from '../notifications/contract.ts';
import { educatorFollowed } from './contract.ts';
import type { Educator, EducatorStore } from './educators.store.ts';
import { followOneself } from './failures.ts';
import type { Follow, FollowStore } from './following.store.ts';
import type { EducatorView } from './profiles.schemas.ts';
import type { ProfileRules } from './profiles.ts';

interface FollowingDeps {
  store: FollowStore;
  educators: EducatorStore;
  profiles: ProfileRules;
  notifications: Pick<Notifications, 'subscribeIn' | 'optOutIn' | 'subscribeToKind'>;
  moderation: Pick<Moderation, 'blocksAmong'>;
  database: Database;
  events: Events;
  clock: Clock;
}

type Pair = Pick<Follow, 'userId' | 'educatorId'>;

/** A member's wish to follow an educator, or to follow them no more. */
type Wish = Pair & { isFollow: boolean };

const pairOfBlock = ({ userId, educatorId }: Pair): BlockPair => ({
  blockerId: educatorId,
  blockedId: userId,
});
const keyOf = ({ userId, educatorId }: Pair): string => userId + educatorId;
const BATCH = { maxSize: 200, concurrency: 1, maxQueued: 5_000, onOverflow: serviceUnavailable };
const ERASED_AT_ONCE = 500;

/** Follows. Concurrent ones are batched into one transaction, so that a popular educator is no bottleneck. */
export function followingRules(deps: FollowingDeps) {
  const { store, educators, profiles, notifications, moderation, database, events, clock } = deps;

  const topicsOf = (pairs: Pair[]) =>
    pairs.map(({ userId, educatorId }) => ({ userId, topic: topicOfEducator(educatorId) }));
  const different = (pairs: Pair[]): Pair[] => [
    ...new Map(pairs.map((pair) => [keyOf(pair), pair])).values(),
  ];

  /** Adds the follows whose members are not blocked. The counts of the educators must be locked. */
  async function add(tx: Transaction, pairs: Pair[], blocks: BlockPair[]) {
    const refused = new Set(
      blocks.map(({ blockerId, blockedId }) => keyOf({ userId: blockedId, educatorId: blockerId })),
    );
    const admitted = pairs.filter((pair) => !refused.has(keyOf(pair)));
    if (admitted.length === 0) return { added: [], known: [] };
    const [added, known] = await Promise.all([
      store.add(tx, admitted, clock.date()),
      store.findAll(admitted, tx),
      notifications.subscribeIn(tx, topicsOf(admitted)),
    ]);
    const data = added.map(({ userId, educatorId }) => ({ userId, educatorId }));
    await events.publish(tx, educatorFollowed, ...data);
    return { added, known };
  }

  async function remove(tx: Transaction, pairs: Pair[]): Promise<Follow[]> {
    if (pairs.length === 0) return [];
    const [gone] = await Promise.all([
      store.removeLocked(tx, pairs),
      notifications.optOutIn(tx, topicsOf(pairs)),
    ]);
    return gone;
  }

  // All wait for the counts of the same few popular educators: a single lane makes the largest batches. Statements that
  // do not need each other's results are sent together. In a batch follows come before unfollows.
  const together = batching<Wish, { follow: Follow | undefined; isNew: boolean }>(async (asked) => {
    const of = (isFollow: boolean): Pair[] => different(asked.filter((one) => one.isFollow === isFollow));
    const [follows, unfollows] = [of(true), of(false)];
    const { added, known, gone } = await database.transaction(async (tx) => {
      // Sent together and done in this order: what blocks is looked up under the lock.
      const [, blocks] = await Promise.all([
        store.lock(tx, asked),
        follows.length > 0 ? moderation.blocksAmong(follows.map(pairOfBlock), tx) : [],
      ]);
      const made = await add(tx, follows, blocks);
      return { ...made, gone: await remove(tx, unfollows) };
    });
    const followOf = new Map(known.map((follow) => [keyOf(follow), follow]));
    const isNew = new Set(added.map(keyOf));
    const wasThere = new Set(gone.map(keyOf));
    return asked.map((one) => {
      const key = keyOf(one);
      if (!one.isFollow) return { follow: undefined, isNew: wasThere.has(key) };
      const follow = followOf.get(key);
      return follow ? { follow, isNew: isNew.delete(key) } : blocked();
    });
  }, BATCH);

  return {
    /** Follows an educator and subscribes to their publications; idempotent. @throws followOneself, blocked */
    async follow(educatorId: ObjectId, { userId }: UserCaller): Promise<{ follow: Follow; isNew: boolean }> {
      if (educatorId === userId) throw followOneself();
      const { follow, isNew } = await together({ userId, educatorId, isFollow: true });
      return { follow: follow as Follow, isNew };
    },
    unfollow: async (educatorId: ObjectId, { userId }: UserCaller): Promise<boolean> =>
      (await together({ userId, educatorId, isFollow: false })).isNew,

    async statusOf(educatorId: ObjectId, { userId }: UserCaller) {
      const [follow] = await store.findAll([{ userId, educatorId }]);
      return { isFollowing: follow !== undefined, followedAt: follow?.followedAt ?? null };
    },

    /** Returns the educators whom the caller follows and may see, the newest follow first. */
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

    subscribe: (educatorId: ObjectId, userId: ObjectId): Promise<void> =>
      database.transaction((tx) => notifications.subscribeIn(tx, topicsOf([{ userId, educatorId }]))),
    unsubscribe: (educatorId: ObjectId, userId: ObjectId): Promise<void> =>
      database.transaction((tx) => notifications.optOutIn(tx, topicsOf([{ userId, educatorId }]))),
    /** Subscribes to all existing educators, with one row; returns their number. */
    async subscribeToAll(userId: ObjectId): Promise<number> {
      await notifications.subscribeToKind(userId, ALL_EDUCATORS);
      return educators.countVisible();
    },

    /** Deletes the follows of a deleted member. */
    async erase(userId: ObjectId): Promise<void> {
      const eraseSome = async (tx: Transaction): Promise<number> =>
        (await store.remove(tx, await store.someOf(tx, userId, ERASED_AT_ONCE))).length;
      while ((await database.transaction(eraseSome)) > 0);
    },
    /** Removes the follow of a member whom the educator blocked. */
    async part(tx: Transaction, pair: Pair): Promise<void> {
      await store.remove(tx, [pair]);
      await notifications.optOutIn(tx, topicsOf([pair]));
    },
  };
}

export type FollowingRules = ReturnType<typeof followingRules>;

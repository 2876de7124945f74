import { batching } from '../../kernel/batching.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/events.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Page, PageRequest } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import { blocked, type Moderation } from '../moderation/contract.ts';
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

const keyOf = ({ userId, educatorId }: Pair): string => userId + educatorId;
const BATCH = { maxSize: 200, concurrency: 2, maxQueued: 5_000, onOverflow: serviceUnavailable };
const ERASED_AT_ONCE = 500;

/** Follows. Concurrent ones are batched into one transaction, so that a popular educator is no bottleneck. */
export function followingRules(deps: FollowingDeps) {
  const { store, educators, profiles, notifications, moderation, database, events, clock } = deps;

  const topicsOf = (pairs: Pair[]) =>
    pairs.map(({ userId, educatorId }) => ({ userId, topic: topicOfEducator(educatorId) }));
  const different = (pairs: Pair[]): Pair[] => [
    ...new Map(pairs.map((pair) => [keyOf(pair), pair])).values(),
  ];

  const followTogether = batching<Pair, { follow: Follow; isNew: boolean }>(async (asked) => {
    const pairs = different(asked);
    const { added, known } = await database.transaction(async (tx) => {
      await store.lock(tx, pairs);
      const blocks = await moderation.blocksAmong(
        pairs.map(({ userId, educatorId }) => ({ blockerId: educatorId, blockedId: userId })),
        tx,
      );
      const refused = new Set(
        blocks.map(({ blockerId, blockedId }) => keyOf({ userId: blockedId, educatorId: blockerId })),
      );
      const admitted = pairs.filter((pair) => !refused.has(keyOf(pair)));
      const added = await store.add(tx, admitted, clock.date());
      await notifications.subscribeIn(tx, topicsOf(admitted));
      const data = added.map(({ userId, educatorId }) => ({ userId, educatorId }));
      await events.publish(tx, educatorFollowed, ...data);
      const known = added.length < admitted.length ? await store.findAll(admitted, tx) : added;
      return { added, known };
    });
    const followOf = new Map(known.map((follow) => [keyOf(follow), follow]));
    const isNew = new Set(added.map(keyOf));
    return asked.map((pair) => {
      const follow = followOf.get(keyOf(pair));
      return follow ? { follow, isNew: isNew.delete(keyOf(pair)) } : blocked();
    });
  }, BATCH);

  const unfollowTogether = batching<Pair, boolean>(async (asked) => {
    const pairs = different(asked);
    const gone = await database.transaction(async (tx) => {
      const gone = await store.remove(tx, pairs);
      await notifications.optOutIn(tx, topicsOf(pairs));
      return gone;
    });
    const wasThere = new Set(gone.map(keyOf));
    return asked.map((pair) => wasThere.has(keyOf(pair)));
  }, BATCH);

  return {
    /** Follows an educator and subscribes to their publications; idempotent. @throws followOneself, blocked */
    async follow(educatorId: ObjectId, { userId }: UserCaller): Promise<{ follow: Follow; isNew: boolean }> {
      if (educatorId === userId) throw followOneself();
      return followTogether({ userId, educatorId });
    },
    unfollow: (educatorId: ObjectId, { userId }: UserCaller): Promise<boolean> =>
      unfollowTogether({ userId, educatorId }),

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

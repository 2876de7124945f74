import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { FailureMaker } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type BlockPair, blocked, type Moderation, youBlocked } from '../../moderation/contract.ts';
import {
  ALL_EDUCATORS,
  educatorOfTopic,
  type Notifications,
  topicOfEducator,
} from '../../notifications/contract.ts';
import type { Educator } from '../educators.model.ts';
import type { EducatorStore } from '../educators.store.ts';
import type { Follow } from './following.model.ts';
import type { FollowStore } from './following.store.ts';

export type Pair = Pick<Follow, 'userId' | 'educatorId'>;

/** The blocks that would prevent a follow, in either direction. */
const pairsOfBlocks = ({ userId, educatorId }: Pair): BlockPair[] => [
  { blockerId: educatorId, blockedId: userId },
  { blockerId: userId, blockedId: educatorId },
];
export const keyOf = ({ userId, educatorId }: Pair): string => userId + educatorId;
export const topicsOf = (pairs: Pair[]) =>
  pairs.map(({ userId, educatorId }) => ({ userId, topic: topicOfEducator(educatorId) }));

/** Returns the reasons why pairs cannot follow, by their keys. The counts of the educators must be locked. */
export async function refusalsOf(
  moderation: Pick<Moderation, 'blocksAmong'>,
  tx: Transaction,
  pairs: Pair[],
): Promise<Map<string, FailureMaker>> {
  if (pairs.length === 0) return new Map();
  const blocks = await moderation.blocksAmong(pairs.flatMap(pairsOfBlocks), tx);
  const isBlock = new Set(blocks.map(({ blockerId, blockedId }) => blockerId + blockedId));
  return new Map(
    pairs.flatMap((pair) => {
      if (isBlock.has(pair.educatorId + pair.userId)) return [[keyOf(pair), blocked]];
      return isBlock.has(pair.userId + pair.educatorId) ? [[keyOf(pair), youBlocked]] : [];
    }),
  );
}

interface SubscribingDeps extends Pick<Core, 'database'> {
  store: Pick<FollowStore, 'lock'>;
  educators: Pick<EducatorStore, 'findAll' | 'countVisible'>;
  notifications: Pick<Notifications, 'subscribeIn' | 'subscribeToKind'>;
  moderation: Pick<Moderation, 'blocksAmong'>;
}

/**
 * Subscribes to all existing educators but those that the member has left or is kept from by a block, with one row;
 * returns their number.
 */
export function subscribingToAll(deps: SubscribingDeps) {
  const { store, educators, notifications, moderation, database } = deps;

  /** Subscribes to those of the educators whom a block no longer keeps from the member, and returns them. */
  async function subscribeAgain(userId: ObjectId, educatorIds: ObjectId[]): Promise<Set<ObjectId>> {
    const found: Educator[] = educatorIds.length > 0 ? await educators.findAll(educatorIds) : [];
    if (found.length === 0) return new Set();
    const pairs = found.map(({ id }) => ({ userId, educatorId: id }));
    return database.transaction(async (tx) => {
      await store.lock(tx, pairs);
      const refusals = await refusalsOf(moderation, tx, pairs);
      const free = pairs.filter((pair) => !refusals.has(keyOf(pair)));
      await notifications.subscribeIn(tx, topicsOf(free));
      return new Set(free.map(({ educatorId }) => educatorId));
    });
  }

  return async (userId: ObjectId): Promise<number> => {
    const excluded = await notifications.subscribeToKind(userId, ALL_EDUCATORS);
    const byBlocks = excluded.filter(({ isOwn }) => !isOwn).map(({ topic }) => educatorOfTopic(topic));
    const back = await subscribeAgain(userId, byBlocks);
    const ids = excluded.map(({ topic }) => educatorOfTopic(topic));
    return educators.countVisible(ids.filter((id) => !back.has(id)));
  };
}

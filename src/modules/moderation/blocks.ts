import { batching } from '../../kernel/concurrency/batching.ts';
import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { failure, serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Identity, type Member, userNotFound, withMembers } from '../identity/contract.ts';
import type { Block } from './blocks.model.ts';
import type { BlockStore } from './blocks.store.ts';
import { type BlockPair, blocked, MAX_BLOCKERS, memberBlocked } from './contract.ts';

/** Maximum number of members whom one member can block. */
const MAX_BLOCKED = 5_000;

export const blockOneself = failure(400, 'BLOCK_ONESELF', 'You cannot block yourself');
export const tooManyBlocked = failure(
  409,
  'TOO_MANY_BLOCKED',
  `You can block at most ${MAX_BLOCKED} members`,
);

interface BlockDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: BlockStore;
  identity: Pick<Identity, 'contactsOf' | 'profilesOf'>;
}

/** Name of the lock of a pair of members, held while one approaches or blocks the other. */
const PAIR = 'moderation.pair';

const keyOf = ({ blockerId, blockedId }: BlockPair): string => blockerId + blockedId;

export type BlockView = Block & { user: Member };

/** Blocks between members: a blocked member can no longer address the blocker. */
export function blockRules({ store, identity, database, events, clock }: BlockDeps) {
  const isBlocked = batching<BlockPair, boolean>(
    async (pairs) => {
      const blocks = new Set((await store.among(pairs)).map(keyOf));
      return pairs.map((pair) => blocks.has(keyOf(pair)));
    },
    { maxSize: 500, concurrency: 1, maxQueued: 10_000, onOverflow: serviceUnavailable },
  );

  return {
    blocksAmong: store.among,
    partedFrom: store.partedFrom,
    partedFromEach: (userIds: ObjectId[]) => store.partedFromEach(userIds, MAX_BLOCKERS + 1),
    partedFromTooMany: (userIds: ObjectId[]) => store.partedFromMany(userIds, MAX_BLOCKERS),
    blockersOf: (userId: ObjectId, tx: Transaction): Promise<ObjectId[]> =>
      store.blockersOf(tx, userId, MAX_BLOCKERS),
    /** @throws blocked */
    async mayApproach(whom: ObjectId, userId: ObjectId, tx?: Queries): Promise<void> {
      const pair = { blockerId: whom, blockedId: userId };
      const isRefused = tx ? (await store.among([pair], tx)).length > 0 : await isBlocked(pair);
      if (isRefused) throw blocked();
    },
    /** @throws blocked */
    async mayApproachIn(tx: Transaction, whom: ObjectId[], userId: ObjectId): Promise<void> {
      const others = [...new Set(whom)].filter((id) => id !== userId).sort();
      const pairs = others.map((blockerId) => ({ blockerId, blockedId: userId }));
      if (pairs.length === 0) return;
      await Promise.all(pairs.map((pair) => tx.lock(PAIR, keyOf(pair))));
      if ((await store.among(pairs, tx)).length > 0) throw blocked();
    },
    /** @throws userNotFound */
    async mustExist(userId: ObjectId): Promise<void> {
      if ((await identity.contactsOf([userId])).length === 0) throw userNotFound();
    },
    /** Blocks a member; idempotent. @throws blockOneself, tooManyBlocked */
    async block(blockedId: ObjectId, { userId: blockerId }: UserCaller): Promise<void> {
      if (blockedId === blockerId) throw blockOneself();
      await database.transaction(async (tx) => {
        await tx.lock('moderation.blocks', blockerId);
        await tx.lock(PAIR, keyOf({ blockerId, blockedId }));
        if (!(await store.insert(tx, blockerId, blockedId, clock.date()))) return;
        if ((await store.count(tx, blockerId)) > MAX_BLOCKED) throw tooManyBlocked();
        await events.publish(tx, memberBlocked, { blockerId, blockedId });
      });
    },
    async unblock(blockedId: ObjectId, { userId }: UserCaller): Promise<void> {
      await store.delete(userId, blockedId);
    },
    async pageOf(request: PageRequest, { userId }: UserCaller): Promise<Page<BlockView>> {
      const page = await store.pageOf(userId, request);
      return { ...page, items: await withMembers(identity, page.items) };
    },
  };
}

export type BlockRules = ReturnType<typeof blockRules>;

import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { only } from '../../kernel/only.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Identity, type Member, withMembers } from '../identity/contract.ts';
import type { AfterCommit, Moderation } from '../moderation/contract.ts';
import type { FanOut } from '../notifications/contract.ts';
import { tradeRemoved, tradeUpdated } from './trades.live.ts';
import type { Trade } from './trades.model.ts';

/** A changed or closed trade idea. Connected members are told unless the caller has exceeded the hourly limit. */
export interface ChangedTrade {
  trade: Trade & { user: Member };
  isAnnounced: boolean;
}

interface TellingDeps extends Pick<Core, 'database' | 'live'> {
  fanOut: FanOut;
  moderation: Pick<Moderation, 'blockersOf'>;
  identity: Pick<Identity, 'profilesOf'>;
}

/** Tells everybody what becomes of trade ideas, except those who have blocked their authors. */
export function tradeTelling({ database, live, fanOut, moderation, identity }: TellingDeps) {
  /** Makes what tells everybody that a trade was deleted, once that is committed. */
  async function tellingRemoval(tx: Transaction, { id, userId }: Trade): Promise<AfterCommit> {
    const blockers = await moderation.blockersOf(userId, tx);
    return () => live.send(liveChannel.all, [tradeRemoved({ tradeId: id })], blockers);
  }

  /** Makes a change in a transaction and tells everybody of the trade as it is then. */
  async function telling(
    kind: string,
    ownerId: ObjectId,
    caller: UserCaller,
    change: (tx: Transaction) => Promise<{ trade: Trade; isChanged: boolean }>,
  ): Promise<ChangedTrade> {
    const isAdmitted = lazy(() => fanOut.admitsChange(kind, caller, ownerId));
    const { trade, isAnnounced, isChanged, blockers } = await database.transaction(async (tx) => {
      const { trade, isChanged } = await change(tx);
      // Nobody is told that nothing has changed, which does not count.
      const isAnnounced = !isChanged || (await isAdmitted());
      return { trade, isChanged, isAnnounced, blockers: await moderation.blockersOf(ownerId, tx) };
    });
    const named = only(await withMembers(identity, [trade]));
    if (isChanged && isAnnounced) await live.send(liveChannel.all, [tradeUpdated(named)], blockers);
    return { trade: named, isAnnounced };
  }

  return { telling, tellingRemoval };
}

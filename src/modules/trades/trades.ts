import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, insufficientPermissions, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { only } from '../../kernel/only.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type AsRead, mustBeAsRead, timeOfChange } from '../../kernel/operations/lost-updates.ts';
import { changesNothing, changesOf } from '../../kernel/records/audit.ts';
import { answered, type RecordedAnswer } from '../../kernel/records/idempotency.ts';
import { type Identity, type Member, withMembers } from '../identity/contract.ts';
import type { AfterCommit, Moderation } from '../moderation/contract.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import { type ChangedTrade, tradeTelling } from './changes-live.ts';
import { tradeChanged, tradeClosed, tradeCreated } from './contract.ts';
import { tradeAnnounced } from './trades.live.ts';
import type { Trade, TradeFilter } from './trades.model.ts';
import type { TradeStore } from './trades.store.ts';

export const tradeNotFound = notFound('Trade');
export const tradeIsClosed = failure(409, 'TRADE_CLOSED', 'The trade is closed');

export type TradeDraft = Pick<
  Trade,
  'symbol' | 'direction' | 'entryPrice' | 'stopLoss' | 'takeProfit' | 'note'
>;

/** A new trade idea. It is announced to all members unless its author has exceeded the hourly limit. */
export interface CreatedTrade {
  trade: Trade & { user: Member };
  isAnnounced: boolean;
}

export type TradeChanges = Partial<Pick<Trade, 'stopLoss' | 'takeProfit' | 'note'>>;

const interventionIn = ({ id, userId, symbol, direction }: Trade) => ({
  kind: 'trade',
  subjectId: id,
  authorId: userId,
  name: `${symbol} ${direction}`,
});

interface TradeDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock' | 'newId'> {
  store: TradeStore;
  fanOut: FanOut;
  notifications: Pick<Notifications, 'withdrawIn'>;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene' | 'maySpeak' | 'closeReports'>;
  identity: Pick<Identity, 'profilesOf'>;
}

/** Returns the outcome of a trade, from its direction and the change of the price. */
function outcomeOf({ direction, entryPrice }: Trade, exitPrice: number): Trade['status'] {
  if (exitPrice === entryPrice) return 'even';
  return exitPrice > entryPrice === (direction === 'long') ? 'won' : 'lost';
}

/** Trade ideas. */
export function tradeRules(deps: TradeDeps) {
  const { database, store, events, live, fanOut, notifications, moderation, identity, clock, newId } = deps;
  const { telling, tellingRemoval } = tradeTelling(deps);

  async function find(id: ObjectId): Promise<Trade> {
    const trade = await store.find(id);
    if (!trade) throw tradeNotFound();
    return trade;
  }

  /** Deletes a trade and the notifications of it; returns it as it was, if it still existed. */
  async function removeIn(tx: Transaction, id: ObjectId): Promise<Trade | undefined> {
    const before = await store.lock(tx, id);
    if (!before) return undefined;
    await store.delete(tx, id);
    await events.publish(tx, tradeChanged, { tradeId: id });
    const since = before.createdAt;
    await notifications.withdrawIn(tx, [{ of: tradeCreated, about: { tradeId: id }, since }]);
    return before;
  }

  return {
    find,
    /** Returns trades, newest first. */
    pageOf: ({ symbol, ...filter }: TradeFilter, request: PageRequest): Promise<Page<Trade>> =>
      store.pageOf({ ...filter, symbol: symbol?.toUpperCase() }, request),
    /**
     * Publishes a trade idea. Announces it to all members, unless the author has exceeded the hourly limit.
     * @throws muted
     */
    async create(
      draft: TradeDraft,
      author: UserCaller,
      answering: RecordedAnswer<CreatedTrade>,
    ): Promise<CreatedTrade> {
      const at = clock.date();
      const trade: Trade = {
        ...draft,
        id: newId(),
        userId: author.userId,
        symbol: draft.symbol.toUpperCase(),
        status: 'open',
        exitPrice: null,
        createdAt: at,
        updatedAt: at,
        closedAt: null,
      };
      const isAdmitted = lazy(() => fanOut.admits('trades', author));
      const named = only(await withMembers(identity, [trade]));
      const { id: tradeId, userId, symbol, direction, entryPrice } = trade;
      const data = { tradeId, user: named.user, symbol, direction, entryPrice };
      const { created, blockers } = await database.transaction(async (tx) => {
        await moderation.maySpeak(author, tx);
        const isAnnounced = await isAdmitted();
        const created = { trade: named, isAnnounced };
        await store.insert(tx, trade);
        await events.publish(tx, tradeCreated, {
          tradeId,
          userId,
          symbol,
          direction,
          isQuiet: !isAnnounced,
        });
        await answered(tx, answering, created);
        return { created, blockers: await moderation.blockersOf(userId, tx) };
      });
      if (created.isAnnounced) await live.send(liveChannel.all, [tradeAnnounced(data)], blockers);
      return created;
    },
    /** Returns a trade of the caller, or any for administrators. @throws tradeNotFound, insufficientPermissions */
    async owned(id: ObjectId, caller: UserCaller): Promise<Trade> {
      const trade = await find(id);
      if (trade.userId !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
      return trade;
    },
    /** Returns a trade of the caller, or any for moderators. @throws tradeNotFound, insufficientPermissions */
    async managed(id: ObjectId, caller: UserCaller): Promise<Trade> {
      const trade = await find(id);
      if (trade.userId !== caller.userId && !holds(caller, 'moderator')) throw insufficientPermissions();
      return trade;
    },
    /**
     * Changes the note, and the stop loss and take profit of an open trade, and tells everybody.
     * @throws tradeNotFound, changedMeanwhile; tradeIsClosed for the prices of a closed one; muted for the note
     */
    update: (
      { id, userId }: Trade,
      { expectedUpdatedAt, ...changes }: TradeChanges & AsRead,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<ChangedTrade> =>
      telling('trade-changes', userId, caller, async (tx) => {
        const before = await store.lock(tx, id);
        if (!before) throw tradeNotFound();
        const changed = changesOf(before, changes);
        if (changesNothing(changed)) return { trade: before, isChanged: false };
        mustBeAsRead(before, { expectedUpdatedAt });
        if ('note' in changed) await moderation.maySpeak(caller, tx);
        const after = { ...before, ...changes, updatedAt: timeOfChange(clock, before) };
        if (before.status !== 'open' && ('stopLoss' in changed || 'takeProfit' in changed))
          throw tradeIsClosed();
        await store.update(tx, after);
        await events.publish(tx, tradeChanged, { tradeId: id });
        await moderation.intervene(tx, actorOf(caller, facts), {
          ...interventionIn(before),
          action: 'changed',
          changes: changed,
        });
        return { trade: after, isChanged: true };
      }),
    /** Deletes a trade and tells everybody, unless the caller has exceeded the hourly limit; idempotent. */
    async delete({ id, userId }: Trade, caller: UserCaller, facts: RequestFacts): Promise<void> {
      const actor = actorOf(caller, facts);
      const isAdmitted = lazy(() => fanOut.admitsChange('trade-deletions', caller, userId));
      const tell = await database.transaction(async (tx) => {
        await moderation.closeReports(tx, { kind: 'trade', subjectIds: [id] }, actor);
        const before = await removeIn(tx, id);
        if (!before) return undefined;
        await moderation.intervene(tx, actor, { ...interventionIn(before), action: 'removed' });
        return (await isAdmitted()) ? tellingRemoval(tx, before) : undefined;
      });
      await tell?.();
    },
    /** Deletes a trade because of a report; idempotent. */
    async removeReportedIn(tx: Transaction, id: ObjectId): Promise<AfterCommit | undefined> {
      const before = await removeIn(tx, id);
      return before && tellingRemoval(tx, before);
    },
    /** Closes a trade and tells everybody. @throws tradeIsClosed */
    close(trade: Trade, exitPrice: number, caller: UserCaller): Promise<ChangedTrade> {
      const status = outcomeOf(trade, exitPrice);
      return telling('closed-trades', trade.userId, caller, async (tx) => {
        const closed = await store.close(tx, trade.id, { status, exitPrice, at: clock.date() });
        if (!closed) throw tradeIsClosed();
        await events.publish(tx, tradeClosed, { tradeId: trade.id, userId: trade.userId, outcome: status });
        return { trade: closed, isChanged: true };
      });
    },
  };
}

export type TradeRules = ReturnType<typeof tradeRules>;

import type { Database } from '../../kernel/database/database.ts';
import type { Events } from '../../kernel/events.ts';
import { failure, insufficientPermissions, notFound } from '../../kernel/failures.ts';
import type { FanOut } from '../../kernel/fan-out.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import { tradeCreated } from './contract.ts';

export const tradeNotFound = notFound('Trade');
export const tradeClosed = failure(409, 'TRADE_CLOSED', 'The trade is closed');

export const DIRECTIONS = ['long', 'short'] as const;
export const TRADE_STATUSES = ['open', 'won', 'lost', 'even'] as const;

export interface Trade {
  id: ObjectId;
  userId: ObjectId;
  symbol: string;
  direction: (typeof DIRECTIONS)[number];
  entryPrice: number;
  stopLoss: number | null;
  takeProfit: number | null;
  note: string;
  status: (typeof TRADE_STATUSES)[number];
  exitPrice: number | null;
  createdAt: Date;
  closedAt: Date | null;
}

export type TradeDraft = Pick<
  Trade,
  'symbol' | 'direction' | 'entryPrice' | 'stopLoss' | 'takeProfit' | 'note'
>;

const TRADE = `id, user_id as "userId", symbol, direction, entry_price as "entryPrice", stop_loss as "stopLoss",
  take_profit as "takeProfit", note, status, exit_price as "exitPrice", created_at as "createdAt", closed_at as "closedAt"`;

interface TradeDeps {
  database: Database;
  events: Events;
  live: Live;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
}

/** How a trade ended: by where the price went, and which way it was to go. */
function outcomeOf({ direction, entryPrice }: Trade, exitPrice: number): Trade['status'] {
  if (exitPrice === entryPrice) return 'even';
  return exitPrice > entryPrice === (direction === 'long') ? 'won' : 'lost';
}

/** Trade ideas. Their SQL is a line each, and stands here. */
export function tradeRules({ database, events, live, fanOut, clock, newId }: TradeDeps) {
  async function find(id: ObjectId): Promise<Trade> {
    const rows = await database.all(`select ${TRADE} from trades.trade where id = $1`, [id]);
    if (!rows[0]) throw tradeNotFound();
    return rows[0] as unknown as Trade;
  }

  return {
    find,
    /** Newest first. */
    async pageOf(
      { symbol, status, userId }: { symbol?: string; status?: Trade['status']; userId?: ObjectId },
      request: PageRequest,
    ): Promise<Page<Trade>> {
      const where = `where ($1::text is null or symbol = $1) and ($2::text is null or status = $2)
        and ($3::text is null or user_id = $3)`;
      const values = [symbol?.toUpperCase() ?? null, status ?? null, userId ?? null];
      const from = `trades.trade ${where}`;
      return readPage(database, { columns: TRADE, from, orderBy: 'id desc' }, values, request);
    },
    /** Tells everybody, as long as its author has not done so too often within the hour. */
    async create(draft: TradeDraft, author: UserCaller): Promise<{ trade: Trade; isAnnounced: boolean }> {
      const id = newId();
      const { userId } = author;
      const isAnnounced = await fanOut.admits('trades', author);
      const symbol = draft.symbol.toUpperCase();
      const { direction, entryPrice, stopLoss, takeProfit, note } = draft;
      const data = { tradeId: id, symbol, direction, entryPrice };
      await database.transaction(async (tx) => {
        await tx.execute(
          `insert into trades.trade
             (id, user_id, symbol, direction, entry_price, stop_loss, take_profit, note, status, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9)`,
          [id, userId, symbol, direction, entryPrice, stopLoss, takeProfit, note, new Date(clock.now())],
        );
        await events.publish(tx, tradeCreated, { ...data, userId, isQuiet: !isAnnounced });
      });
      if (isAnnounced) await live.tell(liveChannel.all, [{ type: 'trade:created', data }]);
      return { trade: await find(id), isAnnounced };
    },
    /** @throws tradeNotFound, insufficientPermissions, tradeClosed */
    async close(id: ObjectId, exitPrice: number, caller: UserCaller): Promise<Trade> {
      const trade = await find(id);
      if (trade.userId !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
      const rows = await database.all(
        `update trades.trade set status = $2, exit_price = $3, closed_at = $4 where id = $1 and status = 'open'
         returning ${TRADE}`,
        [id, outcomeOf(trade, exitPrice), exitPrice, new Date(clock.now())],
      );
      if (!rows[0]) throw tradeClosed();
      return rows[0] as unknown as Trade;
    },
  };
}

export type TradeRules = ReturnType<typeof tradeRules>;

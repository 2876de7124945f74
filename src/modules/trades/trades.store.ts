import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Trade, TradeFilter } from './trades.model.ts';

const COLUMNS = `id, user_id, symbol, direction, entry_price, stop_loss, take_profit, note, status, exit_price, created_at,
  coalesce(updated_at, created_at) as updated_at, closed_at`;

const byId = statement<Trade>('trades.trade', `select ${COLUMNS} from trades.trade where id = $1`);

export function tradeStore(database: Database) {
  return {
    find: (id: ObjectId): Promise<Trade | undefined> => database.first(byId, [id]),
    findAll: (ids: ObjectId[], queries: Queries): Promise<Trade[]> =>
      queries.all(`select ${COLUMNS} from trades.trade where id = any($1)`, [ids]),
    async idsAfter(id: ObjectId, limit: number): Promise<ObjectId[]> {
      const rows = await database.all<{ id: ObjectId }>(
        'select id from trades.trade where id > $1 order by id limit $2',
        [id, limit],
      );
      return rows.map((row) => row.id);
    },
    /** Returns a member's number of trades, and the percentage of closed ones that were won. */
    async figuresOf(userId: ObjectId): Promise<{ trades: number; winRate: number }> {
      const counted = await database.first<{ trades: number; closed: number; won: number }>(
        `select count(*) as trades, count(*) filter (where status <> 'open') as closed,
           count(*) filter (where status = 'won') as won
         from trades.trade where user_id = $1`,
        [userId],
      );
      const { trades, closed, won } = counted ?? { trades: 0, closed: 0, won: 0 };
      return { trades, winRate: closed === 0 ? 0 : (100 * won) / closed };
    },
    /** Returns trades, newest first. */
    pageOf({ symbol, status, userId }: TradeFilter, request: PageRequest): Promise<Page<Trade>> {
      const from = `trades.trade where ($1::text is null or symbol = $1) and ($2::text is null or status = $2)
        and ($3::text is null or user_id = $3)`;
      const values = [symbol ?? null, status ?? null, userId ?? null];
      return readPage(
        database,
        { columns: COLUMNS, from, orderBy: 'id desc', isGrowing: true },
        values,
        request,
      );
    },
    async insert(tx: Transaction, trade: Trade): Promise<void> {
      await tx.insert('trades.trade', trade, [
        'id',
        'userId',
        'symbol',
        'direction',
        'entryPrice',
        'stopLoss',
        'takeProfit',
        'note',
        'status',
        'createdAt',
        'updatedAt',
      ]);
    },
    /** Locks a trade and returns it; undefined if it no longer exists. */
    lock: (tx: Transaction, id: ObjectId): Promise<Trade | undefined> =>
      tx.first(`select ${COLUMNS} from trades.trade where id = $1 for no key update`, [id]),
    async update(
      tx: Transaction,
      trade: Pick<Trade, 'id' | 'stopLoss' | 'takeProfit' | 'note' | 'updatedAt'>,
    ): Promise<void> {
      await tx.update('trades.trade', trade, ['stopLoss', 'takeProfit', 'note', 'updatedAt']);
    },
    async delete(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute('delete from trades.trade where id = $1', [id]);
    },
    /** Closes an open trade and returns it; undefined if it is no longer open. */
    close: (
      tx: Transaction,
      id: ObjectId,
      { status, exitPrice, at }: { status: Trade['status']; exitPrice: number; at: Date },
    ): Promise<Trade | undefined> =>
      tx.first(
        `update trades.trade set status = $2, exit_price = $3, closed_at = $4, updated_at = $4 where id = $1 and status = 'open'
         returning ${COLUMNS}`,
        [id, status, exitPrice, at],
      ),
  };
}

export type TradeStore = ReturnType<typeof tradeStore>;

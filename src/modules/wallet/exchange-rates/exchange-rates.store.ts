import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { Naming } from '../../../kernel/records/erasure.ts';
import type { ExchangeRate, NewExchangeRate } from './exchange-rates.model.ts';

const COLUMNS = 'id, currency, rate, notes, effective_from, effective_to, updated_by_email';

const pricesInKeys = statement<{ keys: string | null }>(
  'wallet.prices-in-keys',
  `select (div(money, rate) + case when mod(money, rate) > 0 then 1 else 0 end)::text as keys
   from unnest($1::numeric[], $2::text[]) with ordinality as asked (money, currency, place)
   left join wallet.exchange_rate rate on rate.currency = asked.currency and effective_to is null order by place`,
);

export function exchangeRateStore(database: Database) {
  return {
    async current(currency: string): Promise<ExchangeRate | undefined> {
      const row = await database.first<ExchangeRate>(
        `select ${COLUMNS} from wallet.exchange_rate where currency = $1 and effective_to is null`,
        [currency],
      );
      return row;
    },

    /** Returns the current rate of each currency that has one, ordered by currency. */
    async active(page: PageRequest): Promise<Page<ExchangeRate>> {
      const from = 'wallet.exchange_rate where effective_to is null';
      const paged = { columns: COLUMNS, from, orderBy: 'currency' };
      return readPage<ExchangeRate>(database, paged, [], page);
    },

    /** Returns all rates of a currency, newest first. */
    async history(currency: string, page: PageRequest): Promise<Page<ExchangeRate>> {
      const from = 'wallet.exchange_rate where currency = $1';
      const paged = { columns: COLUMNS, from, orderBy: 'effective_from desc, id desc' };
      return readPage<ExchangeRate>(database, paged, [currency], page);
    },

    /**
     * Closes the currency's current rate and opens the new one at the same instant, which is always later than the
     * start of the former. Locks the currency, so that concurrent calls for it are serialized.
     */
    async replace(tx: Transaction, rate: NewExchangeRate): Promise<ExchangeRate> {
      await tx.lock('wallet.exchange-rate', rate.currency);
      const closed = await tx.first<{ effectiveTo: Date }>(
        `update wallet.exchange_rate set effective_to = greatest(effective_from + interval '1 millisecond', $2)
         where currency = $1 and effective_to is null returning effective_to`,
        [rate.currency, rate.at],
      );
      const opened = await tx.first<ExchangeRate>(
        `insert into wallet.exchange_rate (id, currency, rate, effective_from, updated_by_email, notes)
         values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
        [rate.id, rate.currency, rate.rate, closed?.effectiveTo ?? rate.at, rate.updatedByEmail, rate.notes],
      );
      return opened as ExchangeRate;
    },

    /** Returns the rates until an instant that one of these has set, or whose notes name them. */
    naming: (setBy: string[], { patterns, expression }: Naming, until: Date): Promise<ExchangeRate[]> =>
      database.all<ExchangeRate>(
        `select ${COLUMNS} from wallet.exchange_rate
         where (updated_by_email = any($1) or notes ilike any($2) and notes ~* $3) and effective_from <= $4`,
        [setBy, patterns, expression, until],
      ),

    async rename({ id, updatedByEmail, notes }: ExchangeRate): Promise<void> {
      await database.execute(
        'update wallet.exchange_rate set updated_by_email = $2, notes = $3 where id = $1',
        [id, updatedByEmail, notes],
      );
    },

    /** Returns the current value of Keys, rounded half-up to cents; undefined without a rate. Exact. */
    async worthOf(keys: number, currency: string): Promise<number | undefined> {
      return one<number>(
        `select round($1::numeric * rate, 2) as value from wallet.exchange_rate
         where currency = $2 and effective_to is null`,
        [keys, currency],
      );
    },

    /**
     * Returns the current value of Keys in US cents, rounded down and rounded half-up; as text, because it may exceed
     * the safe integers. Exact.
     */
    async centsOf(keys: number, queries: Queries = database): Promise<{ down: string; halfUp: string }> {
      const cents = await queries.first<{ down: string; halfUp: string }>(
        `select floor($1::numeric * rate * 100)::text as down, round($1::numeric * rate * 100)::text as half_up
         from wallet.exchange_rate where currency = 'USD' and effective_to is null`,
        [keys],
      );
      return cents as { down: string; halfUp: string };
    },

    /**
     * Returns the number of whole Keys that an amount of money buys now, rounded down; as text, because it may exceed
     * the safe integers. Exact.
     */
    async keysFor(money: string, currency: string): Promise<string | undefined> {
      return one<string>(
        `select div($1::numeric, rate)::text as value from wallet.exchange_rate
         where currency = $2 and effective_to is null`,
        [money, currency],
      );
    },

    /**
     * Returns for each amount of money the number of whole Keys that cover it now, rounded up, and null without a rate;
     * as text, because it may exceed the safe integers. Exact.
     */
    async pricesInKeys(all: { money: string; currency: string }[]): Promise<(string | null)[]> {
      const rows = await database.all<{ keys: string | null }>(pricesInKeys, [
        all.map(({ money }) => money),
        all.map(({ currency }) => currency),
      ]);
      return rows.map(({ keys }) => keys);
    },
  };

  async function one<T>(text: string, values: unknown[]): Promise<T | undefined> {
    return (await database.first<{ value: T }>(text, values))?.value;
  }
}

export type ExchangeRateStore = ReturnType<typeof exchangeRateStore>;

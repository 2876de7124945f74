import type { Database } from '../../kernel/database/database.ts';

/**
 * Takes those that are to be looked after, at most so many. Each comes again a quarter of its age later, from a minute
 * to an hour, unless it has been settled by then.
 */
export const takeDue =
  <Row>(database: Database, table: 'merchant.checkout' | 'merchant.payout', columns: string) =>
  async (most: number, at: Date): Promise<Row[]> => {
    const { rows } = await database.sql(
      `update ${table} set next_check_at =
         $2::timestamptz + least(greatest(($2 - created_at) / 4, interval '1 minute'), interval '1 hour')
       where id in (select id from ${table} where next_check_at <= $2
         order by next_check_at limit $1 for update skip locked)
       returning ${columns}`,
      [most, at],
    );
    return rows as Row[];
  };

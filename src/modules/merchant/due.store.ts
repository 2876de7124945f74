import type { Database } from '../../kernel/database/database.ts';
import { storableText } from '../../kernel/text/safe-text.ts';
import type { Due, DueStore } from './due.model.ts';

export const dueStore = <Row extends Due>(
  database: Database,
  table: 'merchant.checkout' | 'merchant.payout',
  columns: string,
): DueStore<Row> => ({
  async take(most, at) {
    return database.all<Row>(
      `update ${table} set next_check_at =
         $2::timestamptz + least(greatest(($2 - created_at) / 4, interval '1 minute'), interval '1 hour')
       where id in (select id from ${table} where next_check_at <= $2
         order by next_check_at limit $1 for update skip locked)
       returning ${columns}, attempts`,
      [most, at],
    );
  },
  async postpone(id, at, error) {
    await database.execute(
      `update ${table} set attempts = attempts + 1, last_error = $3, next_check_at =
         $2::timestamptz + least(interval '1 minute' * power(2, least(attempts, 10)), interval '15 minutes')
       where id = $1 and next_check_at is not null`,
      [id, at, textOf(error)],
    );
  },
  async note(id, error) {
    await database.execute(`update ${table} set attempts = attempts + 1, last_error = $2 where id = $1`, [
      id,
      textOf(error),
    ]);
  },
  async clear(id) {
    await database.execute(
      `update ${table} set attempts = 0, last_error = null where id = $1 and attempts > 0`,
      [id],
    );
  },
});

const MAX_TEXT_LENGTH = 500;

/** Returns the form of an error that administrators see. It may be what the provider has answered. */
const textOf = ({ message, cause }: Error): string =>
  storableText(cause instanceof Error ? `${message}: ${cause.message}` : message, MAX_TEXT_LENGTH);

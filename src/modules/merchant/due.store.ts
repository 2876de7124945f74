import type { Database } from '../../kernel/database/database.ts';
import { storableText } from '../../kernel/text/safe-text.ts';
import type { Due, DueStore, Failing } from './due.model.ts';

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
       returning ${columns}`,
      [most, at],
    );
  },
  async postpone(tx, id, at, error) {
    return tx.first<Failing>(
      `update ${table} set attempts = attempts + 1, last_error = $3, next_check_at =
         $2::timestamptz + least(interval '1 minute' * power(2, least(attempts, 10)), interval '15 minutes')
       where id = $1 and next_check_at is not null
       returning user_id, attempts, last_error`,
      [id, at, textOf(error)],
    );
  },
  async note(tx, id, error) {
    const noted = await tx.first<Failing & { hasEnded: boolean }>(
      `update ${table} set attempts = attempts + 1, last_error = $2 where id = $1
       returning user_id, attempts, last_error, next_check_at is null as has_ended`,
      [id, textOf(error)],
    );
    return noted?.hasEnded ? undefined : noted;
  },
  async clear(tx, id) {
    const cleared = await tx.first<{ before: number }>(
      `update ${table} set attempts = 0, last_error = null
       from (select id, attempts as before from ${table} where id = $1 and attempts > 0 for update) failing
       where ${table}.id = failing.id
       returning before`,
      [id],
    );
    return cleared?.before ?? 0;
  },
});

const MAX_TEXT_LENGTH = 500;

/** Returns the form of an error that administrators see. It may be what the provider has answered. */
const textOf = ({ message, cause }: Error): string =>
  storableText(cause instanceof Error ? `${message}: ${cause.message}` : message, MAX_TEXT_LENGTH);

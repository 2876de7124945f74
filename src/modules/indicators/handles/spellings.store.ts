import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';

/** How long a looked-up handle stays valid, because users can change their names. */
const SPELLING_MS = DAY_MS;

const findSpelling = statement<{ handle: string }>(
  'indicators.find-spelling',
  'select handle from indicators.spelling where handle_key = lower($1) and known_at > $2',
);

/** SQL of handles as the charting platform spells them. */
export const spellingStore = {
  /** Returns the platform's spelling of a handle, if it was looked up within a day. */
  async find(queries: Queries, handle: string, at: Date): Promise<string | undefined> {
    const since = new Date(at.getTime() - SPELLING_MS);
    return (await queries.first(findSpelling, [handle, since]))?.handle;
  },
  async save(queries: Queries, handle: string, at: Date): Promise<void> {
    await queries.execute(
      `insert into indicators.spelling (handle_key, handle, known_at) values (lower($1), $1, $2)
       on conflict (handle_key) do update set handle = excluded.handle, known_at = excluded.known_at`,
      [handle, at],
    );
  },
  async forget(tx: Transaction, handle: string): Promise<void> {
    await tx.execute('delete from indicators.spelling where handle_key = lower($1)', [handle]);
  },
};

export type SpellingStore = typeof spellingStore;

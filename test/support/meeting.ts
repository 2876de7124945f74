import type { Database } from '../../src/kernel/database/database.ts';
import type { Answer } from './client.ts';
import { holding } from './holding.ts';
import { until } from './live.ts';

export type Request = () => Promise<Answer>;

const waiting = (database: Database): Promise<number> =>
  database.count(
    `select count(*) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
  );

/** Runs two requests that meet: the room is held until the first waits, and the second waits or has ended. */
export async function meeting(
  database: Database,
  room: string,
  first: Request,
  second: Request,
): Promise<[Answer, Answer]> {
  let answers: Promise<[Answer, Answer]> | undefined;
  await holding(database, async (tx) => {
    await tx.all('select id from chat.room where id = $1 for update', [room]);
    const one = first();
    await until(async () => (await waiting(database)) >= 1, 'the first request at the lock');
    let hasEnded = false;
    const other = second().finally(() => {
      hasEnded = true;
    });
    await until(async () => hasEnded || (await waiting(database)) >= 2, 'the second request');
    answers = Promise.all([one, other]);
  });
  return (await answers) as [Answer, Answer];
}

import { type Database, openDatabase } from '../../src/kernel/database/database.ts';
import { statement } from '../../src/kernel/database/queries.ts';
import { PATIENCE_MS } from './live.ts';

const waitForLocks = statement<never>('tests.wait-for-locks', `set local lock_timeout = ${PATIENCE_MS}`);

/**
 * Opens a database for checks that the API does not offer. Tests write many rows at once, or hold locks while others
 * wait, which on a busy machine takes longer than the platform's limits of five and three seconds.
 */
export function patientDatabase(url: string, connections: number): Database {
  const opened = openDatabase({ url, connections, onBackgroundError: () => undefined });
  const transaction: Database['transaction'] = (work) =>
    opened.transaction(
      async (tx) => {
        tx.send(waitForLocks, []);
        return work(tx);
      },
      { maxStatementMs: PATIENCE_MS },
    );
  return { ...opened, transaction, execute: (sql, values) => transaction((tx) => tx.execute(sql, values)) };
}

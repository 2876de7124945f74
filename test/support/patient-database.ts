import { type Database, openDatabase } from '../../src/kernel/database/database.ts';
import { PATIENCE_MS } from './live.ts';

/**
 * Opens a database for checks that the API does not offer. Tests write many rows at once, which on a busy machine takes
 * longer than the platform's limit of five seconds.
 */
export function patientDatabase(url: string, connections: number): Database {
  const opened = openDatabase({ url, connections, onBackgroundError: () => undefined });
  const execute: Database['execute'] = (sql, values) =>
    opened.transaction((tx) => tx.execute(sql, values), { maxStatementMs: PATIENCE_MS });
  return { ...opened, execute };
}

import { currentTrace } from '../trace.ts';
import type { QueryConfig, Result } from './rows.ts';
import type { Connection } from './transaction.ts';

/** A statement that took long: its name, or the beginning of its text, which contains no values. */
export interface SlowStatement {
  statement: string;
  ms: number;
}

/** What to do with a statement that takes longer than `ms`. */
export interface SlowStatements {
  ms: number;
  onSlow: (slow: SlowStatement) => void;
}

const MAX_TEXT = 300;

/** Waits for a connection, and counts the time for the current request. */
export async function waitForConnection<Client>(connect: () => Promise<Client>): Promise<Client> {
  const use = currentTrace()?.databaseUse;
  if (!use) return connect();
  use.awaits();
  try {
    return await connect();
  } finally {
    use.connected();
  }
}

/**
 * Returns the connection with its statements timed, for the current request.
 * @param slow undefined where statements are expected to take long
 */
export const timed = (connection: Connection, slow?: SlowStatements): Connection => ({
  query: (config) => send(connection, config, slow),
});

function send(connection: Connection, config: QueryConfig, slow?: SlowStatements): Promise<Result> {
  const use = currentTrace()?.databaseUse;
  if (!use && !slow) return connection.query(config);
  const sentMs = performance.now();
  use?.sent();
  const answer = connection.query(config);
  const end = (): void => {
    use?.answered();
    const ms = performance.now() - sentMs;
    if (slow && ms >= slow.ms) slow.onSlow({ statement: titleOf(config), ms: Math.round(ms) });
  };
  answer.then(end, end);
  return answer;
}

const titleOf = ({ name, text }: QueryConfig): string =>
  name ?? text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT);

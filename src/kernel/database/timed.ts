import { beginSpan, failureOf, type OpenSpan } from '../spans.ts';
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
  const trace = currentTrace();
  const use = trace?.databaseUse;
  const span = trace?.spans && beginSpan(config.name ?? verbOf(config), 'client', trace);
  if (!use && !slow && !span) return connection.query(config);
  const sentMs = performance.now();
  use?.sent();
  const answer = connection.query(config);
  const end = (): void => {
    use?.answered();
    const ms = performance.now() - sentMs;
    if (slow && ms >= slow.ms) slow.onSlow({ statement: titleOf(config), ms: Math.round(ms) });
  };
  answer.then(end, end);
  if (span) recordAnswer(span, config, answer);
  return answer;
}

/** Ends the span of a statement when it is answered. Its text contains no values. */
function recordAnswer(span: OpenSpan, config: QueryConfig, answer: Promise<Result>): void {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': titleOf(config) };
  answer.then(
    () => span.end({ attributes }),
    (error) => span.end({ attributes, failure: failureOf(error) }),
  );
}

const verbOf = ({ text }: QueryConfig): string => /\w+/.exec(text)?.[0].toLowerCase() ?? 'statement';

const titleOf = ({ name, text }: QueryConfig): string =>
  name ?? text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT);

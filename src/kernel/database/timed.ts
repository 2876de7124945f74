import pg from 'pg';
import { beginSpan, failureOf, type OpenSpan } from '../spans.ts';
import { currentTrace, withTrace } from '../trace.ts';
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

interface TimedOptions {
  /** Undefined where statements are expected to take long. */
  slow?: SlowStatements | undefined;
  /** Called with the error of each statement that fails, in their order and before its promise is settled. */
  onFailure?: (error: Error) => void;
}

/** Returns queries on the connection, timed for the current request. */
export const timed = (client: pg.ClientBase, options: TimedOptions = {}): Connection => ({
  query: (config) => send(client, config, options),
});

function send(
  client: pg.ClientBase,
  config: QueryConfig,
  { slow, onFailure }: TimedOptions,
): Promise<Result> {
  const trace = currentTrace();
  const use = trace?.databaseUse;
  const span = trace?.spans && beginSpan(config.name ?? verbOf(config), 'client', trace);
  const sentMs = performance.now();
  use?.sent();
  const answer = submit(client, config, (error) => {
    use?.answered();
    if (error) onFailure?.(error);
    if (!slow) return;
    const ms = performance.now() - sentMs;
    if (ms < slow.ms) return;
    withTrace(trace, () => slow.onSlow({ statement: titleOf(config), ms: Math.round(ms) }));
  });
  if (span) recordAnswer(span, config, answer);
  return answer;
}

/**
 * Sends a statement as a query of the driver: the driver copies a configuration property by property, which takes a tenth
 * of the time of a statement.
 * @param onAnswer called before the promise is settled
 */
async function submit(
  client: pg.ClientBase,
  { text, values, ...rest }: QueryConfig,
  onAnswer: (error: Error | undefined) => void,
): Promise<Result> {
  try {
    return await new Promise<Result>((resolve, reject) => {
      const query = new pg.Query(text, values, (error, result) => {
        onAnswer(error);
        if (error) reject(error);
        else resolve(result);
      });
      client.query(Object.assign(query, rest));
    });
  } catch (error) {
    // Leads back to who sent the statement, and not to the socket that received the answer.
    Error.captureStackTrace(error as Error);
    throw error;
  }
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

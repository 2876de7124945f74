import { randomUUID } from 'node:crypto';
import type { Database } from './database/database.ts';
import { statement, type Transaction } from './database/queries.ts';
import { failure, serviceUnavailable } from './failures.ts';
import { gather } from './gather.ts';
import type { Job } from './jobs.ts';
import { digestOf } from './secrets.ts';
import { type Clock, DAY_MS } from './time.ts';

export const keyReused = failure(
  422,
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key was used for another request',
);
export const requestInProgress = failure(
  409,
  'REQUEST_IN_PROGRESS',
  'A request with this Idempotency-Key is still running',
);

/** An answer to be remembered, ready to be written beside the effect. */
export interface Remembered {
  scope: string;
  key: string;
  fingerprint: Buffer;
  answer: string;
  at: Date;
}

/**
 * How an operation takes effect once however often it is asked to: it says, in the transaction of the effect, what it
 * will answer. Without an `Idempotency-Key` nothing is remembered.
 */
export interface Once {
  /** The same whenever the same request comes again under its key, else new each time; what external systems are given as theirs. */
  readonly id: string;
  /** What must be written, by {@link remember}, in the transaction of the effect; undefined without a key. */
  remembered(answer: () => unknown): Remembered | undefined;
}

/** What an operation will answer, told to the rules so that they remember it where the effect is. */
export interface Answering<Result> {
  once: Once;
  of: (result: Result) => unknown;
}

/** For a request without a key: done as often as it comes. */
export const everyTime: Once = {
  get id() {
    return randomUUID();
  },
  remembered: () => undefined,
};

const KEEP_MS = DAY_MS;

/** The effect was had before, by a request with the same key: nothing of this one may stand. */
export class AlreadyDone extends Error {
  override readonly name = 'AlreadyDone';
}

const insert = statement<{ key: string }>(
  'kernel.remember-answers',
  `insert into kernel.idempotency_key (scope, key, fingerprint, answer, created_at)
   select scope, key, fingerprint, answer::json, at
   from unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::timestamptz[])
     as remembered (scope, key, fingerprint, answer, at)
   order by scope, key
   on conflict (scope, key) do update
     set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
     where idempotency_key.created_at < $6
   returning key`,
);

/**
 * Remembers answers in the transaction of their effects.
 * @throws AlreadyDone when one of them was given before; the transaction must not commit then
 */
export async function remember(tx: Transaction, all: (Remembered | undefined)[]): Promise<void> {
  const given = all.filter((one) => one !== undefined);
  if (given.length === 0) return;
  const newest = Math.max(...given.map(({ at }) => at.getTime()));
  const rows = await tx.run(insert, [
    given.map(({ scope }) => scope),
    given.map(({ key }) => key),
    given.map(({ fingerprint }) => fingerprint),
    given.map(({ answer }) => answer),
    given.map(({ at }) => at),
    new Date(newest - KEEP_MS),
  ]);
  if (rows.length < given.length) throw new AlreadyDone('an effect that was had before');
}

interface Stored {
  fingerprint: Buffer;
  answer: unknown;
}

const select = statement<Stored & { scope: string; key: string }>(
  'kernel.remembered-answers',
  `select scope, key, fingerprint, answer
   from unnest($1::text[], $2::text[]) as asked (scope, key)
   join kernel.idempotency_key using (scope, key)
   where created_at >= $3`,
);

/** The rules of `Idempotency-Key`: the same key and request are answered once and then again, for a day. */
export function idempotency({ database, clock }: { database: Database; clock: Clock }) {
  /** Requests under way in this process; those of another wait for each other in {@link remember}. */
  const running = new Set<string>();

  const find = gather<{ scope: string; key: string }, Stored | undefined>(
    async (asked) => {
      const since = new Date(clock.now() - KEEP_MS);
      const rows = await database.run(select, [
        asked.map(({ scope }) => scope),
        asked.map(({ key }) => key),
        since,
      ]);
      const found = new Map(rows.map((row) => [`${row.scope} ${row.key}`, row]));
      return asked.map(({ scope, key }) => found.get(`${scope} ${key}`));
    },
    { most: 200, lanes: 2, waiting: 10_000, overflow: serviceUnavailable },
  );

  return {
    /**
     * Runs the work unless it was done before under this key, and answers what was remembered then.
     * @param request everything that makes two requests the same
     * @throws keyReused, requestInProgress, and what the work throws
     */
    async once<T>(
      { scope, key, request }: { scope: string; key: string; request: string },
      work: (once: Once) => Promise<T>,
    ): Promise<{ answered: T } | { remembered: unknown }> {
      const fingerprint = digestOf(request);
      const name = `${scope} ${key}`;
      const once: Once = {
        id: digestOf(name).toString('hex'),
        remembered: (answer) => ({
          ...{ scope, key, fingerprint, at: new Date(clock.now()) },
          answer: JSON.stringify(answer()),
        }),
      };
      const before = async (): Promise<{ remembered: unknown } | undefined> => {
        const stored = await find({ scope, key });
        if (stored && !fingerprint.equals(stored.fingerprint)) throw keyReused();
        return stored && { remembered: stored.answer };
      };
      if (running.has(name)) throw requestInProgress();
      running.add(name);
      try {
        return (await before()) ?? { answered: await work(once) };
      } catch (error) {
        if (!(error instanceof AlreadyDone)) throw error;
        const done = await before();
        if (!done) throw error;
        return done;
      } finally {
        running.delete(name);
      }
    },
    /** Remembers what had no effect to stand beside: a refusal. @throws AlreadyDone */
    remember: (answer: Remembered | undefined) => database.transaction((tx) => remember(tx, [answer])),
    forget: {
      name: 'kernel.forget-idempotency-keys',
      cron: '17 * * * *',
      runIn: async (tx: Transaction) => {
        await tx.sql('delete from kernel.idempotency_key where created_at < $1', [
          new Date(clock.now() - KEEP_MS),
        ]);
      },
    } satisfies Job,
  };
}

export type Idempotency = ReturnType<typeof idempotency>;

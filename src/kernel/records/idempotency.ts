import { randomUUID } from 'node:crypto';
import { batching } from '../concurrency/batching.ts';
import { lazy } from '../concurrency/lazy.ts';
import type { Database } from '../database/database.ts';
import { statement, type Transaction } from '../database/queries.ts';
import { Failure, failure, serviceUnavailable } from '../failures.ts';
import type { ObjectId } from '../ids.ts';
import { digestOf } from '../secrets.ts';
import { type Clock, DAY_MS } from '../time/time.ts';
import { retention } from './retention.ts';

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

/** A response and its key, to be saved in the transaction of the effect. */
export interface StoredResponse {
  scope: string;
  key: string;
  fingerprint: Buffer;
  answer: string;
  at: Date;
}

/**
 * Lets an operation take effect once, however often the same request arrives: the rules save the response in the
 * transaction of the effect. Without an `Idempotency-Key` nothing is saved.
 */
export interface IdempotencyContext {
  /**
   * Identifies the request: identical for every repetition under one key, otherwise new each time. Serves as the
   * idempotency key towards external systems.
   */
  readonly id: string;
  /**
   * Returns the record that {@link saveResponses} must write in the transaction of the effect; undefined without a key.
   */
  record(answer: () => unknown): StoredResponse | undefined;
}

/** How a rule derives the response of an operation from its result, so that it can save it with the effect. */
export interface Answering<Result> {
  idempotency: IdempotencyContext;
  /** By default, the result is the response. */
  of?: (result: Result) => unknown;
}
/** The same where the response differs from the result. */
export type RecordedAnswer<Result> = Required<Answering<Result>>;

/** The context of a request without a key, which takes effect each time it arrives. */
export const notIdempotent: IdempotencyContext = {
  get id() {
    return randomUUID();
  },
  record: () => undefined,
};

/** How long a response is replayed for the same `Idempotency-Key`. */
export const IDEMPOTENCY_MS = DAY_MS;

/** The scope of a member's keys. */
export const userScope = (userId: ObjectId): string => `user:${userId}`;

/** Thrown when a request with the same key has already taken effect; the transaction must roll back. */
export class AlreadyProcessed extends Error {
  override readonly name = 'AlreadyProcessed';
}

/**
 * The first line of a statement that saves responses together with their effects. That suffices: a key that was used
 * before violates the primary key, so that the statement takes no effect, and {@link saveResponses} then finds the
 * reason.
 */
export const WRITE_RESPONSES =
  'insert into kernel.idempotency_key (scope, key, fingerprint, answer, created_at)';

/** What marks a claim. It is in the answer, so that a program of before, which knows no claims, replaces both at once. */
const CLAIM = { isClaim: true };
const IS_CLAIM = "coalesce(idempotency_key.answer ->> 'isClaim', 'false') = 'true'";

const insert = statement<{ key: string }>(
  'kernel.remember-answers',
  `${WRITE_RESPONSES}
   select scope, key, fingerprint, answer::json, at
   from unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::timestamptz[])
     as remembered (scope, key, fingerprint, answer, at)
   order by scope, key
   on conflict (scope, key) do update
     set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
     where idempotency_key.created_at < $6
       or ${IS_CLAIM} and idempotency_key.fingerprint = excluded.fingerprint
   returning key`,
);

const giveBack = statement<never>(
  'kernel.give-back-key',
  `delete from kernel.idempotency_key where scope = $1 and key = $2 and fingerprint = $3 and ${IS_CLAIM}`,
);

/**
 * Saves responses in the transaction of their effects.
 * @throws AlreadyProcessed when one of them was saved before; the transaction must then roll back
 */
export async function saveResponses(tx: Transaction, all: (StoredResponse | undefined)[]): Promise<void> {
  const given = all.filter((one) => one !== undefined);
  if (given.length === 0) return;
  const newest = Math.max(...given.map(({ at }) => at.getTime()));
  const rows = await tx.all(insert, [
    given.map(({ scope }) => scope),
    given.map(({ key }) => key),
    given.map(({ fingerprint }) => fingerprint),
    given.map(({ answer }) => answer),
    given.map(({ at }) => at),
    new Date(newest - IDEMPOTENCY_MS),
  ]);
  if (rows.length < given.length) throw new AlreadyProcessed('the key was processed before');
}

/**
 * Saves what is answered to a request with its effect, if the request has a key, and returns the result.
 * @param tx the transaction of the effect
 * @throws AlreadyProcessed when it was saved before; the transaction must then roll back
 */
export async function answered<Result>(
  tx: Transaction,
  { idempotency, of = (result) => result }: Answering<Result>,
  result: Result,
): Promise<Result> {
  await saveResponses(tx, [idempotency.record(() => of(result))]);
  return result;
}

interface Stored {
  fingerprint: Buffer;
  answer: unknown;
  isClaim: boolean;
}

/**
 * Keeps other requests from the key before the effect, for work that does not save its response in the transaction of
 * the effect. The same request can still be repeated, which must do no harm.
 * @param meanwhile what a process of an earlier release, which knows no claims, sends to the same request until then
 * @returns what gives the key back after a refusal that the same request would have in every process
 * @throws AlreadyProcessed
 */
type Claim = (meanwhile: object) => Promise<() => Promise<void>>;

const select = statement<Stored & { scope: string; key: string }>(
  'kernel.remembered-answers',
  `select scope, key, fingerprint, answer, ${IS_CLAIM} as is_claim
   from unnest($1::text[], $2::text[]) as asked (scope, key)
   join kernel.idempotency_key using (scope, key)
   where created_at >= $3`,
);

/** Implements `Idempotency-Key`: repeating a request under its key returns the saved response, for a day. */
export function idempotency({ database, clock }: { database: Database; clock: Clock }) {
  /** Requests in flight in this process. Across processes, {@link saveResponses} makes them wait for each other. */
  const running = new Set<string>();

  const find = batching<{ scope: string; key: string }, Stored | undefined>(
    async (lookups) => {
      const since = new Date(clock.now() - IDEMPOTENCY_MS);
      const rows = await database.all(select, [
        lookups.map(({ scope }) => scope),
        lookups.map(({ key }) => key),
        since,
      ]);
      const found = new Map(rows.map((row) => [`${row.scope} ${row.key}`, row]));
      return lookups.map(({ scope, key }) => found.get(`${scope} ${key}`));
    },
    { maxSize: 200, concurrency: 2, maxQueued: 10_000, onOverflow: serviceUnavailable },
  );

  const saveResponse = (response: StoredResponse | undefined): Promise<void> =>
    database.transaction((tx) => saveResponses(tx, [response]));

  return {
    /**
     * Runs the work unless it was done before under this key; otherwise returns the saved response.
     * @param request returns a text that is equal for identical requests; called only when a response or a claim is found
     *   or made
     * @throws keyReused, requestInProgress, and the errors of the work and of `request`
     */
    async once<T>(
      { scope, key, request }: { scope: string; key: string; request: () => string },
      work: (idempotency: IdempotencyContext, claim: Claim) => Promise<T>,
    ): Promise<{ answered: T } | { remembered: unknown }> {
      const fingerprint = lazy(() => digestOf(request()));
      const name = `${scope} ${key}`;
      const stored = (answer: unknown): StoredResponse => ({
        scope,
        key,
        fingerprint: fingerprint(),
        at: clock.date(),
        answer: JSON.stringify(answer),
      });
      const idempotency: IdempotencyContext = {
        id: digestOf(name).toString('hex'),
        record: (answer) => stored(answer()),
      };
      const claim: Claim = async (meanwhile) => {
        await saveResponse(stored({ ...meanwhile, ...CLAIM }));
        return async () => {
          await database.execute(giveBack, [scope, key, fingerprint()]);
        };
      };
      const before = async (): Promise<{ remembered: unknown } | undefined> => {
        const found = await find({ scope, key });
        if (found && !fingerprint().equals(found.fingerprint)) throw keyReused();
        return found && !found.isClaim ? { remembered: found.answer } : undefined;
      };
      if (running.has(name)) throw requestInProgress();
      running.add(name);
      try {
        return (await before()) ?? { answered: await work(idempotency, claim) };
      } catch (error) {
        // A conflict may be one with the same request, which has taken effect in another process meanwhile.
        const isConflict = error instanceof Failure && error.status === 409;
        if (!(error instanceof AlreadyProcessed || isConflict)) throw error;
        const done = await before();
        if (!done) throw error;
        return done;
      } finally {
        running.delete(name);
      }
    },
    /**
     * Saves a response without an effect, such as a rejection.
     * @throws AlreadyProcessed
     */
    saveResponse,
    /** Deletes the saved responses of a caller. */
    async erase(scope: string): Promise<void> {
      await database.execute('delete from kernel.idempotency_key where scope = $1', [scope]);
    },
    forget: retention(
      { database, clock },
      {
        name: 'kernel.forget-idempotency-keys',
        cron: '17 * * * *',
        tables: [{ table: 'kernel.idempotency_key', key: 'scope, key', since: 'created_at', days: 1 }],
      },
    ),
  };
}

export type Idempotency = ReturnType<typeof idempotency>;

// The shared parts of `npm run bench`: a platform, a bare server beside it, and requests of its members.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from './children.ts';
import { type Fixture, type FixtureOptions, startFixture } from './fixture.ts';
import { load, request } from './load.ts';
import { interleave, SECONDS, type TurnsOf, type Variant, type Variants, WARM_UP_SECONDS } from './paired.ts';
import type { Pgbench } from './pgbench.ts';
import { preparePgbench } from './pgbench.ts';

export const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 1_000);
/** Members enough for loads of chat messages, of which each may send a hundred a minute. */
export const CHATTING_MEMBERS = 4 * MEMBERS;
const CONNECTIONS = 32;

const anyOf = <T>(items: T[]): T => items[Math.floor(Math.random() * items.length)] as T;

/** The dependencies of a part, made once for all parts. */
export interface Scene {
  fixture: Fixture;
  bare: Child;
  requests: Requests;
  /** A load on the platform. */
  ours(next: () => Buffer, connections?: number): Variant;
  /** A load on the bare server, while the platform is stopped. */
  limit(next: () => Buffer, connections?: number): Variant;
  /** The variants of pgbench, while the platform is stopped; none if pgbench is not installed. */
  pgbench(): Promise<Partial<Record<'simple' | 'prepared' | 'own writes', Variant>>>;
  interleave<V extends Variants>(title: string, variants: V): Promise<TurnsOf<V>>;
  /** Queries the database of the platform. */
  ask(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

type Requests = ReturnType<typeof requestsOf>;

export function requestsOf({ members, apiKeys, unlimitedKey, credentials }: Fixture) {
  const headersOf = (token: string) => ({ 'x-api-key': anyOf(apiKeys), authorization: `Bearer ${token}` });
  const reads = members.flatMap(({ token }) =>
    apiKeys
      .slice(0, 10)
      .map((key) => request('GET', '/v1/wallets/balance', { ...headersOf(token), 'x-api-key': key })),
  );
  const bareReads = members.map(({ id }) => request('GET', `/balance/${id}`, {}));
  const bareHistories = members.map(({ id }) => request('GET', `/history/${id}`, {}));
  const transfer = (token: string, toUserId: string) =>
    request('POST', '/v1/wallets/transfer', headersOf(token), { toUserId, amount: 1, description: 'bench' });
  const [hot, ...others] = members;
  const richest = anyOf(members);
  const balance = () => anyOf(reads);
  const history = () => request('GET', '/v1/wallets/transactions', headersOf(anyOf(members).token));
  const uniformTransfer = () => {
    const sender = anyOf(members);
    let recipient = anyOf(members);
    while (recipient === sender) recipient = anyOf(members);
    return transfer(sender.token, recipient.id);
  };
  return {
    /** The member with a million entries. */
    richest,
    ofRichest: (path: string) =>
      request('GET', path, { ...headersOf(richest.token), 'x-api-key': unlimitedKey }),
    balance,
    bareBalance: () => anyOf(bareReads),
    history,
    bareHistory: () => anyOf(bareHistories),
    uniformTransfer,
    /** 70 % balances, 20 % transfers, 10 % history. */
    mixed: () => {
      const dice = Math.random();
      if (dice < 0.7) return balance();
      return dice < 0.9 ? uniformTransfer() : history();
    },
    transferToHot: () => transfer(anyOf(others).token, hot?.id as string),
    signIn: () =>
      request(
        'POST',
        '/v1/auth/signin',
        { 'x-api-key': anyOf(apiKeys) },
        { ...anyOf(credentials), platform: 'web', device: 'bench' },
      ),
  };
}

/** Runs one turn of a load; fails unless every answer is a success. */
export async function loadOnce(
  url: string | string[],
  connections: number,
  next: () => Buffer,
  seconds = SECONDS,
) {
  const result = await load({ url, connections, seconds, warmUpSeconds: WARM_UP_SECONDS, next });
  const wrong = Object.keys(result.statuses).filter((status) => !status.startsWith('2'));
  if (wrong.length > 0) throw new Error(`not all were answered well: ${JSON.stringify(result.statuses)}`);
  return result;
}

export async function startScene(options?: FixtureOptions): Promise<Scene> {
  console.error(`a platform with ${MEMBERS} members starts`);
  const fixture = await startFixture(MEMBERS, options);
  const bare = await startChild(['bench/bare-server.ts'], { DATABASE_URL: fixture.databaseUrl });
  const bareUrl = bare.readyValues.url as string;
  let prepared: Promise<Pgbench | undefined> | undefined;
  /**
   * Resumes the platform and waits until the transactions in which it was stopped have ended. If it were stopped in the
   * same ones turn after turn, PostgreSQL would end their connections because of idle transactions.
   */
  const goOn = async (): Promise<void> => {
    const [now] = await fixture.ask('select now() as at');
    const open = `select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start < $1`;
    while ((await fixture.ask(open, [now?.at])).length > 0) await sleep(10);
  };
  const resting = (perSecond: () => number): Variant => ({
    run: async () => {
      const rate = perSecond();
      return { perSecond: rate, answered: rate * SECONDS };
    },
    stopped: [fixture.pid],
    after: goOn,
  });
  return {
    fixture,
    bare,
    requests: requestsOf(fixture),
    ours: (next, connections = CONNECTIONS) => ({
      run: () => loadOnce(fixture.url, connections, next),
      serverPid: fixture.pid,
    }),
    limit: (next, connections = CONNECTIONS) => ({
      run: () => loadOnce(bareUrl, connections, next),
      serverPid: bare.process.pid as number,
      stopped: [fixture.pid],
      after: goOn,
    }),
    pgbench: async () => {
      prepared ??= fixture.createDatabase('pgbench').then(() => preparePgbench(fixture.urlOf('pgbench')));
      const pgbench = await prepared;
      if (!pgbench) return {};
      return {
        simple: resting(() => pgbench.tpcB('simple', SECONDS)),
        prepared: resting(() => pgbench.tpcB('prepared', SECONDS)),
        'own writes': resting(() => pgbench.ownWrites(SECONDS)),
      };
    },
    interleave: (title, variants) => interleave(variants, { postmasterPid: fixture.postmasterPid, title }),
    ask: fixture.ask,
    stop: async () => {
      await bare.stop();
      await fixture.stop();
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { type Child, startChild } from './children.ts';

interface Member {
  id: string;
  token: string;
  refreshToken: string;
}

/** A platform in a separate process on an embedded PostgreSQL, with members who have wallets and Keys. */
export interface Fixture {
  url: string;
  databaseUrl: string;
  urlOf(database: string): string;
  /** Queries the database of the platform. */
  ask(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  createDatabase(name: string): Promise<void>;
  /** Keys of a limited tier; several, because a benchmark exceeds the allowance of one client. */
  apiKeys: string[];
  /** A key of the unlimited Admin tier, for many requests of one member. */
  unlimitedKey: string;
  members: Member[];
  /** Starts another process of the platform on the same database, and returns its address and id. */
  startAnother(): Promise<{ url: string; pid: number }>;
  /** Replaces the members' tokens, which expire after 15 minutes. */
  renewTokens(): Promise<void>;
  /** The credentials of the first administrator. */
  admin: { email: string; password: string };
  /** The credentials of some members. */
  credentials: { email: string; password: string }[];
  /** The id of the platform's process. */
  pid: number;
  /** The id of PostgreSQL's postmaster. */
  postmasterPid: number;
  stop(): Promise<void>;
}

const KEYS = 20;
const PASSWORD = 'a password for the benchmark';
const STARTING_BALANCE = 1_000_000;

export interface FixtureOptions {
  /** The folder in which the database is kept between runs; each run adds members. */
  keptFolder?: string | undefined;
  /** The program to start; by default that of this worktree. */
  program?: string;
  /** Further settings of the platform. */
  environment?: Record<string, string>;
}

export async function startFixture(
  memberCount: number,
  { keptFolder, program = 'src/main.js', environment = {} }: FixtureOptions = {},
): Promise<Fixture> {
  const folder = keptFolder ?? mkdtempSync(join(tmpdir(), 'platform-bench-'));
  const run = keptFolder ? `-${Date.now()}` : '';
  const cluster = await startCluster({ folder: join(folder, 'postgres') });
  await cluster.createDatabase('platform');
  const databaseUrl = cluster.urlOf('platform');
  const start = (): Promise<Child> =>
    startChild([program, 'start'], {
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      PORT: '0',
      ...environment,
    });
  const platform = await start();
  const others: Child[] = [];
  const url = platform.readyValues.url as string;
  const call = caller(url, platform);
  const admin = await call('/v1/auth/signin', {
    email: platform.readyValues.adminEmail,
    password: platform.readyValues.adminPassword,
    platform: 'web',
  });
  const apiKeys: string[] = [];
  for (let number = 0; number < KEYS; number++) {
    apiKeys.push(
      (await call('/v1/admin/api-keys', { name: 'bench', tier: 'crm' }, admin.accessToken)).key as string,
    );
  }
  const members = await inParallel(memberCount, 8, async (number) => {
    const signedUp = await call('/v1/auth/signup', {
      email: `member${number}${run}@example.com`,
      password: PASSWORD,
      firstName: 'Member',
      lastName: String(number),
      platform: 'web',
    });
    const { id } = signedUp.user as { id: string };
    await call('/v1/wallets/admin/fund', { userId: id, amount: STARTING_BALANCE }, admin.accessToken);
    return { id, ...tokensOf(signedUp) };
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // What autovacuum would do within the first minute, so that plans for empty tables are replaced.
  if (!keptFolder) await client.query('vacuum analyze');
  return {
    url,
    databaseUrl,
    urlOf: cluster.urlOf,
    ask: async (text, values) => (await client.query(text, values)).rows,
    createDatabase: (name) => cluster.createDatabase(name),
    apiKeys,
    unlimitedKey: platform.readyValues.adminApiKey as string,
    members,
    startAnother: async () => {
      const other = await start();
      others.push(other);
      return { url: other.readyValues.url as string, pid: other.process.pid as number };
    },
    renewTokens: async () => {
      await inParallel(members.length, 8, async (number) => {
        const member = members[number] as Member;
        const { refreshToken } = member;
        Object.assign(member, tokensOf(await call('/v1/auth/refresh-token', { refreshToken })));
      });
    },
    admin: {
      email: platform.readyValues.adminEmail as string,
      password: platform.readyValues.adminPassword as string,
    },
    credentials: members
      .slice(0, 100)
      .map((_, number) => ({ email: `member${number}${run}@example.com`, password: PASSWORD })),
    pid: platform.process.pid as number,
    postmasterPid: cluster.pid as number,
    stop: async () => {
      await client.end();
      await Promise.all([platform, ...others].map((one) => one.stop()));
      await cluster.stop();
      if (!keptFolder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const tokensOf = ({ accessToken, refreshToken }: Record<string, unknown>): Omit<Member, 'id'> => ({
  token: accessToken as string,
  refreshToken: refreshToken as string,
});

function caller(url: string, { readyValues }: Child) {
  return async (path: string, body: object, token?: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        'x-api-key': readyValues.adminApiKey as string,
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { success: boolean; data: Record<string, unknown> };
    if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
}

async function inParallel<T>(
  count: number,
  lanes: number,
  work: (number: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < count; number = next++) results[number] = await work(number);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

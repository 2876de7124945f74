import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { pino } from 'pino';
import { buyKeys, createWallet, fundWalletAsAdmin, signIn, signUp } from '../../sdk/src/index.ts';
import { readConfig } from '../../src/app/config.ts';
import { createPlatform, type Platform } from '../../src/app/platform.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { messageCheck } from '../../src/kernel/operations/message-check.ts';
import { type TravellingClock, travellingClock } from '../../src/kernel/time/time.ts';
import type { Module } from '../../src/modules/module.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { sandboxSettings } from '../../src/sandbox/settings.ts';
import { Client, newEmail, PASSWORD } from './client.ts';
import { newDatabase } from './databases.ts';
import { PATIENCE_MS } from './live.ts';
import { patientDatabase } from './patient-database.ts';
import { type Mail, mailsIn, type Push, pushesIn } from './received.ts';
import { standIns } from './stand-ins.ts';

/** A signed-in member. */
export interface Member {
  client: Client;
  id: string;
  email: string;
  accessToken: string;
  refreshToken: string;
}

/** A platform on a database of its own, with helpers for tests. */
export interface TestPlatform {
  url: string;
  databaseUrl: string;
  platform: Platform;
  /** The URL of the stand-ins for external systems. */
  sandboxUrl: string;
  /** Waits for a mail of this kind to an address, whose text matches if a pattern is given; returns the newest. */
  mailTo(to: string, kind: string, text?: RegExp): Promise<Mail>;
  /** Returns the mails to an address, newest first. */
  mailsTo(to: string): Promise<Mail[]>;
  /** Returns the pushes to a device, newest first. */
  pushesTo(token: string): Promise<Push[]>;
  /** Changes the behaviour of a stand-in until the test ends or, outside of a test, for all tests of the file. */
  standIn: ReturnType<typeof standIns>;
  /** Opens a checkout as a member. */
  checkout(member: Pick<Member, 'client'>, keys: number): Promise<{ id: string; link: string; usd: number }>;
  /** Pays, declines or cancels on the checkout's page; returns the address that it redirects to. */
  pay(link: string, outcome?: 'pay' | 'decline' | 'cancel'): Promise<string>;
  /** The lines that the platform has logged; by default only errors are logged. */
  logged: string[];
  /** Reads a metric from `/metrics`. */
  metric(name: string): Promise<number>;
  /** A connection for checks that the API does not offer. */
  database: Database;
  clock: TravellingClock;
  /** A client with an API key of the Admin tier and no token. */
  client: Client;
  /** A client that is signed in as the first administrator. */
  admin: Client;
  adminId: string;
  /** Signs the first administrator in again, after a sign-out or a jump of the clock. */
  signInAdmin(): Promise<Client>;
  newKey(tier: string): Promise<{ id: string; key: string }>;
  newMember(): Promise<Member>;
  /** Creates a member with a wallet that contains this many Keys. */
  newMemberWith(keys: number): Promise<Member>;
}

export const SECRET_KEY = 'a secret key for tests, long enough';
export const PAYMENT_WEBHOOK_SECRET = 'whsec_of_the_tests';
export const WEBHOOK_SECRET = 'the webhook secret of the tests';
export const INTERNAL_KEY = 'an internal key for tests';
export const ADMIN = { email: 'admin@example.com', password: 'an administrator for tests' };
const SETUP = { actor: 'test' };

/** Starts a platform for this test file; it ends with the file. */
export async function startPlatform(
  environment: Record<string, string> = {},
  others: Module[] = [],
): Promise<TestPlatform> {
  const { url: databaseUrl, drop } = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-test-data-'));
  const paymentWebhookSecret = PAYMENT_WEBHOOK_SECRET;
  // Tests can move it, and it also runs by itself, so that code that waits for time to pass does not hang.
  const clock = travellingClock();
  const objectsFolder = join(dataDir, 'storage');
  const sandbox = await startSandbox({
    port: 0,
    paymentWebhookSecret,
    payoutDelay: 3600,
    administrator: () => ADMIN,
    objectsFolder,
    clock,
  });
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: '6',
    SECRET_KEY,
    INTERNAL_API_KEY: INTERNAL_KEY,
    WEBHOOK_SECRET,
    LOG_LEVEL: 'error',
    // With its low priority the transcoder would run only when no other test does.
    TRANSCODE_NICENESS: '0',
    LIVE_PLATFORM_URL: 'https://live.example.com/sso?from=platform',
    ...environment,
  });
  const logged: string[] = [];
  const destination = {
    write: (line: string) => {
      logged.push(line);
      process.stderr.write(line);
    },
  };
  const platform = await createPlatform({
    config: {
      ...config,
      databaseUrl,
      secretKey: config.secretKey as string,
      ...sandboxSettings(sandbox, config, { paymentWebhookSecret }),
    },
    others,
    decorators: sandbox.decorators,
    check: messageCheck(),
    log: pino({ level: config.logLevel }, destination),
    clock,
  });
  const database = patientDatabase(databaseUrl, 3);
  after(async () => {
    await platform.close();
    await sandbox.close();
    await database.close();
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { userId: adminId } = await platform.identity.ensureAdministrator({
    ...ADMIN,
    firstName: 'First',
    lastName: 'Administrator',
  });
  const { key } = await platform.keys.create({ name: 'tests', tier: 'admin' }, SETUP);
  // The jobs that run at each start would find nothing in a new database, at an eighth of the cost of a test file.
  await platform.work({ catchesUp: false });
  const url = await platform.listen();
  sandbox.deliverTo(url);
  sandbox.catchUpBy(platform.catchUp);
  const client = new Client(url, { 'x-api-key': key });
  async function signInAdmin(): Promise<Client> {
    const { data } = await client.call(signIn, { body: { ...ADMIN, platform: 'backoffice' } });
    return client.as(data.accessToken);
  }
  const admin = await signInAdmin();

  async function newMember(): Promise<Member> {
    const email = newEmail();
    const { data } = await client.call(signUp, {
      body: {
        email,
        password: PASSWORD,
        firstName: 'Test',
        lastName: 'Member',
        platform: 'web',
      },
    });
    const { accessToken, refreshToken, user } = data;
    return { client: client.as(accessToken), id: user.id, email, accessToken, refreshToken };
  }

  return {
    url,
    databaseUrl,
    sandboxUrl: sandbox.url,
    mailTo: async (to, kind, text = /^/) => {
      for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
        const mails = await mailsIn(sandbox.url, to);
        const found = mails.find((mail) => mail.kind === kind && text.test(mail.text));
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no mail of the kind ${kind} with ${text} arrived at ${to}`);
    },
    mailsTo: (to) => mailsIn(sandbox.url, to),
    pushesTo: (token) => pushesIn(sandbox.url, token),
    standIn: standIns(sandbox.url),
    checkout: async (member, keys) => {
      const { status, data } = await member.client.call(buyKeys, { body: { amount: keys } });
      if (status !== 201) throw new Error(`the checkout was refused: ${status}`);
      return { id: data.checkoutSessionId, link: data.paymentLink, usd: data.usdAmount };
    },
    pay,
    logged,
    metric: async (name) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    },
    platform,
    database,
    clock,
    client,
    admin,
    adminId,
    signInAdmin,
    newKey: (tier) => platform.keys.create({ name: tier, tier: tier as 'crm' }, SETUP),
    newMember,
    newMemberWith: async (keys) => {
      const member = await newMember();
      await member.client.call(createWallet);
      if (keys > 0) await admin.call(fundWalletAsAdmin, { body: { userId: member.id, amount: keys } });
      return member;
    },
  };
}

export async function pay(link: string, outcome = 'pay'): Promise<string> {
  const { headers } = await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ outcome }),
    redirect: 'manual',
  });
  return headers.get('location') ?? '';
}

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBulkNotification, sendBulkNotification, signIn } from '../../sdk/src/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { patientDatabase } from '../support/patient-database.ts';
import { startProgram } from '../support/programs.ts';
import { mailsIn } from '../support/received.ts';

const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-notifications-'));
const sandbox = await startSandbox({ port: 0, paymentWebhookSecret: 'whsec', payoutDelay: 3600 });
const database = patientDatabase(databaseUrl, 2);
const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', SMTP_URL: sandbox.smtpUrl };
const workers: Awaited<ReturnType<typeof startProgram>>[] = [];
async function startWorker(nodeOptions = '') {
  const options = { ...environment, ROLE: 'worker', NODE_OPTIONS: nodeOptions };
  const worker = await startProgram(['src/main.js', 'start'], options);
  workers.push(worker);
  return worker;
}
const api = await startProgram(['src/main.js', 'start'], { ...environment, ROLE: 'api' });
after(async () => {
  for (const program of [api, ...workers]) await program.end('SIGKILL');
  await sandbox.close();
  await database.close();
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const { adminApiKey, adminEmail, adminPassword, url } = api.readyValues;
const client = new Client(url as string, { 'x-api-key': adminApiKey as string });
const signedIn = await client.call(signIn, {
  body: { email: adminEmail as string, password: adminPassword as string, platform: 'web' },
});
const admin = client.as(signedIn.data.accessToken);

/** Rows that even a busy machine inserts within the time limit of a statement. */
const CROWD_AT_ONCE = 1_000;

/** Inserts members directly: signing up a hundred thousand would take an hour of hashing. */
async function newCrowd(prefix: string, size: number): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 1; from <= size; from += CROWD_AT_ONCE) {
    const rows = await database.all(
      `insert into identity.user (id, email, username, first_name, last_name, created_at, updated_at)
       select $1 || lpad(to_hex(n), 23, '0'), $1 || n || '@example.com', $1 || n, 'A', 'Crowd', now(), now()
       from generate_series($2::integer, $3::integer) n returning id`,
      [prefix, from, Math.min(size, from + CROWD_AT_ONCE - 1)],
    );
    ids.push(...rows.map(({ id }) => id as string));
  }
  return ids;
}

const control = async (body?: object): Promise<{ received: number; kept: number }> =>
  (
    await fetch(`${sandbox.url}/control/mail`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    })
  ).json() as Promise<{ received: number; kept: number }>;

async function until(what: string, holds: () => Promise<boolean>, timeoutMs = 600_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await holds()); await sleep(20))
    assert.ok(Date.now() < deadline, `${what} did not come within ${timeoutMs} ms`);
}

test('after a worker is killed during deliveries every mail arrives once', async () => {
  const SIZE = 60;
  const crowd = await newCrowd('a', SIZE);
  const notification = {
    type: 'reminder' as const,
    title: 'Soon',
    message: 'It begins.',
    channels: ['email' as const],
  };
  await admin.call(sendBulkNotification, { body: { userIds: crowd, notification } });
  const first = await startWorker();
  await until('the first mails', async () => (await control()).received >= 10);
  // From here on mails hang halfway: it is unknown whether they were sent.
  await control({ mode: 'hang' });
  await sleep(100);
  first.process.kill('SIGKILL');
  await control({ mode: 'ok' });
  const { received } = await control();
  assert.ok(received < SIZE, `it was killed before the end, at ${received}`);
  const second = await startWorker();
  await until('all of them', async () => {
    const found = await database.execute(
      `select 1 from notifications.delivery join notifications.notification on id = notification_id
       where channel = 'email' and status = 'sent' and title = 'Soon'`,
    );
    return found === SIZE;
  });
  const mails = await mailsIn(sandbox.url);
  const reached = mails.filter(({ subject }) => subject === 'Soon').map(({ to }) => to);
  assert.equal(reached.length, SIZE, 'one mail each, by its Message-ID');
  assert.equal(new Set(reached).size, SIZE);
  await second.end('SIGTERM');
});

test('a bulk message to thirty thousand recipients needs no more memory than one to twelve thousand', async () => {
  const crowd = await newCrowd('b', 30_000);
  // The worker runs out of memory if it holds all notifications at once.
  const worker = await startWorker('--max-old-space-size=96');
  const residentMb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker.process.pid}/status`, 'utf8'))?.[1] as string) /
    1024;
  const notification = {
    type: 'announcement' as const,
    title: 'To everybody',
    message: 'x'.repeat(2_000),
    channels: ['push' as const],
    metadata: { action: 'open-notifications' as const },
  };
  const jobIds: string[] = [];
  const progress = async () =>
    Promise.all(
      jobIds.map(async (id) => (await admin.call(getBulkNotification, { params: { jobId: id } })).data),
    );
  const tell = async (userIds: string[]): Promise<void> => {
    const { status, data } = await admin.call(sendBulkNotification, { body: { userIds, notification } });
    assert.deepEqual([status, data.requested], [201, userIds.length]);
    jobIds.push(data.jobId);
  };
  const isDone = async () => (await progress()).every(({ status }) => status === 'finished');
  for (const at of [0, 6_000]) await tell(crowd.slice(at, at + 6_000));
  await until('the first twelve thousand', isDone);
  const before = residentMb();
  for (const at of [12_000, 21_000]) await tell(crowd.slice(at, at + 9_000));
  let most = before;
  await until('all the others', async () => {
    most = Math.max(most, residentMb());
    return isDone();
  });
  assert.equal(
    (await progress()).reduce((sum, { done }) => sum + done, 0),
    30_000,
  );
  const rows = await database.all(
    "select count(*) as n, count(distinct user_id) as members from notifications.notification where title = 'To everybody'",
  );
  assert.deepEqual(rows, [{ n: 30_000, members: 30_000 }]);
  assert.ok(most - before < 100, `it grew from ${before.toFixed()} to ${most.toFixed()} MB`);
  assert.equal(await worker.end('SIGTERM'), 0);
});

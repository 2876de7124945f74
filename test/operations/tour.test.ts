// A newcomer's first steps: the sandbox is registered as a receiver of webhooks, the tour runs, and the received
// webhooks are those of the feed, also after a kill -9.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { getWebhookEndpoint, listEvents, replayWebhooks, signIn, signUp } from '../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { freePort } from '../support/ports.ts';
import { type Program, runProgram, startProgram } from '../support/programs.ts';

const { url: databaseUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-tour-'));
const environment = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
  PORT: await freePort(),
  // A fixed port, so that the registered address stays valid after a restart.
  SANDBOX_PORT: await freePort(),
};
const TOUR = ['src/main.js', 'tour'];
let server: Program;
const start = async (): Promise<void> => {
  server = await startProgram(['src/main.js', 'start'], environment);
};
after(async () => {
  await server?.end('SIGKILL');
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

async function register(): Promise<{ id: string }> {
  const response = await fetch(`${server.readyValues.sandbox}/webhooks/register`, { method: 'POST' });
  assert.equal(response.status, 200, await response.clone().text());
  secrets.add((await inbox()).endpoint.secret);
  return (await response.json()) as { id: string };
}
interface Inbox {
  endpoint: { secret: string };
  deliveries: { headers: Record<string, string>; body: string }[];
}
const inbox = async () =>
  (await (await fetch(`${server.readyValues.sandbox}/webhooks/inbox`)).json()) as Inbox;
const client = () =>
  new Client(server.readyValues.url as string, { 'x-api-key': server.readyValues.adminApiKey as string });

/** All secrets so far: each registration creates a new one while deliveries with the former one are under way. */
const secrets = new Set<string>();

function verify({ headers, body }: Inbox['deliveries'][number]): void {
  const faults = [...secrets].map((secret) => {
    try {
      return void new Webhook(secret).verify(body, headers);
    } catch (error) {
      return error;
    }
  });
  if (faults.every((fault) => fault !== undefined)) throw faults.at(-1);
}

/** The verified signatures. Each is verified once, when it arrives, since it is only valid for five minutes. */
const verified = new Set<string>();

/** Returns the events in the inbox by number, after `standardwebhooks` has verified them. */
async function received(): Promise<Map<number, { id: string; type: string }>> {
  const { deliveries } = await inbox();
  const events = new Map();
  for (const delivery of deliveries) {
    const signed = `${delivery.headers['webhook-signature']} ${delivery.body}`;
    if (!verified.has(signed)) verify(delivery);
    verified.add(signed);
    const event = JSON.parse(delivery.body);
    assert.deepEqual(events.get(event.sequence) ?? event, event);
    events.set(event.sequence, event);
  }
  return events;
}
async function newMember(): Promise<void> {
  const body = {
    email: newEmail(),
    password: PASSWORD,
    firstName: 'A',
    lastName: 'B',
    platform: 'web' as const,
  };
  await client().call(signUp, { body });
}

test('the tour reports in a sentence that no server runs', async () => {
  const { code, output, complaints } = await runProgram(TOUR, environment);
  assert.deepEqual([code, output], [1, '']);
  assert.equal(complaints, 'No server is running here. Run "npm start" in another terminal first.\n');
});

const skip = process.env.TEST_FFMPEG ? false : 'ffmpeg is not installed';

test('every command of docs/tour.md works unchanged', { skip }, async () => {
  await start();
  await register();
  let isOver = false;
  const tour = runProgram(TOUR, environment).finally(() => {
    isOver = true;
  });
  for (; !isOver; await Promise.race([tour, sleep(1000)])) await received();
  const { code, output, complaints } = await tour;
  assert.deepEqual([code, complaints], [0, ''], output);

  const answers = [...output.matchAll(/^ {6}(\d{3}) .*$/gm)];
  // Only Ben's sign-in to the app is refused.
  const failures = answers.filter(([, status]) => Number(status) >= 400).map(([line]) => line.trim());
  assert.equal(failures.length, 1, failures.join('\n'));
  assert.match(failures[0] as string, /^403 PLATFORM_ACCESS_DENIED: /);
  assert.ok(answers.length > 50, output);
  for (const chapter of ['Accounts', 'Money', 'Chat', 'Courses', 'Educators', 'Indicators'])
    assert.match(output, new RegExp(`^${chapter}\n=+$`, 'm'));
  assert.match(
    output,
    /^# Two members, Ada and Ben, sign up\.\n {2}POST \/v1\/auth\/signup\n {6}201 User created/m,
  );
  assert.match(output, /idempotent-replayed: true/i);
  assert.match(output, /The ledger is sound\./);
  assert.match(output, /^ {6}ada has 1 e-mail$/m);
  assert.match(output, /^ {6}ben has 0 e-mail$/m);
  assert.match(output, /RESOLUTION=1280x720/);
  assert.match(output, /GET \/v1\/certificates\/\w+\n {6}200 /);
  assert.match(output, /ada_trades/);
  assert.match(output, /GET \/v1\/streams\/scanners\/access\/mine\n {6}200 /);
  assert.match(output, /\nThe tour is over\.\n$/);
});

test('every event of the tour comes to the sandbox, verified by an independent library, and the feed lists the same events after a kill', {
  skip,
}, async () => {
  await until(async () => (await received()).size > 10, 'deliveries of the tour');
  const params = await register();
  await Promise.all(Array.from({ length: 10 }, newMember));
  await server.end('SIGKILL');

  await start();
  assert.deepEqual(await register(), { ...(await register()), ...params });
  await newMember();
  const { adminEmail: email, adminPassword: password } = server.readyValues as {
    adminEmail: string;
    adminPassword: string;
  };
  const { data } = await client().call(signIn, { body: { email, password, platform: 'web' } });
  const admin = client().as(data.accessToken);
  const read = async () => (await admin.call(getWebhookEndpoint, { params })).data;
  const { createdAt } = await read();
  // Earlier events may enter the feed after the registration; they do not count.
  const feed = async () =>
    (await client().call(listEvents, { query: { limit: 500 } })).data.filter(
      ({ timestamp }) => timestamp >= createdAt,
    );
  await until(async () => (await read()).lastSequence === (await feed()).length, 'all numbers');
  await until(async () => (await read()).pending === 0, 'the rest');
  // The restarted receiver is empty. A replay sends everything again, and the feed still lists the same events.
  await admin.call(replayWebhooks, { params, body: { fromSequence: 1 } });
  // Work of before the kill may still add to them.
  await until(async () => (await received()).size === (await read()).lastSequence, 'the replay');
  const inOrder = [...(await received())].sort(([a], [b]) => a - b);
  assert.deepEqual(
    inOrder.map(([sequence]) => sequence),
    inOrder.map((_, place) => place + 1),
  );
  const feedEvents = await feed();
  assert.ok(
    feedEvents.length < 500 && new Set(feedEvents.map(({ type }) => type)).size > 10,
    `${feedEvents.length}`,
  );
  assert.deepEqual(
    inOrder.map(([, { id, type }]) => `${id} ${type}`),
    feedEvents.map(({ id, type }) => `${id} ${type}`),
  );
  assert.equal(await server.end('SIGTERM'), 0);
});

// A newcomer's way: the sandbox is registered as a receiver, the tour is done, and what came is what the feed tells,
// also over a kill -9.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { getWebhookEndpoint, listEvents, replayWebhooks, signIn, signUp } from '../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { freePort } from '../support/ports.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const { url: databaseUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-webhooks-tour-'));
const environment = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
  PORT: await freePort(),
  // The address that is registered stays the same after a restart.
  SANDBOX_PORT: await freePort(),
};
const start = () => startProgram(['src/main.js', 'start'], environment);
let server = await start();
after(async () => {
  await server.end('SIGKILL');
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

async function register(): Promise<{ id: string }> {
  const response = await fetch(`${server.said.sandbox}/webhooks/register`, { method: 'POST' });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as { id: string };
}
interface Inbox {
  endpoint: { secret: string };
  deliveries: { headers: Record<string, string>; body: string }[];
}
const client = () =>
  new Client(server.said.url as string, { 'x-api-key': server.said.adminApiKey as string });

/** Returns the events in the inbox by their numbers, each of which `standardwebhooks` has verified. */
async function received(): Promise<Map<number, { id: string; type: string }>> {
  const { endpoint, deliveries } = (await (
    await fetch(`${server.said.sandbox}/webhooks/inbox`)
  ).json()) as Inbox;
  const events = new Map();
  for (const { headers, body } of deliveries) {
    new Webhook(endpoint.secret).verify(body, headers);
    const event = JSON.parse(body);
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

test('every event of the tour comes to the sandbox, verified by a library of others, and the feed tells the same after a kill', {
  skip: process.env.TEST_FFMPEG ? false : 'ffmpeg is not installed',
}, async () => {
  const params = await register();
  const { code, output } = await runProgram(['src/main.js', 'tour'], environment);
  assert.equal(code, 0, output);
  await until(async () => (await received()).size > 10, 'deliveries of the tour');
  await Promise.all(Array.from({ length: 10 }, newMember));
  await server.end('SIGKILL');

  server = await start();
  assert.deepEqual(await register(), { ...(await register()), ...params });
  await newMember();
  const { adminEmail: email, adminPassword: password } = server.said as {
    adminEmail: string;
    adminPassword: string;
  };
  const { data } = await client().call(signIn, { body: { email, password, platform: 'web' } });
  const admin = client().as(data.accessToken);
  const read = async () => (await admin.call(getWebhookEndpoint, { params })).data;
  const { createdAt } = await read();
  // What happened before the registration may enter the feed after it, and does not count.
  const feed = async () =>
    (await client().call(listEvents, { query: { limit: 500 } })).data.filter(
      ({ timestamp }) => timestamp >= createdAt,
    );
  await until(async () => (await read()).lastSequence === (await feed()).length, 'all numbers');
  await until(async () => (await read()).pending === 0, 'the rest');
  // The receiver has forgotten what it had: a replay brings everything back, and the feed tells the same.
  await admin.call(replayWebhooks, { params, body: { fromSequence: 1 } });
  const { lastSequence } = await read();
  await until(async () => (await received()).size === lastSequence, 'the replay');
  const inOrder = [...(await received())].sort(([a], [b]) => a - b);
  assert.deepEqual(
    inOrder.map(([sequence]) => sequence),
    inOrder.map((_, place) => place + 1),
  );
  const told = await feed();
  assert.ok(told.length < 500 && new Set(told.map(({ type }) => type)).size > 10, `${told.length}`);
  assert.deepEqual(
    inOrder.map(([, { id, type }]) => `${id} ${type}`),
    told.map(({ id, type }) => `${id} ${type}`),
  );
});

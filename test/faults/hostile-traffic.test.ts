import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWallet, getBalance, getProfile, signIn, signUp } from '../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { type HostileAnswer, hostileRequests, sendHostile, targetsOf } from '../support/hostile.ts';
import { startProgram } from '../support/programs.ts';

const SEED = Number(process.env.HOSTILE_SEED ?? 20_261_121);
const REQUESTS = 3_000;
const LANES = 10;

const database = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-hostile-'));
const server = await startProgram(['src/main.js', 'start'], {
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'error',
});
after(async () => {
  await server.end('SIGTERM');
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
const url = server.readyValues.url as string;
const client = new Client(url, { 'x-api-key': server.readyValues.adminApiKey as string });

async function newMember(): Promise<Client> {
  const draft = {
    email: newEmail(),
    password: PASSWORD,
    firstName: 'A',
    lastName: 'B',
    platform: 'web' as const,
  };
  const { status, data } = await client.call(signUp, { body: draft });
  assert.equal(status, 201);
  return client.as(data.accessToken);
}

const linesOf = ({ headers }: Client) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

test('thousands of hostile requests are answered in the envelope while other members are served', async (context) => {
  const bystander = await newMember();
  await bystander.call(createWallet);
  const signedIn = await client.call(signIn, {
    body: {
      email: String(server.readyValues.adminEmail),
      password: String(server.readyValues.adminPassword),
      platform: 'web',
    },
  });
  const administrator = client.as(signedIn.data.accessToken);
  const callers = [[], linesOf(client), linesOf(await newMember()), linesOf(administrator)];
  const requests = hostileRequests(SEED, await targetsOf(url), callers);

  const answers: HostileAnswer[] = [];
  let isOver = false;
  const lane = async () => {
    while (answers.length < REQUESTS) answers.push(await sendHostile(url, requests.next().value));
  };
  const latencies: number[] = [];
  const watch = async () => {
    while (!isOver) {
      const startedMs = performance.now();
      const operation = latencies.length % 2 === 0 ? getBalance : getProfile;
      const { status } = await bystander.call<typeof getBalance | typeof getProfile>(operation);
      latencies.push(performance.now() - startedMs);
      assert.equal(status, 200);
      await sleep(5);
    }
  };
  const watching = watch();
  await Promise.all(Array.from({ length: LANES }, lane));
  isOver = true;
  await watching;

  const faults = answers.filter(({ fault }) => fault !== undefined);
  assert.deepEqual(faults.slice(0, 5), [], `${faults.length} of ${answers.length}, seed ${SEED}`);
  assert.equal(server.process.exitCode, null, 'the server still runs');
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)];
  const statuses = Object.groupBy(answers, ({ status }) => status);
  const counts = Object.entries(statuses).map(([status, all]) => `${status}: ${all?.length}`);
  context.diagnostic(
    `bystander p99 ${p99?.toFixed(1)} ms of ${latencies.length}; answers ${counts.join(', ')}`,
  );
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createWebhookEndpoint,
  fundWalletAsAdmin,
  getWebhookEndpoint,
  listEvents,
  signIn,
  signUp,
  transferKeys,
} from '../../sdk/src/index.ts';
import { startCluster } from '../../src/embedded-postgres/cluster.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { until } from '../support/live.ts';
import { type Program, startProgram } from '../support/programs.ts';
import { countingReceiver } from '../support/webhooks.ts';

// An API, two workers and PostgreSQL are killed in turn while members transfer Keys. A receiver checks that a webhook
// about every acknowledged transfer arrives, and that they are numbered without gaps. KILLS sets the length of the run.

const KILLS = Number(process.env.KILLS ?? 5);
const AT_ONCE = 8;

const folder = mkdtempSync(join(tmpdir(), 'platform-webhooks-crash-'));
const cluster = await startCluster({ folder: join(folder, 'postgres') });
await cluster.createDatabase('platform');
const environment = {
  DATABASE_URL: cluster.urlOf('platform'),
  DATABASE_CONNECTIONS: '8',
  SECRET_KEY: 'a secret key that all processes share',
  API_KEY: 'an api key of the tests',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'an administrator for tests',
  LOG_LEVEL: 'silent',
  SANDBOX_SMTP_PORT: '0',
  PORT: '0',
};
const start = (name: string, role: 'api' | 'worker'): Promise<Program> =>
  startProgram(['src/main.js', 'start'], { ...environment, DATA_DIR: join(folder, name), ROLE: role });

/** Stops the transfers, also if the test has failed. */
let isOver = false;
let api = await start('api', 'api');
const workers = await Promise.all([start('worker-0', 'worker'), start('worker-1', 'worker')]);
after(async () => {
  isOver = true;
  await Promise.all([api, ...workers].map(({ end }) => end('SIGKILL')));
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

const newClient = () => new Client(api.readyValues.url as string, { 'x-api-key': environment.API_KEY });
async function signedIn(email: string, password: string): Promise<Client> {
  const { data } = await newClient().call(signIn, { body: { email, password, platform: 'web' } });
  return newClient().as(data.accessToken);
}
const signInAdmin = () => signedIn(environment.ADMIN_EMAIL, environment.ADMIN_PASSWORD);

const types = ['wallet.transferred'];
const admin = await signInAdmin();
const members = await Promise.all(
  [1, 2].map(async () => {
    const email = newEmail();
    const draft = { email, password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' as const };
    const { user } = (await newClient().call(signUp, { body: draft })).data;
    await admin.call(fundWalletAsAdmin, { body: { userId: user.id, amount: 1_000_000 } });
    return { email, id: user.id };
  }),
);

async function registered(ordered: boolean) {
  const receiver = await countingReceiver();
  const { data } = await admin.call(createWebhookEndpoint, { body: { url: receiver.url, types, ordered } });
  receiver.verifyBy(data.secret);
  return { receiver, params: { id: data.id } };
}
const [plain, ordered] = [await registered(false), await registered(true)];

/** The ids of the transfers that the API has acknowledged with 201. */
const promised: string[] = [];

/** Transfers Keys between two members until the test is over, whichever process is killed. */
async function transferOn(from: number): Promise<void> {
  const body = { toUserId: (members[1 - from] as { id: string }).id, amount: 1 };
  let client: Client | undefined;
  while (!isOver) {
    try {
      client ??= await signedIn((members[from] as { email: string }).email, PASSWORD);
      const { status, data } = await client.attempt(transferKeys, { body });
      if (status === 201)
        promised.push((data as { transaction: { transactionId: string } }).transaction.transactionId);
    } catch {
      client = undefined; // the API was killed, and the next one has another address
      await sleep(100);
    }
    // So that the programs that start meanwhile have a core, too.
    await sleep(10);
    // Waits for the deliveries, so that they do not fall far behind on a busy machine.
    await until(() => isOver || promised.length - ordered.receiver.inOrder.length < 300, 'the deliveries');
  }
}

const VICTIMS = {
  worker: async (round: number) => {
    const place = round % workers.length;
    await workers[place]?.end('SIGKILL');
    // The other worker takes over before this one is started again.
    await more(20);
    workers[place] = await start(`worker-${place}`, 'worker');
  },
  api: async () => {
    await api.end('SIGKILL');
    api = await start('api', 'api');
  },
  postgres: async () => void process.kill(cluster.pid as number, 'SIGKILL'),
  all: async () => {
    process.kill(cluster.pid as number, 'SIGKILL');
    await Promise.all([api, ...workers].map(({ end }) => end('SIGKILL')));
    api = await start('api', 'api');
    for (const place of workers.keys()) workers[place] = await start(`worker-${place}`, 'worker');
  },
};
const ROUNDS = ['worker', 'postgres', 'api', 'worker', 'all'] as const;

async function more(count: number): Promise<void> {
  const enough = [plain, ordered].map(({ receiver }) => receiver.inOrder.length + count);
  const has = () =>
    [plain, ordered].every(({ receiver }, at) => receiver.inOrder.length >= Number(enough[at]));
  await until(has, `${count} more deliveries`);
}

test(`${KILLS} kills of API, workers and PostgreSQL lose no delivery, and repeated deliveries keep their id`, {
  timeout: 600_000 + KILLS * 60_000,
}, async (t) => {
  const transfers = [0, 1].map(transferOn);
  for (let round = 0; round < KILLS; round++) {
    await more(20 + Math.floor(Math.random() * 40));
    const victim = ROUNDS[round % ROUNDS.length] as (typeof ROUNDS)[number];
    await VICTIMS[victim](round);
    await more(20);
    t.diagnostic(`${victim} killed: ${promised.length} promised, ${plain.receiver.inOrder.length} received`);
  }
  isOver = true;
  await Promise.all(transfers);

  const again = await signInAdmin();
  for (const { receiver, params } of [plain, ordered]) {
    const read = async () => (await again.call(getWebhookEndpoint, { params })).data;
    // An event whose job a killed worker had begun enters the feed only when another worker takes the job over.
    const isMissing = (id: string) => !receiver.inOrder.some(({ data }) => data.transactionId === id);
    await until(async () => !promised.some(isMissing), 'every transfer that was promised');
    await until(async () => (await read()).pending === 0, 'the rest');
    const { lastSequence, failed } = await read();
    assert.deepEqual(receiver.faults, []);
    assert.equal(failed, 0);
    const all = Array.from({ length: lastSequence }, (_, place) => place + 1);
    assert.deepEqual(
      receiver.inOrder.map(({ sequence }) => sequence).sort((a, b) => a - b),
      all,
    );
  }
  const feed: string[] = [];
  for (let after: string | undefined; ; ) {
    const query = { types: types.join(), limit: 500, ...(after !== undefined && { after }) };
    const { data, body } = await again.call(listEvents, { query });
    feed.push(...data.map(({ id }) => id));
    if (body.pagination.nextCursor === null) break;
    after = body.pagination.nextCursor;
  }
  assert.deepEqual(
    ordered.receiver.inOrder.map(({ id }) => id),
    feed,
  );
  assert.deepEqual(plain.receiver.inOrder.map(({ id }) => id).sort(), feed.slice().sort());

  // A delivery begins only once all but seven of the earlier ones are done; repetitions do not count.
  const missing = plain.receiver.inOrder.map(({ sequence }, place) => sequence - 1 - place);
  assert.ok(Math.max(...missing) < AT_ONCE, `${Math.max(...missing)} were overtaken`);
  const steps = ordered.receiver.got
    .map(({ event }) => event.sequence)
    .map((sequence, place, all) => sequence - (all[place - 1] ?? 0));
  assert.deepEqual(
    steps.filter((step) => step !== 0 && step !== 1),
    [],
  );
});

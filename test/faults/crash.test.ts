import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fundWalletAsAdmin, getProfile, signIn, signUp, transferKeys } from '../../sdk/src/index.ts';
import { runningClusterUrl } from '../../src/embedded-postgres/cluster.ts';
import { isPostmasterOf } from '../../src/embedded-postgres/postmaster-file.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { PATIENCE_MS, until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';

const START = ['src/main.js', 'start'];
const dataDir = mkdtempSync(join(tmpdir(), 'platform-crash-'));
const environment = { DATA_DIR: dataDir, PORT: '0' };
const postgresFolder = join(dataDir, 'postgres');
const postmasterPid = () =>
  Number(readFileSync(join(postgresFolder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
const isAlive = (pid: number): boolean => isPostmasterOf(join(postgresFolder, 'data'), pid);
after(() => {
  try {
    process.kill(postmasterPid(), 'SIGQUIT');
  } catch {
    // it has ended, as it should
  }
  rmSync(dataDir, { recursive: true, force: true });
});

let platform = await startProgram(START, environment);
const newClient = () =>
  new Client(platform.readyValues.url as string, { 'x-api-key': platform.readyValues.adminApiKey as string });

async function signedIn(email: string, password: string): Promise<Client> {
  const { data } = await newClient().call(signIn, { body: { email, password, platform: 'web' } });
  return newClient().as(data.accessToken);
}
const signInAdmin = () =>
  signedIn(platform.readyValues.adminEmail as string, platform.readyValues.adminPassword as string);

const emails = Array.from({ length: 4 }, newEmail);
const ids: string[] = [];
const firstAdmin = await signInAdmin();
for (const email of emails) {
  const draft = { email, password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' as const };
  const { user } = (await newClient().call(signUp, { body: draft })).data;
  ids.push(user.id);
  await firstAdmin.call(fundWalletAsAdmin, { body: { userId: user.id, amount: 1_000_000 } });
}

/**
 * Sends many concurrent transfers between all members until the server has ended; returns the acknowledged ones.
 */
async function storm(round: number): Promise<{ promised: string[]; sent: string[] }> {
  const clients = await Promise.all(emails.map((email) => signedIn(email, PASSWORD)));
  const promised: string[] = [];
  const sent: string[] = [];
  let isOver = false;
  const lane = async (number: number): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const from = (number + count) % 4;
      const description = `round ${round} lane ${number} transfer ${count}`;
      sent.push(description);
      const toUserId = ids[(from + 1 + (count % 3)) % 4] as string;
      const body = { toUserId, amount: 1 + (count % 7), description };
      try {
        const { status } = await (clients[from] as Client).attempt(transferKeys, { body });
        if (status === 201) promised.push(description);
      } catch {
        isOver = true; // the connection broke
      }
    }
  };
  const killing = until(() => promised.length > 20, 'the storm').then(async () => {
    await sleep(Math.random() * 700);
    platform.process.kill('SIGKILL');
  });
  await Promise.all(Array.from({ length: 16 }, (_, number) => lane(number)));
  await killing;
  return { promised, sent };
}

test('a second instance on the same data directory reports it and does no harm', async () => {
  await assert.rejects(
    startProgram(START, environment),
    /ended with 1: .*^Another instance is running on .*DATA_DIR/ms,
  );
  assert.equal((await fetch(`${platform.readyValues.url}/health/ready`)).status, 200);
});

for (const round of [1, 2, 3]) {
  test(`kill -9 in a storm of transfers, then restart: every acknowledged transfer exists exactly once (${round})`, async () => {
    const { promised, sent } = await storm(round);
    assert.ok(promised.length > 20, `only ${promised.length} transfers before the kill`);
    const orphan = postmasterPid();
    assert.ok(isAlive(orphan), 'PostgreSQL outlives a killed parent');
    if (round === 2) process.kill(orphan, 'SIGKILL');
    // The second round posts all batches under locks, the others in one statement.
    const remembered = round === 1 ? '0' : '20000';
    platform = await startProgram(START, { ...environment, LEDGER_REMEMBERED_ACCOUNTS: remembered });
    assert.notEqual(postmasterPid(), orphan);
    assert.ok(!isAlive(orphan));

    const database = openDatabase({
      url: runningClusterUrl(postgresFolder, 'platform') as string,
      connections: 2,
      onBackgroundError: () => undefined,
    });
    const rows = await database.all(
      'select description, count(*) from wallet.transaction where description like $1 group by 1',
      [`round ${round} %`],
    );
    const counts = new Map(rows.map((row) => [row.description as string, row.count as number]));
    assert.deepEqual(
      promised.filter((description) => counts.get(description) !== 1),
      [],
    );
    assert.deepEqual(
      [...counts].filter(([description, count]) => count !== 1 || !sent.includes(description)),
      [],
    );
    assert.deepEqual(await ledgerFaults(database), []);
    await database.close();
  });
}

test('while PostgreSQL restarts after a kill, requests are 503, never 500, and then succeed', async () => {
  const admin = await signInAdmin();
  process.kill(postmasterPid(), 'SIGKILL');
  const statuses = new Set<number>();
  const deadline = Date.now() + PATIENCE_MS;
  let healed = 0;
  while (healed < 5 && Date.now() < deadline) {
    const { status, headers } = await admin.attempt(getProfile);
    statuses.add(status);
    if (status === 503) assert.ok(headers.get('retry-after'));
    healed = status === 200 ? healed + 1 : 0;
    await sleep(50);
  }
  assert.equal(healed, 5, [...statuses].join());
  assert.deepEqual(
    [...statuses].filter((status) => status !== 200 && status !== 503),
    [],
  );
});

test('transfers and withdrawals with idempotency keys take effect once when PostgreSQL is killed', async () => {
  const clients = await Promise.all(emails.map((email) => signedIn(email, PASSWORD)));
  const storm = Date.now();
  let done = 0;
  const insist = async (from: number, path: string, body: object, key: string): Promise<number> => {
    const client = (clients[from] as Client).with({ 'idempotency-key': key });
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
      const { status } = await client.raw('POST', path, body);
      if (status !== 503 && status !== 409) return status;
    }
    return 0;
  };
  const lanes = Array.from({ length: 12 }, async (_, lane) => {
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) {
      const from = (lane + count) % 4;
      const description = `storm ${storm} ${lane} ${count}`;
      const isWithdrawal = count % 5 === 0;
      const body = { amount: 1, description, ...(isWithdrawal ? {} : { toUserId: ids[(from + 1) % 4] }) };
      const path = isWithdrawal ? '/v1/wallets/withdraw' : '/v1/wallets/transfer';
      statuses.push(await insist(from, path, body, description.replaceAll(' ', '-')));
      done++;
    }
    return statuses;
  });
  for (const enough of [60, 250]) {
    while (done < enough) await sleep(5);
    process.kill(postmasterPid(), 'SIGKILL');
  }
  const statuses = (await Promise.all(lanes)).flat();
  assert.deepEqual([...new Set(statuses)], [201]);
  const database = openDatabase({
    url: runningClusterUrl(postgresFolder, 'platform') as string,
    connections: 2,
    onBackgroundError: () => undefined,
  });
  const rows = await database.all(
    'select count(*) as all, count(distinct description) as different from wallet.transaction where description like $1',
    [`storm ${storm} %`],
  );
  assert.deepEqual(rows, [{ all: 480, different: 480 }]);
  assert.deepEqual(await ledgerFaults(database), []);
  await database.close();
});

test('on SIGTERM requests in flight are answered, PostgreSQL stops cleanly, the exit code is 0, and sessions survive', async () => {
  const clients = await Promise.all(emails.map((email) => signedIn(email, PASSWORD)));
  const inFlight = clients.flatMap((client, from) =>
    Array.from({ length: 25 }, () =>
      client.attempt(transferKeys, { body: { toUserId: ids[(from + 1) % 4] as string, amount: 1 } }),
    ),
  );
  await sleep(5);
  const [code, answers] = await Promise.all([platform.end('SIGTERM'), Promise.allSettled(inFlight)]);
  assert.equal(code, 0, platform.complaints());
  for (const answer of answers) {
    // A request that has not reached the server yet may be refused the connection; one that has is answered.
    if (answer.status === 'fulfilled') assert.equal(answer.value.status, 201);
    else assert.match(String(answer.reason.code), /ECONNREFUSED|ECONNRESET|EPIPE/);
  }
  assert.throws(postmasterPid, /ENOENT/, 'no pid file is left');
  platform = await startProgram(START, environment);
  const former = new Client(platform.readyValues.url as string, (clients[0] as Client).headers);
  assert.equal((await former.call(getProfile)).status, 200, 'a token from before is still good');
  assert.equal(await platform.end('SIGINT'), 0);
});

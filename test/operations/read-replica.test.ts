// Searches and catalogues of a platform with a replica: what is published or taken back is seen at once, also while the
// replica stands still.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import {
  addChatroomMember,
  assignPermissions,
  banChatMember,
  blockMember,
  createChatroom,
  createProduct,
  deleteUser,
  listCourses,
  listEducators,
  listIndicators,
  listProducts,
  search,
  signIn,
  signUp,
  unassignPermissions,
} from '../../sdk/src/index.ts';
import { startCluster } from '../../src/embedded-postgres/cluster.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { until } from '../support/live.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';
import { STREAMING, startReplica } from '../support/replica.ts';

const SETTINGS = { shared_buffers: '32MB', max_connections: '60', fsync: 'off' };
const folder = mkdtempSync(join(tmpdir(), 'platform-reads-'));
const from = join(folder, 'primary');
const primary = await startCluster({ folder: from, settings: { ...SETTINGS, ...STREAMING } });
await primary.createDatabase('platform');
const replica = await startReplica({ primary, from, folder: join(folder, 'replica'), settings: SETTINGS });
const program = await startProgram(['src/main.js', 'start'], {
  ...PRODUCTION,
  DATABASE_URL: primary.urlOf('platform'),
  DATABASE_READ_URL: replica.urlOf('platform'),
});
const onReplica = new pg.Client({ connectionString: replica.urlOf('platform') });
await onReplica.connect();
onReplica.on('error', () => undefined);
after(async () => {
  await program.end('SIGKILL');
  await onReplica.end();
  await replica.stop();
  await primary.stop();
  rmSync(folder, { recursive: true, force: true });
});

const url = program.readyValues.url as string;
const anybody = new Client(url, { 'x-api-key': PRODUCTION.API_KEY });
const administrator = { email: PRODUCTION.ADMIN_EMAIL, password: PRODUCTION.ADMIN_PASSWORD, platform: 'web' };
const { data: signedIn } = await anybody.call(signIn, { body: administrator as never });
const admin = anybody.as(signedIn.accessToken);
const newMember = async (firstName: string, lastName: string) => {
  const body = { email: newEmail(), password: PASSWORD, platform: 'web', firstName, lastName } as const;
  return (await anybody.call(signUp, { body })).data;
};
const member = await newMember('Zephyrine', 'Quillfeather');
const client = anybody.as(member.accessToken);

async function figure(metric: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1]);
}
const answered = () => figure('db_replica_queries_total');

/** Returns how often the replica answered during the work. */
async function answersDuring(work: () => Promise<unknown>): Promise<number> {
  const before = await answered();
  await work();
  return (await answered()) - before;
}

/** Whether an educator is found by each way to find one. */
const ways = {
  list: async () => (await client.call(listEducators, {})).data,
  search: async () => (await client.call(listEducators, { query: { search: 'Quillfeather' } })).data,
};
async function isShown(id: string): Promise<boolean[]> {
  const found = await Promise.all(Object.values(ways).map((way) => way()));
  return found.map((educators) => educators.some((one) => one.id === id));
}
const permission = { params: { userId: member.user.id }, body: { permissions: ['educator' as const] } };

test('the replica answers searches and catalogues, which show what was published just before', async () => {
  for (const asked of [
    () => client.call(search, { query: { q: 'anything' } }),
    () => client.call(listCourses, {}),
    () => client.call(listIndicators, {}),
    () => client.call(listEducators, {}),
    () => client.call(listEducators, { query: { search: 'Quillfeather' } }),
  ])
    await until(async () => (await answersDuring(asked)) > 0, `the replica to answer ${asked}`);
  const { data: product } = await admin.call(createProduct, { body: { name: 'New', productType: 'misc' } });
  const shown = async () => {
    const { data } = await client.call(listProducts, {});
    assert.ok(data.some(({ id }) => id === product.id));
  };
  await until(async () => (await answersDuring(shown)) > 0, 'the replica to answer');
  await admin.call(assignPermissions, permission);
  await until(async () => (await isShown(member.user.id)).every(Boolean), 'the educator');
});

async function pauseReplica(): Promise<void> {
  await onReplica.query('select pg_wal_replay_pause()');
  const isPaused = async () =>
    (await onReplica.query(`select pg_get_wal_replay_pause_state() = 'paused' as so`)).rows[0].so;
  await until(isPaused, 'the pause');
}
async function resumeReplica(): Promise<void> {
  await onReplica.query('select pg_wal_replay_resume()');
  await until(async () => (await answersDuring(ways.list)) > 0, 'the replica to answer again');
}

test('an educator who loses the permission is gone at once, although the replica stands still', async () => {
  await pauseReplica();
  await admin.call(unassignPermissions, permission);
  await until(async () => !(await isShown(member.user.id)).some(Boolean), 'nobody is shown');
  // What the replica still has is shown to nobody, however often one asks.
  for (let again = 0; again < 5; again++) assert.deepEqual(await isShown(member.user.id), [false, false]);
  assert.ok((await figure('db_replica_fallbacks_total')) > 0);
  await resumeReplica();
});

test('a block, a ban and an erasure hide at once what the replica still has', async () => {
  const [blocked, erased] = [await newMember('Basil', 'Thornbury'), await newMember('Delia', 'Ashgrove')];
  const { data: room } = await admin.call(createChatroom, { body: { name: 'Marzipan', type: 'private' } });
  const params = { chatroomId: room.id, userId: member.user.id };
  await admin.call(addChatroomMember, { params, body: { userId: params.userId } });
  const finds = async (q: string): Promise<boolean> =>
    (await client.call(search, { query: { q } })).data.results.length > 0;
  const found = () => Promise.all(['Thornbury', 'Ashgrove', 'Marzipan'].map(finds));
  await until(async () => (await found()).every(Boolean), 'all of them');
  await pauseReplica();
  await client.call(blockMember, { params: { userId: blocked.user.id } });
  assert.equal(await finds('Thornbury'), false);
  await admin.call(banChatMember, { params });
  assert.equal(await finds('Marzipan'), false);
  await admin.call(deleteUser, { params: { userId: erased.user.id } });
  await until(async () => !(await finds('Ashgrove')), 'the erased member to be hidden');
  for (let again = 0; again < 3; again++) assert.deepEqual(await found(), [false, false, false]);
  await resumeReplica();
});

test('the loss of the replica fails no search', async () => {
  await replica.stop();
  for (let again = 0; again < 20; again++) {
    assert.equal((await client.call(search, { query: { q: 'Quillfeather' } })).status, 200);
    assert.equal((await client.call(listCourses, {})).status, 200);
  }
});

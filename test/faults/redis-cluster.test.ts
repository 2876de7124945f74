// Two processes over a Redis Cluster that loses one of its primaries.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  createApiKey,
  createChatroom,
  getInstallationHealth,
  getProfile,
  sendChatMessage,
  signIn,
  signUp,
} from '../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { LiveClient, until } from '../support/live.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';

/** So many that some belong to each primary. */
const ROOMS = 8;

const cluster = await startRedisCluster();
after(() => cluster?.close());

test('while the primary of a Redis Cluster is replaced no request fails, and afterwards messages and limits hold over both processes', {
  skip: cluster ? false : 'no redis-server here',
}, async () => {
  assert.ok(cluster);
  const { url, drop } = await newDatabase();
  const start = () =>
    startProgram(['src/main.js', 'start'], { ...PRODUCTION, DATABASE_URL: url, REDIS_URL: cluster.url });
  const programs = [await start(), await start()];
  after(async () => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
    await drop();
  });
  const [one, two] = programs.map(({ readyValues }) => readyValues.url) as [string, string];
  const api = new Client(one, { 'x-api-key': PRODUCTION.API_KEY });
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = PRODUCTION;
  const { data: signedIn } = await api.call(signIn, { body: { email, password, platform: 'web' } });
  const admin = api.as(signedIn.accessToken);
  const { data: member } = await api.call(signUp, {
    body: { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
  });
  const ada = api.as(member.accessToken);
  const rooms: string[] = [];
  for (let number = 0; number < ROOMS; number++)
    rooms.push(
      (await ada.call(createChatroom, { body: { name: `Room ${number}`, type: 'public' } })).data.id,
    );
  const there = await LiveClient.open(two, member.accessToken);
  for (const room of rooms) await there.enter(room);

  /** Sends a message to each room at one process; the statuses. */
  const say = (message: string) =>
    Promise.all(
      rooms.map(
        async (chatroomId) =>
          (await ada.attempt(sendChatMessage, { params: { chatroomId }, body: { message } })).status,
      ),
    );
  const heard = (message: string): number => there.messageTexts().filter((text) => text === message).length;
  const newKey = async (): Promise<string> =>
    (await admin.call(createApiKey, { body: { name: 'An app', tier: 'mobile' } })).data.key;
  /** Counts a request with this key at each process; what remains. */
  const remaining = async (key: string): Promise<number[]> => {
    const left: number[] = [];
    for (const process of [one, two]) {
      const client = new Client(process, { 'x-api-key': key }).as(member.accessToken);
      const { status, headers } = await client.attempt(getProfile);
      assert.ok(status === 200 || status === 429, `${status}`);
      left.push(Number(headers.get('x-ratelimit-remaining')));
    }
    return left;
  };
  const areDegraded = async (): Promise<boolean[]> => {
    const { data } = await admin.call(getInstallationHealth);
    return data.processes.map(({ degraded }) => degraded.includes('redis'));
  };

  /** In a minute that ends in between, or while Redis does not answer in time, both begin anew: a further key is tried. */
  const untilCountedTogether = () =>
    until(async () => {
      const [first, second] = await remaining(await newKey());
      return second === (first as number) - 1;
    }, 'both to count together');

  const key = await newKey();
  await untilCountedTogether();
  await say('before');
  await until(() => heard('before') === ROOMS, 'the messages before');
  // On a busy machine the other process may not answer in time.
  const untilWhole = () =>
    until(async () => String(await areDegraded()) === 'false,false', 'the whole cluster at both');
  await untilWhole();

  // The replica waits with its promotion, so that the outage lasts as long as it is looked at.
  cluster.replica.freeze();
  await cluster.primaries[0]?.kill();
  const statuses = await say('meanwhile');
  await until(async () => {
    await remaining(key);
    return (await areDegraded()).every((isDegraded) => isDegraded);
  }, 'the loss to be told');
  cluster.replica.thaw();
  statuses.push(...(await say('meanwhile')));
  await until(async () => {
    await remaining(key);
    return String(await cluster.command(cluster.replica, 'ROLE')).startsWith('master');
  }, 'the replica to replace it');
  assert.deepEqual([...new Set(statuses)], [201]);
  await untilWhole();
  await say('after');
  await until(() => heard('after') === ROOMS, 'the messages after');
  await untilCountedTogether();
});

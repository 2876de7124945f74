import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDevices, registerDevice, unregisterDevice } from '../../../sdk/src/index.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { notFound } from '../../kernel/failures.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });

let tokens = 0;
const newToken = (): string => `phone-${++tokens}`;
const register = ({ client }: Member, token: string, platform: 'android' | 'ios' = 'android') =>
  client.call(registerDevice, { body: { token, platform, name: 'My phone' } });

test('devices are registered, renewed, listed and unregistered, and a token belongs to its last member', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const token = newToken();
  const { status, data } = await register(ada, token);
  assert.equal(status, 201);
  assert.deepEqual([data.token, data.platform, data.name], [token, 'android', 'My phone']);
  assert.equal((await register(ada, token, 'ios')).data.id, data.id, 'renewed');
  const listed = await ada.client.call(listDevices);
  assert.deepEqual(
    listed.data.map((one) => one.platform),
    ['ios'],
  );
  assertRefused(await ben.client.attempt(unregisterDevice, { body: { token } }), notFound('Device'));
  await register(ben, token);
  assert.deepEqual((await ada.client.call(listDevices)).data, []);
  assert.equal((await ben.client.attempt(unregisterDevice, { body: { token } })).status, 200);
  assert.deepEqual((await ben.client.call(listDevices)).data, []);
  const malformed = { token, platform: 'toaster' };
  assertInvalid(await ada.client.raw('POST', '/push-notifications/register', malformed));
  const empty = { token: '', platform: 'android' };
  assertInvalid(await ada.client.raw('POST', '/push-notifications/register', empty));
});

test("members who take over each other's tokens at once do not wait for one another", async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const take = ({ client }: Member, token: string, deviceId: string) =>
    client.call(registerDevice, { body: { token, platform: 'ios', deviceId } });
  const deadlocks = () =>
    platform.database.count('select deadlocks from pg_stat_database where datname = current_database()');
  const before = await deadlocks();
  for (let round = 0; round < 20; round++) {
    const [hers, his] = [`hers-${round}`, `his-${round}`];
    await Promise.all([take(ada, hers, 'a'), take(ben, his, 'b')]);
    await Promise.all([take(ada, his, 'a'), take(ben, hers, 'b')]);
    const tokens = await Promise.all([ada, ben].map(({ client }) => client.call(listDevices)));
    assert.deepEqual(
      tokens.map(({ data }) => data.map(({ token }) => token)),
      [[his], [hers]],
    );
  }
  assert.equal(await deadlocks(), before);
});

test('a new token of a device replaces the one before, and of devices without an id none does', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const named = ({ client }: Member, token: string, deviceId?: string) =>
    client.call(registerDevice, { body: { token, platform: 'ios', ...(deviceId && { deviceId }) } });
  const tokensOf = async ({ client }: Member) =>
    (await client.call(listDevices)).data.map(({ token, deviceId }) => [token, deviceId]).toSorted();
  const [first, second, other, nameless, another] = Array.from({ length: 5 }, () => newToken()) as [
    ...[string, string, string, string, string],
  ];
  assert.equal((await named(ada, first, 'd1')).data.deviceId, 'd1');
  await named(ben, other, 'd1');
  await named(ada, nameless);
  await named(ada, another);
  await Promise.all(Array.from({ length: 8 }, () => named(ada, second, 'd1')));
  assert.deepEqual(
    await tokensOf(ada),
    [
      [second, 'd1'],
      [nameless, null],
      [another, null],
    ].toSorted(),
  );
  assert.deepEqual(await tokensOf(ben), [[other, 'd1']]);
  await Promise.all([1, 2, 3, 4].map((n) => named(ada, `${second}-${n}`, 'd1')));
  assert.equal((await tokensOf(ada)).filter(([, deviceId]) => deviceId === 'd1').length, 1);
});

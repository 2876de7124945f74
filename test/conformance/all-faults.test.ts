// What only an operation finds wrong, such as a contradiction of two fields, is named with what its shapes refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignPermissions, createCourse, createLivestream, updateCourse } from '../../sdk/src/index.ts';
import { newEmail } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
const HOUR_MS = 3_600_000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Sends a request, as an administrator unless a client is given; returns its status and the fields that it names, in order. */
async function faultsOf(
  method: string,
  path: string,
  body?: object,
  headers = {},
  client = admin,
): Promise<unknown[]> {
  const answer = await client.with(headers).raw(method, path, body);
  return [answer.status, ...(answer.body.errors ?? []).map(({ field }) => field).sort()];
}

test('faults between fields are named with those of single fields, also under an Idempotency-Key', async () => {
  const times = { scheduledStart: at(2 * HOUR_MS), scheduledEnd: at(HOUR_MS) };
  for (const [path, body, ...fields] of [
    ['/v1/courses', { level: 'x', price: 1.005, currency: 'zz' }, 'currency', 'level', 'price', 'title'],
    ['/v1/courses', { price: 1.5 }, 'price', 'title'],
    ['/v1/livestreams', times, 'scheduledEnd', 'title'],
    [
      '/v1/streams/marketplace/products',
      { productType: 'scanner', ctaType: 'link' },
      'ctaType',
      'ctaUrl',
      'name',
    ],
    ['/push-notifications/register', {}, 'platform', 'token'],
  ] as [string, object, ...string[]][])
    for (const headers of [{}, { 'idempotency-key': `faults of ${path} ${fields}`.replaceAll(' ', '-') }])
      assert.deepEqual(await faultsOf('POST', path, body, headers), [422, ...fields], path);
});

test('each of these faults is also refused alone', async () => {
  for (const [path, body, field] of [
    ['/v1/courses', { title: 'Gold', price: 1.5 }, 'price'],
    ['/v1/courses', { title: 'Gold', currency: 'zz' }, 'currency'],
    ['/v1/courses', { title: 'Gold', currency: 'USD', price: 1.005 }, 'price'],
    [
      '/v1/livestreams',
      { title: 'Gold', scheduledStart: at(2 * HOUR_MS), scheduledEnd: at(HOUR_MS) },
      'scheduledEnd',
    ],
    ['/push-notifications/register', { platform: 'web' }, 'token'],
  ] as [string, object, string][])
    assert.deepEqual(await faultsOf('POST', path, body), [422, field], path);
  const made = await admin.call(createCourse, { body: { title: 'Gold', price: 5 } });
  const streams = { title: 'Gold', scheduledStart: at(HOUR_MS), scheduledEnd: at(2 * HOUR_MS) };
  assert.equal((await admin.call(createLivestream, { body: streams })).status, 201);
  const path = `/v1/courses/${made.data.id}`;
  assert.deepEqual(await faultsOf('PUT', path, { price: 1.5, level: 'x' }), [422, 'level', 'price']);
  const inDollars = { params: { courseId: made.data.id }, body: { currency: 'USD' } };
  await admin.call(updateCourse, inDollars);
  assert.deepEqual(
    await faultsOf('PUT', path, { price: 1.5, level: 'x' }),
    [422, 'level'],
    'it costs dollars',
  );
});

test('a period that ends before it begins is named with other faults of a query', async () => {
  for (const [path, from, to] of [
    ['/v1/wallets/transactions', 'startDate', 'endDate'],
    ['/v1/wallets/admin/transactions', 'from', 'to'],
    ['/v1/admin/auth/users', 'createdFrom', 'createdTo'],
  ]) {
    const period = `${from}=2026-02-02&${to}=2026-02-01`;
    assert.deepEqual(await faultsOf('GET', `${path}?${period}`), [422, from], path);
    assert.deepEqual(
      await faultsOf('GET', `${path}?${period}&limit=0`),
      [422, ...[from, 'limit'].sort()],
      path,
    );
    assert.deepEqual(await faultsOf('GET', `${path}?${from}=2026-02-02&${to}=2026-02-02`), [200], 'one day');
    assert.deepEqual(await faultsOf('GET', `${path}?${from}=soon&${to}=2026-02-02`), [422, from]);
  }
});

test('an invalid profile of an educator is 400, as the specification says, and names what is wrong', async () => {
  const ada = await platform.newMember();
  await admin.call(assignPermissions, { params: { userId: ada.id }, body: { permissions: ['educator'] } });
  const path = `/v1/educators/${ada.id}/profile`;
  const patch = (to: string, body: object) => faultsOf('PATCH', to, body, {}, ada.client);
  for (const [body, ...fields] of [
    [{ specialty: 5, skills: 'x' }, 'skills', 'specialty'],
    [{ specialty: 'Gold', skills: 'x' }, 'skills'],
    [{}],
  ] as [object, ...string[]][])
    assert.deepEqual(await patch(path, body), [400, ...fields], JSON.stringify(body));
  assert.deepEqual(await patch(`${path}?x=1`, { specialty: 'Gold' }), [422, 'x']);
});

test('a fault that has a failure of its own is named with every other fault', async () => {
  const names = { firstName: '', lastName: 7 };
  for (const [path, body, ...fields] of [
    ['/v1/auth/signin', {}, 'email', 'password', 'platform'],
    [
      '/v1/auth/signup',
      { ...names, platform: 'z' },
      'email',
      'firstName',
      'lastName',
      'password',
      'platform',
    ],
    ['/v1/auth/signup', names, 'email', 'firstName', 'lastName', 'password', 'platform'],
  ] as [string, object, ...string[]][])
    assert.deepEqual(await faultsOf('POST', path, body), [400, ...fields], path);
  const product = { name: '', productType: 'misc', scannerId: 'zz', ctaType: 'link' };
  assert.deepEqual(
    await faultsOf('POST', '/v1/streams/marketplace/products', product, {}, admin),
    [400, 'ctaUrl', 'name', 'scannerId'],
    'also with those that only the operation finds',
  );
  const query = '/v1/notifications?before=x&read=perhaps';
  assert.deepEqual(await faultsOf('GET', query), [400, 'before', 'read']);
});

test('a value beyond a limit is told the limit in plain words', async () => {
  const body = {
    email: newEmail(),
    firstName: 'A'.repeat(101),
    lastName: 'L',
    platform: 'web',
    password: 'x',
  };
  const { errors = [] } = (await platform.client.raw('POST', '/v1/auth/signup', body)).body;
  assert.deepEqual(errors.map(({ field, message }) => `${field} ${message}`).sort(), [
    'firstName must have at most 100 characters',
    'password must have at least 8 characters',
  ]);
  const page = (await admin.raw('GET', '/v1/courses?page=0')).body.errors;
  assert.deepEqual(page, [{ field: 'page', message: 'must be at least 1' }]);
});

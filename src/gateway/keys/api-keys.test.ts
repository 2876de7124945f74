import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createApiKey,
  listApiKeys,
  listAudit,
  revokeApiKey,
  rollApiKey,
  signIn,
  updateApiKey,
} from '../../../sdk/src/index.ts';
import { untilAvailable } from '../../../test/support/holding.ts';
import { ADMIN, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { apiKeyNotActive, apiKeyNotFound, invalidApiKey } from './api-keys.ts';

const platform = await startPlatform();
const { client, clock } = platform;
let { admin } = platform;
/** Moves the clock, after which the administrator signs in again. */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  const { data } = await client.call(signIn, { body: { ...ADMIN, platform: 'web' } });
  admin = client.as(data.accessToken);
}

const create = async (tier: 'mobile' | 'crm' = 'crm') =>
  (await admin.call(createApiKey, { body: { name: 'The CRM', tier } })).data;
const roll = ({ id }: { id: string }, overlapHours?: number) =>
  admin.attempt(rollApiKey, { params: { id }, body: { overlapHours } });
/** Makes a request that needs a key and a token, with the key alone. */
const use = (key: string) => client.with({ 'x-api-key': key }).raw('GET', '/v1/user/profile');
const isValid = async (key: string) => (await use(key)).body.error !== invalidApiKey.code;
const listed = async (id: string) =>
  (await admin.call(listApiKeys, { query: { limit: 100 } })).data.find((one) => one.id === id) ??
  assert.fail('not listed');

test('a key is renamed, and the audit log has both names', async () => {
  const { id } = await create();
  const { data } = await admin.call(updateApiKey, {
    params: { id },
    body: { name: 'The new CRM', reason: 'Moved' },
  });
  assert.deepEqual([data.name, (await listed(id)).name], ['The new CRM', 'The new CRM']);
  const [entry] = (await admin.call(listAudit, { query: { target: id, action: 'api-key.renamed' } })).data;
  assert.deepEqual([entry?.reason, entry?.changes], ['Moved', { name: ['The CRM', 'The new CRM'] }]);
  const unknown = { params: { id: 'f'.repeat(24) }, body: { name: 'x' } };
  assertRefused(await admin.attempt(updateApiKey, unknown), apiKeyNotFound);
  assertInvalid(await admin.raw('PATCH', `/v1/admin/api-keys/${id}`, { name: '' }));
});

test('the name of a key has no control characters, and no blanks at its ends', async () => {
  for (const name of [
    'On two\nlines',
    'A bell\u0007',
    'A tab\t',
    'Two\u2028lines',
    ' ',
    '\u200b',
    'x'.repeat(101),
  ]) {
    assertInvalid(await admin.raw('POST', '/v1/admin/api-keys', { name, tier: 'crm' }));
    const { id } = await create();
    assertInvalid(await admin.raw('PATCH', `/v1/admin/api-keys/${id}`, { name }));
  }
  const { data } = await admin.call(createApiKey, { body: { name: '  Mobile app ', tier: 'crm' } });
  assert.deepEqual([data.name, (await listed(data.id)).name], ['Mobile app', 'Mobile app']);
  const renamed = await admin.call(updateApiKey, { params: { id: data.id }, body: { name: ' Tablet  ' } });
  assert.equal(renamed.data.name, 'Tablet');
});

test('a rolled key lives on for the overlap beside the new one, which is shown once', async () => {
  const old = await create();
  const { status, data: rolled } = await roll(old, 2);
  assert.equal(status, 201);
  assert.ok(rolled && rolled.key !== old.key);
  assert.deepEqual([rolled.replaces, rolled.name, rolled.tier], [old.id, 'The CRM', 'crm']);
  assert.deepEqual([await isValid(old.key), await isValid(rolled.key)], [true, true]);
  const row = await listed(old.id);
  assert.deepEqual(
    [row.replacedBy, row.expiresAt, row.revokedAt],
    [rolled.id, rolled.previousExpiresAt, null],
  );
  assert.ok(!JSON.stringify(await admin.call(listApiKeys)).includes(rolled.key));
  assertRefused(await roll(old, 2), apiKeyNotActive);
  await advance(2 * HOUR_MS);
  assert.deepEqual([await isValid(old.key), await isValid(rolled.key)], [false, true]);
});

test('without an overlap the old key ends at once; ended and unknown keys are not rolled', async () => {
  const [old, revoked] = [await create(), await create()];
  assert.ok(await isValid(old.key));
  assert.equal((await roll(old, 0)).status, 201);
  assert.equal(await isValid(old.key), false);
  await admin.call(revokeApiKey, { params: { id: revoked.id } });
  assertRefused(await roll(revoked), apiKeyNotActive);
  assertRefused(await roll({ id: 'f'.repeat(24) }), apiKeyNotFound);
  for (const overlapHours of [-1, 73, 1.5, '2'])
    assertInvalid(await admin.raw('POST', `/v1/admin/api-keys/${old.id}/roll`, { overlapHours }));
  const one = await create();
  const statuses = (await Promise.all([1, 2, 3].map(() => untilAvailable(() => roll(one))))).map(
    ({ status }) => status,
  );
  assert.deepEqual(statuses.sort(), [201, 409, 409]);
});

test('the list says when a key was used last, how often today, and how often in vain', async () => {
  const key = await create('mobile');
  const fresh = await listed(key.id);
  assert.deepEqual([fresh.lastUsedAt, fresh.requestsToday, fresh.rejectedToday], [null, 0, 0]);
  let rejected = 0;
  let requests = 0;
  while (rejected === 0) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(key.key)));
    requests += answers.length;
    rejected += answers.filter(({ status }) => status === 429).length;
  }
  const used = await listed(key.id);
  assert.deepEqual([used.requestsToday, used.rejectedToday], [requests, rejected]);
  assert.ok(used.lastUsedAt);
  // What was listed is stored, and what comes later is added to it.
  const { status } = await use(key.key);
  const more = await listed(key.id);
  assert.deepEqual(
    [more.requestsToday, more.rejectedToday],
    [requests + 1, rejected + (status === 429 ? 1 : 0)],
  );
  await advance(24 * HOUR_MS);
  const later = await listed(key.id);
  assert.deepEqual([later.lastUsedAt, later.requestsToday, later.rejectedToday], [more.lastUsedAt, 0, 0]);
});

test('a key of the configuration is installed once, and works', async () => {
  const key = 'a key that the configuration names';
  for (let times = 0; times < 2; times++)
    await platform.platform.keys.install(
      key,
      { name: 'Of the configuration', tier: 'crm' },
      { actor: 'tests' },
    );
  assert.ok(await isValid(key));
  const { data } = await admin.call(listApiKeys, { query: { limit: 100 } });
  assert.equal(data.filter(({ name }) => name === 'Of the configuration').length, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepsFromChange } from '../../../test/support/locked-rows.ts';
import { ownDatabase } from '../../../test/support/own-database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Failure } from '../../kernel/failures.ts';
import { idMaker } from '../../kernel/ids.ts';
import { HOUR_MS, travellingClock } from '../../kernel/time/time.ts';
import { apiKeyStore } from './api-keys.store.ts';
import { apiKeyNotFound, apiKeys, invalidApiKey } from './api-keys.ts';

// Two processes of one installation and one of another environment, on one database.

const { database } = await ownDatabase();
const clock = travellingClock();
const audit: { action: string; target?: string; targetName?: string; details?: object }[] = [];
const newId = idMaker(clock);
const keysOf = (environment: 'development' | 'production') =>
  apiKeys({
    database,
    audit: {
      record: async (_tx: unknown, { action, target, targetName, details }: (typeof audit)[number]) => {
        audit.push({
          action,
          target: target as string,
          targetName: targetName as string,
          ...(details && { details }),
        });
      },
    } as never,
    clock,
    newId,
    environment,
    onError: assert.ifError,
    mustStayAdministrator: async () => undefined,
  });
const [one, other, elsewhere] = [keysOf('production'), keysOf('production'), keysOf('development')];
const ACTOR = { actor: 'test' };
const DRAFT = { name: 'The CRM', tier: 'crm' } as const;
const isValid = (keys: typeof one, key: string): Promise<boolean> =>
  keys.identify(key).then(
    () => true,
    (error: Failure) => {
      assert.deepEqual([error.status, error.code], [401, invalidApiKey().code]);
      return false;
    },
  );
const notFound = ({ status, code }: Failure) => status === 404 && code === apiKeyNotFound().code;

test('a key is known in its own environment alone', async () => {
  const { key, id, environment } = await one.create(DRAFT, ACTOR);
  assert.match(key, new RegExp(`^pk_production_${id}_`));
  assert.deepEqual(
    [await isValid(one, key), await isValid(other, key), await isValid(elsewhere, key), environment],
    [true, true, false, 'production'],
  );
  assert.equal(await isValid(one, `${key}x`), false);
  assert.deepEqual(audit.at(-1), {
    action: 'api-key.created',
    target: id,
    targetName: DRAFT.name,
    details: DRAFT,
  });
});

test('a revocation applies at once in its own process, and a second later in others', async () => {
  const [first, second] = [await one.create(DRAFT, ACTOR), await one.create(DRAFT, ACTOR)];
  for (const keys of [one, other]) for (const { key } of [first, second]) await keys.identify(key);
  const { revokedAt } = await one.revoke(first.id, ACTOR);
  assert.deepEqual([await isValid(one, first.key), await isValid(other, first.key)], [false, true]);
  assert.equal(await isValid(one, second.key), true);
  clock.advance(1_001);
  assert.equal(await isValid(other, first.key), false);
  assert.deepEqual((await one.revoke(first.id, ACTOR)).revokedAt, revokedAt);
  assert.equal(audit.at(-1)?.action, 'api-key.revoked');
  await assert.rejects(one.revoke('f'.repeat(24), ACTOR), notFound);
});

test('a key that ends while it is looked up is not remembered as valid', async () => {
  const { id, key } = await one.create(DRAFT, ACTOR);
  const found = one.identify(key);
  const revoked = one.revoke(id, ACTOR);
  await Promise.allSettled([found, revoked]);
  assert.equal(await isValid(one, key), false);
});

test('a rolled key is valid until the overlap is over, also where it is remembered', async () => {
  const { id, key } = await one.create(DRAFT, ACTOR);
  const rolled = await one.roll(id, 1, ACTOR);
  assert.equal(rolled.previousExpiresAt.getTime() - clock.now() > HOUR_MS - 60_000, true);
  clock.set(rolled.previousExpiresAt.getTime() - 500);
  assert.equal(await isValid(one, key), true);
  clock.set(rolled.previousExpiresAt.getTime() + 1);
  assert.equal(await isValid(one, key), false, 'within the second for which it is remembered');
  assert.equal(await isValid(one, rolled.key), true);
  assert.deepEqual(audit.slice(-2), [
    {
      action: 'api-key.rolled',
      target: id,
      targetName: DRAFT.name,
      details: { replacedBy: rolled.id, overlapHours: 1 },
    },
    { action: 'api-key.created', target: rolled.id, targetName: DRAFT.name, details: DRAFT },
  ]);
});

test('a name that stays the same is not recorded as a change', async () => {
  const { id } = await one.create(DRAFT, ACTOR);
  const before = audit.length;
  assert.equal((await one.rename(id, DRAFT.name, ACTOR)).name, DRAFT.name);
  assert.equal(audit.length, before);
  assert.equal((await one.rename(id, 'Other', ACTOR)).name, 'Other');
  assert.equal(audit.length, before + 1);
});

test('a key of our own form keeps the id in it when it is installed, in whichever process first', async () => {
  const id = newId();
  const key = `pk_production_${id}_secret`;
  await Promise.all([one, other].map((keys) => keys.install(key, DRAFT, ACTOR)));
  assert.equal((await one.identify(key)).id, id);
  const broken = apiKeys({
    database: { ...database, transaction: () => Promise.reject(new Error('the database is away')) },
    audit: {} as never,
    clock,
    newId,
    environment: 'production',
    onError: assert.ifError,
    mustStayAdministrator: async () => undefined,
  });
  await assert.rejects(broken.install('another key', DRAFT, ACTOR), /the database is away/);
});

test('keys are listed newest first, with the use of the day and the last of all days', async () => {
  const { id } = await one.create(DRAFT, ACTOR);
  const next = await one.create(DRAFT, ACTOR);
  one.countUse(id, true);
  one.countUse(id, false);
  const { items, total } = await one.list({ page: 1, limit: 2 });
  assert.deepEqual(
    items.map(({ id, requestsToday, rejectedToday }) => [id, requestsToday, rejectedToday]),
    [
      [next.id, 0, 0],
      [id, 2, 1],
    ],
  );
  assert.deepEqual([items[0]?.lastUsedAt, total > 2], [null, true]);
  const first = items[1]?.lastUsedAt;
  clock.advance(24 * HOUR_MS);
  other.countUse(id, false);
  await other.flush();
  clock.advance(24 * HOUR_MS);
  const later = (await one.list({ page: 1, limit: 2 })).items[1];
  assert.deepEqual([later?.requestsToday, later?.rejectedToday], [0, 0]);
  assert.ok(later?.lastUsedAt && first && later.lastUsedAt > first);
});

test('a key that is being renamed or rolled is not changed by others meanwhile', async () => {
  const { id } = await one.create(DRAFT, ACTOR);
  const lock = (tx: Transaction) => apiKeyStore(database).lock(tx, id);
  assert.equal(await keepsFromChange(database, lock, 'gateway.api_key where id = $1', [id]), true);
});

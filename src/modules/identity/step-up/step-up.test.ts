import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  changePassword,
  confirmAuthenticator,
  createApiKey,
  createUser,
  createWebhookEndpoint,
  debitWallet,
  deleteOwnAccount,
  deleteUser,
  enrollAuthenticator,
  fundWalletAsAdmin,
  getFactors,
  listAudit,
  removeAuthenticator,
  removeFactorsOfUser,
  replacePermissions,
  revokeApiKey,
  setExchangeRate,
  settleWithdrawal,
  signIn,
  stepUp,
  transferKeys,
  updateUser,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { appOf, elevate, withApp } from '../../../../test/support/factors.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { stepUpRequired } from '../../../kernel/operations/step-up.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/time.ts';
import { wrongMfaCode } from '../factors/factors.ts';
import { wrongPassword } from '../passwords/password-proof.ts';
import { wrongFactor } from './step-up.ts';

const platform = await startPlatform();
const { client, clock, database } = platform;
type Client = typeof client;
/** The tests move the clock on, past the end of the first administrator's token. */
async function newMemberWith(keys: number) {
  const member = await platform.newMember();
  const admin = await platform.signInAdmin();
  await admin.call(fundWalletAsAdmin, { body: { userId: member.id, amount: keys } });
  return member;
}
const rich = async () => withApp(platform, await newMemberWith(10_000));

test('a member without a second factor steps up by password, and needs it for nothing', async () => {
  const ada = await newMemberWith(5_000);
  const to = (await platform.newMember()).id;
  assert.equal((await ada.client.call(transferKeys, { body: { toUserId: to, amount: 4_000 } })).status, 201);
  const before = clock.now();
  const { until } = (await ada.client.call(stepUp, { body: { password: PASSWORD } })).data;
  const minutes = (Date.parse(until) - before) / MINUTE_MS;
  assert.ok(minutes >= 10 && minutes < 11);
  assertRefused(await ada.client.attempt(stepUp, { body: { password: 'a guess' } }), wrongPassword);
  assertRefused(await ada.client.attempt(stepUp, { body: { mfaCode: '123456' } }), wrongFactor);
  assertInvalid(await ada.client.attempt(stepUp, { body: {} }));
  assertInvalid(await ada.client.attempt(stepUp, { body: { password: PASSWORD, mfaCode: '123456' } }));
});

test('only a second factor is accepted as proof, and adding one voids proofs by password', async () => {
  const plain = await newMemberWith(100);
  await plain.client.call(stepUp, { body: { password: PASSWORD } });
  const ada = await withApp(platform, plain);
  const withdraw = () => ada.client.attempt(withdrawKeys, { body: { amount: 50 } });
  assertRefused(await withdraw(), stepUpRequired);
  assertRefused(await ada.client.attempt(stepUp, { body: { password: PASSWORD } }), wrongFactor);
  assertRefused(await ada.client.attempt(stepUp, { body: { mfaCode: '000000' } }), wrongMfaCode);
  await elevate(ada);
  assert.equal((await withdraw()).status, 201);
  clock.advance(10 * MINUTE_MS);
  assertRefused(await withdraw(), stepUpRequired, 'after ten minutes');
});

test('only the session that stepped up is elevated', async () => {
  const ada = await rich();
  const body = { email: ada.email, password: PASSWORD, platform: 'web' as const, device: 'other' };
  const other = (await client.call(signIn, { body: { ...body, mfaCode: ada.app.newCode() } })).data;
  await elevate(ada);
  const there = await client.as(other.accessToken).attempt(withdrawKeys, { body: { amount: 5 } });
  assertRefused(there, stepUpRequired, 'signing in with a code elevates nothing');
  assert.equal((await ada.client.attempt(withdrawKeys, { body: { amount: 5 } })).status, 201);
});

test('a session sends up to STEP_UP_KEYS in an hour without a step-up', async () => {
  const ada = await rich();
  const toUserId = (await platform.newMember()).id;
  const send = (amount: number) => ada.client.attempt(transferKeys, { body: { toUserId, amount } });
  assertRefused(await send(1_001), stepUpRequired);
  assert.equal((await send(600)).status, 201);
  assert.equal((await send(400)).status, 201);
  assertRefused(await send(1), stepUpRequired);
  await elevate(ada);
  assert.equal((await send(2_000)).status, 201);
  clock.advance(HOUR_MS + MINUTE_MS);
  const { data } = await client.call(signIn, {
    body: {
      email: ada.email,
      password: PASSWORD,
      platform: 'web',
      device: 'later',
      mfaCode: ada.app.newCode(),
    },
  });
  const later = client.as(data.accessToken);
  assert.equal((await later.attempt(transferKeys, { body: { toUserId, amount: 1_000 } })).status, 201);
});

test('concurrent transfers together send no more than the limit', async () => {
  const ada = await rich();
  const toUserId = (await platform.newMember()).id;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, place) => {
      const keyed = ada.client.with({ 'idempotency-key': `concurrent-${place}` });
      return untilAvailable(() => keyed.attempt(transferKeys, { body: { toUserId, amount: 200 } }));
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 5);
  for (const answer of answers) if (answer.status !== 201) assertRefused(answer, stepUpRequired);
});

test('a refused request succeeds under the same Idempotency-Key once the member has stepped up', async () => {
  const ada = await rich();
  const toUserId = (await platform.newMember()).id;
  const keyed = ada.client.with({ 'idempotency-key': 'again' });
  const send = () => keyed.attempt(transferKeys, { body: { toUserId, amount: 5_000 } });
  assertRefused(await send(), stepUpRequired);
  await elevate(ada);
  assert.equal((await send()).status, 201);
  clock.advance(10 * MINUTE_MS);
  const replayed = await send();
  assert.deepEqual([replayed.status, replayed.headers.get('idempotent-replayed')], [201, 'true']);
});

test('an answer with a secret is replayed only to a session that may ask for it', async () => {
  const ada = await platform.newMember();
  const keyed = ada.client.with({ 'idempotency-key': 'enrolment' });
  const { secret } = (await keyed.call(enrollAuthenticator)).data;
  assert.equal((await keyed.call(enrollAuthenticator)).data.secret, secret);
  const app = appOf(platform, secret);
  await ada.client.call(confirmAuthenticator, { body: { code: app.code() } });
  assertRefused(await keyed.attempt(enrollAuthenticator), stepUpRequired);
});

test('members with a factor need it for the password and for leaving', async () => {
  const ada = await withApp(platform, await platform.newMember());
  const body = { currentPassword: PASSWORD, newPassword: 'quite another one' };
  assertRefused(await ada.client.attempt(changePassword, { body }), stepUpRequired);
  assertRefused(await ada.client.attempt(deleteOwnAccount, { body: { password: PASSWORD } }), stepUpRequired);
  await elevate(ada);
  assert.equal((await ada.client.attempt(changePassword, { body })).status, 200);
  assert.equal(
    (await ada.client.attempt(deleteOwnAccount, { body: {} })).status,
    200,
    'in place of the password',
  );
});

test('twenty step-ups at once with one code elevate once', async () => {
  const ada = await withApp(platform, await platform.newMember());
  const mfaCode = ada.app.newCode();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => untilAvailable(() => ada.client.attempt(stepUp, { body: { mfaCode } }))),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('a step-up that meets the removal of its factor leaves no elevation behind', async () => {
  for (let round = 0; round < 5; round++) {
    const ada = await withApp(platform, await platform.newMember());
    await elevate(ada);
    const mfaCode = ada.app.newCode();
    await Promise.all([
      untilAvailable(() => ada.client.attempt(stepUp, { body: { mfaCode } })),
      untilAvailable(() => ada.client.attempt(removeAuthenticator)),
    ]);
    const { totp } = (await ada.client.call(getFactors)).data;
    assert.equal(totp, false);
    const [row] = await database.all(
      'select elevated_until from identity.session where user_id = $1 and ended_at is null',
      [ada.id],
    );
    assert.equal(row?.elevatedUntil, null);
  }
});

test('a change of password excludes a step-up by the old one, whichever comes first', async () => {
  const next = 'another password for tests';
  for (let round = 0; round < 5; round++) {
    const ada = await platform.newMember();
    const body = { currentPassword: PASSWORD, newPassword: next };
    const [changed, raised] = await Promise.all([
      untilAvailable(() => ada.client.attempt(changePassword, { body })),
      untilAvailable(() => ada.client.attempt(stepUp, { body: { password: PASSWORD } })),
    ]);
    assert.equal(changed.status, 200);
    if (raised.status !== 200) assertRefused(raised, wrongPassword);
    assertRefused(await ada.client.attempt(stepUp, { body: { password: PASSWORD } }), wrongPassword);
    assert.equal((await ada.client.attempt(stepUp, { body: { password: next } })).status, 200);
  }
});

test('a change of password that waits for the removal of the factor is judged after it', async () => {
  const ada = await withApp(platform, await platform.newMember());
  await elevate(ada);
  const body = { currentPassword: PASSWORD, newPassword: 'another password for tests' };
  const [changed, removed] = await Promise.all([
    untilAvailable(() => ada.client.attempt(changePassword, { body })),
    untilAvailable(() => ada.client.attempt(removeAuthenticator)),
  ]);
  assert.deepEqual([changed.status, removed.status], [200, 200]);
  const rows = await database.all(
    'select elevated_until from identity.session where user_id = $1 and elevated_until is not null',
    [ada.id],
  );
  assert.deepEqual(rows, []);
});

/** The requests for which an administrator with a second factor needs a step-up. */
const guarded = (
  target: string,
  withdrawal: string,
  apiKey: string,
): [string, (by: Client) => Promise<unknown>][] => {
  const params = { userId: target };
  return [
    ['funding', (by) => by.attempt(fundWalletAsAdmin, { body: { userId: target, amount: 1 } })],
    ['debiting', (by) => by.attempt(debitWallet, { body: { userId: target, amount: 1, reason: 'Test' } })],
    [
      'settling',
      (by) =>
        by.attempt(settleWithdrawal, {
          params: { transactionId: withdrawal },
          body: { outcome: 'cancelled', reason: 'Test' },
        }),
    ],
    ['granting', (by) => by.attempt(assignPermissions, { params, body: { permissions: ['admin'] } })],
    ['replacing', (by) => by.attempt(replacePermissions, { params, body: { permissions: ['moderator'] } })],
    [
      'a role',
      (by) =>
        by.attempt(createUser, {
          body: { email: newEmail(), firstName: 'A', lastName: 'B', role: 'admin' },
        }),
    ],
    ['revoking a key', (by) => by.attempt(revokeApiKey, { params: { id: apiKey } })],
    ['API keys', (by) => by.attempt(createApiKey, { body: { name: 'Key', tier: 'crm' } })],
    [
      'webhook endpoints',
      (by) => by.attempt(createWebhookEndpoint, { body: { url: 'https://example.com/hook' } }),
    ],
    ['an e-mail', (by) => by.attempt(updateUser, { params, body: { email: newEmail() } })],
    ['an exchange rate', (by) => by.attempt(setExchangeRate, { body: { rate: 1 } })],
    ['factors', (by) => by.attempt(removeFactorsOfUser, { params })],
    ['erasing', (by) => by.attempt(deleteUser, { params, body: { remainingKeys: 'forfeit' } })],
  ];
};

test('administrators with a factor need it for money, rights, keys, endpoints, e-mails and erasing', async () => {
  const operator = await platform.newMember();
  const ada = await newMemberWith(100);
  const root = await platform.signInAdmin();
  await root.call(assignPermissions, { params: { userId: operator.id }, body: { permissions: ['admin'] } });
  const { transaction } = (await ada.client.call(withdrawKeys, { body: { amount: 50 } })).data;
  const key = (await root.call(createApiKey, { body: { name: 'Key', tier: 'crm' } })).data;
  const withFactor = await withApp(platform, operator);
  const acts = guarded(ada.id, transaction.transactionId, key.id);
  for (const [name, act] of acts)
    assertRefused(
      (await act(withFactor.client)) as Parameters<typeof assertRefused>[0],
      stepUpRequired,
      name,
    );
  const named = await withFactor.client.attempt(updateUser, {
    params: { userId: ada.id },
    body: { firstName: 'Adeline' },
  });
  assert.equal(named.status, 200, 'a name needs none');
  await elevate(withFactor);
  for (const [name, act] of acts) {
    const { status } = (await act(withFactor.client)) as { status: number };
    assert.ok(status < 300, `${name}: ${status}`);
  }
  const log = (await root.call(listAudit, { query: { target: ada.id } })).data;
  assert.ok(log.some(({ action }) => action === 'user.deleted'));
});

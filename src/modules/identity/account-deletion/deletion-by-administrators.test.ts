import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeWallet,
  createTrade,
  deleteUser,
  followEducator,
  getBalance,
  getProfile,
  getUser,
  listAudit,
  listWithdrawals,
  type wire,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { elevate, withApp } from '../../../../test/support/factors.ts';
import { holding, untilAvailable } from '../../../../test/support/holding.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { userScope } from '../../../kernel/records/idempotency.ts';
import { walletLocked, walletNotEmpty, withdrawalPending } from '../../wallet/contract.ts';
import { lastAdministrator } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';

const platform = await startPlatform();
const { admin, database } = platform;

const remove = ({ id }: Pick<Member, 'id'>, body?: wire.DeleteUserBody, dryRun?: boolean) =>
  admin.attempt(deleteUser, {
    params: { userId: id },
    ...(body && { body }),
    ...(dryRun !== undefined && { query: { dryRun } }),
  });
const countsOf = (records: { name: string; count: number | null }[] = []) =>
  Object.fromEntries(records.map(({ name, count }) => [name, count]));

test('a dry run reports which records are erased and which are kept, and deletes nothing', async () => {
  const [ada, educator] = [await platform.newMemberWith(7), await platform.newMember()];
  await admin.raw('POST', `/v1/user/${educator.id}/permissions/assign`, { permissions: ['educator'] });
  await ada.client.call(followEducator, { params: { educatorId: educator.id } });
  await ada.client.call(createTrade, { body: { symbol: 'GOLD', direction: 'long', entryPrice: 4 } });
  const tables = async () =>
    database.first(
      `select (select count(*) from kernel.audit_entry where target = $1) as entries,
         (select count(*) from kernel.outbox where event = 'identity.user-deleted') + (select count(*) from jobs.job where name = 'identity.erase-again') as work`,
      [ada.id],
    );
  const before = await tables();

  const { status, data, body } = await remove(ada, {}, true);
  assert.deepEqual([status, body.message], [200, 'Nothing was deleted']);
  assert.deepEqual([data?.userId, data?.dryRun, data?.balance], [ada.id, true, 7]);
  const { code, message } = walletNotEmpty();
  assert.deepEqual(data?.blockedBy, { code, message });
  const erased = countsOf(data?.erased);
  assert.deepEqual([erased.account, erased.sessions, erased.follows], [1, 1, 1]);
  const kept = countsOf(data?.kept);
  assert.deepEqual([kept.trades, kept.walletEntries, kept.messages], [1, 1, null]);
  assert.ok(!('purchases' in erased), 'kinds without records are left out');

  assert.equal((await remove(ada, { remainingKeys: 'forfeit' }, true)).data?.blockedBy, null);
  assert.equal((await ada.client.call(getBalance)).data.balance, 7);
  assert.equal((await ada.client.call(getProfile)).data.email, ada.email);
  assert.deepEqual(await tables(), before);

  const deletion = await remove(ada, { remainingKeys: 'forfeit' });
  assert.deepEqual(
    [deletion.data?.dryRun, deletion.data?.blockedBy, deletion.data?.balance],
    [false, null, 7],
  );
  assert.deepEqual(countsOf(deletion.data?.erased).follows, 1);
  assertRefused(await admin.attempt(getUser, { params: { userId: ada.id } }), userNotFound);
  assertRefused(await remove(ada, {}, true), userNotFound);
});

test('an administrator cannot delete a member with Keys or a pending withdrawal without deciding about them', async () => {
  const ada = await platform.newMemberWith(500);
  assertRefused(await remove(ada), walletNotEmpty);
  assertRefused(await remove(ada, { reason: 'Asked for' }, false), walletNotEmpty);
  await ada.client.call(withdrawKeys, { body: { amount: 500 } });
  assertRefused(await remove(ada), withdrawalPending);
  assert.equal((await remove(ada, {}, true)).data?.blockedBy?.code, withdrawalPending.code);
  assert.equal((await ada.client.call(getProfile)).status, 200);
  assert.equal((await remove(ada, { remainingKeys: 'withdraw', reason: 'Asked for' })).status, 200);
  const { data } = await admin.call(listAudit, { query: { target: ada.id, action: 'user.deleted' } });
  assert.deepEqual(
    data.map(({ reason, details }) => [reason, details]),
    [['Asked for', { remainingKeys: 'withdraw' }]],
  );
  assert.deepEqual(await ledgerFaults(database), []);
});

test('an administrator has remaining Keys paid out, unless the wallet is locked', async () => {
  const ada = await platform.newMemberWith(500);
  const params = { userId: ada.id };
  await admin.call(changeWallet, { params, body: { locked: true } });
  assertRefused(await remove(ada, { remainingKeys: 'withdraw' }), walletLocked);
  await admin.call(changeWallet, { params, body: { locked: false } });
  assert.equal((await remove(ada, { remainingKeys: 'withdraw' })).status, 200);
  const [withdrawal] = (await admin.call(listWithdrawals)).data.filter(({ userId }) => userId === ada.id);
  assert.equal(withdrawal?.amount, 500);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('of a dry run and deletions at once, one deletion succeeds', async () => {
  const ada = await platform.newMember();
  const [, ...deletions] = await Promise.all([remove(ada, {}, true), remove(ada), remove(ada)]);
  assert.deepEqual(deletions.map(({ status }) => status).sort(), [200, 404]);
});

test('a dry run says that the last administrator stays; unknown members and values are refused', async () => {
  const last = { id: platform.adminId };
  assert.equal((await remove(last, {}, true)).data?.blockedBy?.code, lastAdministrator.code);
  assertRefused(await remove(last), lastAdministrator);
  const path = `/v1/admin/auth/users/${(await platform.newMember()).id}`;
  assertInvalid(await admin.raw('DELETE', path, { remainingKeys: 'keep' }));
  assertInvalid(await admin.raw('DELETE', `${path}?dryRun=maybe`));
  const unknown = await admin.raw('DELETE', `/v1/admin/auth/users/${'0'.repeat(24)}`, { remainingKeys: 1 });
  assertRefused(unknown, userNotFound);
});

test('of two administrators who delete each other at once the first succeeds, and the other is signed out', async () => {
  for (const addFactor of [false, true]) {
    const both = await Promise.all(
      [1, 2].map(async () => {
        const one = await platform.newMember();
        await admin.raw('POST', `/v1/user/${one.id}/permissions/assign`, { permissions: ['admin'] });
        if (addFactor) await elevate(await withApp(platform, one));
        return one;
      }),
    );
    const [first, second] = both as [Member, Member];
    const answers = await Promise.all([
      untilAvailable(() => first.client.attempt(deleteUser, { params: { userId: second.id } })),
      untilAvailable(() => second.client.attempt(deleteUser, { params: { userId: first.id } })),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  }
});

test('nobody is deleted by a request whose Idempotency-Key another process has just used for something else', async () => {
  const ada = await platform.newMemberWith(30);
  const key = `delete-${ada.id}`;
  const sure = admin.with({ 'idempotency-key': key });
  const send = () =>
    sure.attempt(deleteUser, { params: { userId: ada.id }, body: { remainingKeys: 'forfeit' } });
  const isWaiting = async () =>
    (await database.count(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      [],
    )) > 0;
  const [sent] = await holding(database, async (tx) => {
    await tx.execute(
      `insert into kernel.idempotency_key (scope, key, fingerprint, answer, created_at)
       values ($1, $2, '\\x00', '{}', $3)`,
      [userScope(platform.adminId), key, platform.clock.date()],
    );
    const sent = send();
    await Promise.race([sent, until(isWaiting, 'the deletion to wait for the other request')]);
    return [sent];
  });
  assert.notEqual((await sent)?.status, 200);
  assert.equal((await untilAvailable(send)).body.error, 'IDEMPOTENCY_KEY_REUSED');
  assert.equal((await admin.call(getUser, { params: { userId: ada.id } })).data.id, ada.id);
});

test('a deletion that decides about Keys is answered again under its Idempotency-Key', async () => {
  const ada = await platform.newMemberWith(30);
  const sure = admin.with({ 'idempotency-key': `delete-${ada.id}` });
  const send = (remainingKeys?: 'withdraw' | 'forfeit') =>
    sure.attempt(deleteUser, { params: { userId: ada.id }, body: remainingKeys ? { remainingKeys } : {} });
  assertRefused(await send(), walletNotEmpty);
  const [first, again] = [await send('withdraw'), await send('withdraw')];
  assert.deepEqual([first.status, first.data?.balance], [200, 30]);
  assert.deepEqual([again.status, again.data], [200, first.data]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await send('forfeit')).status, 422);
  assertRefused(await remove(ada, { remainingKeys: 'withdraw' }), userNotFound);
  const { data: paid } = await admin.call(listWithdrawals, { query: { userId: ada.id } });
  assert.deepEqual(
    paid.map(({ amount }) => amount),
    [30],
  );
});

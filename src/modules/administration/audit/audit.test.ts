import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeWallet,
  createApiKey,
  debitWallet,
  deleteUser,
  endSessionsOfUser,
  fundWalletAsAdmin,
  issueFundingKey,
  listAudit,
  listAuditActions,
  replacePermissions,
  reverseTransaction,
  settleWithdrawal,
  updateUser,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { auditEntryNotFound } from '../../../kernel/records/audit.ts';

const platform = await startPlatform();
const { admin } = platform;

const newestOf = async (target: string) => {
  const { data } = await admin.call(listAudit, { query: { target } });
  return data[0] ?? assert.fail('no entry');
};

test('every write of an administrator takes a reason, and the log records whose record changed and how', async () => {
  const ada = await platform.newMemberWith(5);
  const params = { userId: ada.id };
  await admin.call(updateUser, {
    params,
    body: { firstName: 'Augusta', lastName: 'King', reason: 'She married' },
  });
  const entry = await newestOf(ada.id);
  assert.deepEqual(
    [entry.action, entry.reason, entry.targetName, entry.actorName],
    ['user.updated', 'She married', 'Augusta King', 'First Administrator'],
  );
  assert.deepEqual(Object.keys(entry.changes).sort(), ['firstName', 'lastName']);
  assert.equal((entry.changes.firstName as string[])[1], 'Augusta');

  await admin.call(changeWallet, { params, body: { locked: true, reason: 'Disputed' } });
  const { reason, changes } = await newestOf(ada.id);
  assert.deepEqual([reason, changes], ['Disputed', { locked: [false, true] }]);
});

test('a reason is sent in the body, or in the query of writes without a body', async () => {
  const ada = await platform.newMember();
  const params = { userId: ada.id };
  await admin.call(replacePermissions, { params, body: { permissions: ['educator'], reason: 'Hired' } });
  assert.equal((await newestOf(ada.id)).reason, 'Hired');
  await admin.call(issueFundingKey, { params, body: { reason: 'By telephone' } });
  assert.equal((await newestOf(ada.id)).reason, 'By telephone');
  await admin.call(endSessionsOfUser, { params, query: { platform: 'web', reason: 'Lost laptop' } });
  const { reason, details } = await newestOf(ada.id);
  assert.deepEqual([reason, details.platform, 'reason' in details], ['Lost laptop', 'web', false]);
  const ben = await platform.newMember();
  const sessions = `/v1/admin/auth/users/${ben.id}/sessions`;
  const ended = await admin.raw('DELETE', sessions, { reason: 'Lost phone' });
  assert.deepEqual([ended.status, ended.body.meta?.ignored], [200, undefined]);
  assert.equal((await newestOf(ben.id)).reason, 'Lost phone', 'in the body, as elsewhere');
  assertInvalid(await admin.raw('DELETE', sessions, { reason: '' }));
  assertInvalid(await admin.raw('DELETE', `/v1/admin/auth/users/${ada.id}`, { reason: '' }));
  await admin.call(deleteUser, { params, body: { reason: 'At their wish' } });
  assert.equal((await newestOf(ada.id)).reason, 'At their wish');
});

test('what was done with a transaction is found by it, and nothing that was done with others of its member', async () => {
  const ada = await platform.newMember();
  const funded = (
    await admin.call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 50, reason: 'A prize' } })
  ).data;
  const debit = { userId: ada.id, amount: 10, reason: 'Won by mistake' };
  const { data: debited } = await admin.call(debitWallet, { body: debit });
  const paid = (await ada.client.call(withdrawKeys, { body: { amount: 20 } })).data;
  await admin.call(settleWithdrawal, {
    params: { transactionId: paid.transaction.transactionId },
    body: { outcome: 'failed', reason: 'Refused by the bank' },
  });
  assert.deepEqual((await newestOf(ada.id)).changes, { status: ['pending', 'failed'] });
  const about = async (transactionId: string) =>
    (await admin.call(listAudit, { query: { transactionId } })).data.map(({ action, reason }) => [
      action,
      reason,
    ]);
  assert.deepEqual(await about(funded.transaction.transactionId), [['wallet.funded', 'A prize']]);
  assert.deepEqual(await about(paid.transaction.transactionId), [
    ['withdrawal.settled', 'Refused by the bank'],
  ]);
  assert.deepEqual(await about(debited.transaction.transactionId), [['wallet.debited', 'Won by mistake']]);
  const { data: reversal } = await admin.call(reverseTransaction, {
    params: { transactionId: funded.transaction.transactionId },
    body: { reason: 'Twice', allowPartial: true },
  });
  assert.deepEqual((await about(funded.transaction.transactionId))[0], ['transaction.reversed', 'Twice']);
  assert.deepEqual(await about(reversal.transaction.transactionId), [['transaction.reversed', 'Twice']]);
});

test('a reason that a member sends is ignored and listed among the ignored fields', async () => {
  const ada = await platform.newMember();
  const { body } = await ada.client.raw('PATCH', '/v1/user/profile', { firstName: 'Ada', reason: 'No' });
  assert.deepEqual(body.meta.ignored, ['reason']);
});

test('names, reasons and changes of a deleted member are removed from the log', async () => {
  const ada = await platform.newMember();
  const params = { userId: ada.id };
  const body = { firstName: 'Zenobia', lastName: 'Quartermain', reason: `Zenobia wrote from ${ada.email}` };
  await admin.call(updateUser, { params, body });
  await admin.call(deleteUser, { params });
  const isNamed = async () =>
    JSON.stringify((await admin.call(listAudit, { query: { target: ada.id } })).data).match(
      /Zenobia|Quartermain/,
    ) !== null;
  await until(async () => !(await isNamed()), 'the erasure of the log');
});

test('the log can be continued after an entry, and its total stops at the limit', async () => {
  for (const name of ['one', 'two', 'three'])
    await admin.call(createApiKey, { body: { name, tier: 'crm', reason: 'New client' } });
  const query = { action: 'api-key.created', limit: 1 };
  const first = await admin.call(listAudit, { query });
  const next = await admin.call(listAudit, { query: { ...query, before: first.data[0]?.id ?? '' } });
  assert.deepEqual(
    [first, next].map(({ data }) => data[0]?.targetName),
    ['three', 'two'],
  );
  assert.equal(next.body.pagination.totalIsExact, true);
  assertRefused(await admin.attempt(listAudit, { query: { before: 'f'.repeat(24) } }), auditEntryNotFound);
  const actions = (await admin.call(listAuditActions)).data;
  assert.ok(actions.includes('api-key.created') && actions.includes('user.updated'));
  assert.deepEqual(actions, [...actions].sort());
});

test('totals stop at ten thousand, and say so', async () => {
  await platform.database.execute(
    `insert into kernel.audit_entry (id, actor, action, created_at)
     select lpad(to_hex(i), 24, '0'), 'test', 'test.done', now() from generate_series(1, 10001) i`,
  );
  const { body } = await admin.call(listAudit, { query: { action: 'test.done', limit: 100 } });
  assert.deepEqual([body.pagination.total, body.pagination.totalIsExact], [10_000, false]);
  assert.equal(body.pagination.pages, 100);
});

test('the log is available as a file in which no text is executed as a formula', async () => {
  const ada = await platform.newMember();
  await admin.call(updateUser, {
    params: { userId: ada.id },
    body: { firstName: 'Augusta', reason: '=HYPERLINK("https://evil.example")' },
  });
  const file = await admin.raw('GET', `/v1/admin/audit?format=csv&target=${ada.id}`);
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  const lines = String(file.body).trim().split('\r\n');
  assert.match(lines[0] as string, /^id,createdAt,actor/);
  assert.match(lines[1] as string, /,"'=HYPERLINK\(""https:\/\/evil\.example""\)",/);
});

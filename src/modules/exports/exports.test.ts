import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  deleteUser,
  exportDataOfUser,
  exportOwnData,
  getExportOfUser,
  getOwnExport,
  listAudit,
  runJobQueue,
} from '../../../sdk/src/index.ts';
import { filesOf } from '../../../test/support/exports.ts';
import { addApp, elevate, withApp } from '../../../test/support/factors.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { stepUpRequired } from '../../kernel/operations/step-up.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/time.ts';
import { userNotFound } from '../identity/contract.ts';
import { exportNotFound, exportPending, tooManyExports } from './exports.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { database, newMember, standIn, clock } = platform;

const begin = ({ client }: Pick<Member, 'client'>) => client.attempt(exportOwnData);
const stateOf = async ({ client }: Pick<Member, 'client'>) => (await client.call(getOwnExport)).data;
const untilStatus = (member: Pick<Member, 'client'>, status: string) =>
  until(async () => (await stateOf(member)).status === status, status);
const ready = async (member: Pick<Member, 'client'>) => {
  assert.equal((await begin(member)).status, 202);
  await untilStatus(member, 'ready');
  return stateOf(member);
};
/** Signed in again, for tokens end long before a link does. */
const again = async (admin = platform.signInAdmin()) => ({ admin: await admin });
const sweep = async () =>
  (await again()).admin.call(runJobQueue, { params: { queue: 'exports.sweep' }, body: { reason: 'Now' } });
const isGone = (url: string | null) => async () => (await fetch(url ?? '')).status === 404;

test('an export is requested, created, announced by mail and downloaded by its link', async () => {
  const ada = await newMember();
  assertRefused(await ada.client.attempt(getOwnExport), exportNotFound);
  const begun = await ada.client.call(exportOwnData);
  assert.equal(begun.status, 202);
  assert.deepEqual(begun.data, { id: begun.data.id, status: 'pending' });
  await untilStatus(ada, 'ready');
  const { id, createdAt, readyAt, expiresAt, url } = await stateOf(ada);
  assert.equal(id, begun.data.id);
  assert.ok(createdAt <= String(readyAt));
  assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(readyAt)), DAY_MS);
  const file = await fetch(url ?? '');
  assert.equal(file.headers.get('content-type'), 'application/zip');
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="export-[\d-]+\.zip"/);
  const mail = await platform.mailTo(ada.email, 'email.data-export');
  assert.equal(mail.subject, 'The export of your data is ready');
  assert.ok(!JSON.stringify(mail).includes('/exports/'), 'the mail has no link to the file');
});

test('of ten requests at once one begins an export', async () => {
  const ada = await newMember();
  await standIn('storage', { mode: 'fail' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => begin(ada)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, ...Array(9).fill(409)]);
  for (const refused of answers.filter(({ status }) => status === 409)) assertRefused(refused, exportPending);
  await standIn('storage', { mode: 'ok' });
  await untilStatus(ada, 'ready');
  await platform.mailTo(ada.email, 'email.data-export');
  const mails = await platform.mailsTo(ada.email);
  assert.equal(mails.filter(({ kind }) => kind === 'email.data-export').length, 1);
});

test('a repetition under the same Idempotency-Key begins no other export', async () => {
  const ada = await newMember();
  const keyed = ada.client.with({ 'idempotency-key': 'export-once' });
  const first = await keyed.call(exportOwnData);
  await untilStatus(ada, 'ready');
  assert.deepEqual((await keyed.call(exportOwnData)).data, first.data);
});

test('a second export within a day has to wait, and stops no administrator', async () => {
  const { admin } = await again();
  const ada = await newMember();
  const { id } = await ready(ada);
  const refused = await begin(ada);
  assertRefused(refused, () => tooManyExports(1));
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 86_000 && seconds <= 86_400, String(seconds));

  const params = { userId: ada.id };
  assert.equal((await admin.call(getExportOfUser, { params })).data.id, id);
  const body = { reason: 'They asked by telephone' };
  const { status, data } = await admin.call(exportDataOfUser, { params, body });
  assert.deepEqual([status, data.status], [202, 'pending']);
  await until(async () => (await admin.call(getExportOfUser, { params })).data.status === 'ready', 'ready');
  assert.equal((await stateOf(ada)).id, data.id, 'the member sees it, too');
  const entries = (await admin.call(listAudit, { query: { target: ada.id, action: 'user.data-exported' } }))
    .data;
  assert.deepEqual(
    entries.map(({ actor, reason, details }) => ({ actor, reason, details })),
    [{ actor: platform.adminId, reason: body.reason, details: { exportId: data.id } }],
  );
});

test("an administrator's export hides the member's own file neither while it is made nor once it has failed", async () => {
  const { admin } = await again();
  const ada = await newMember();
  const own = await ready(ada);
  await standIn('storage', { mode: 'fail' });
  const params = { userId: ada.id };
  const { id } = (await admin.call(exportDataOfUser, { params, body: {} })).data;
  assert.deepEqual([(await stateOf(ada)).id, (await stateOf(ada)).status], [own.id, 'ready']);
  await database.execute(
    `update exports.export set created_at = created_at - interval '6 hours' where user_id = $1`,
    [ada.id],
  );
  await until(
    async () => (await admin.call(getExportOfUser, { params })).data.status === 'failed',
    'the end',
  );
  assert.equal((await admin.call(getExportOfUser, { params })).data.id, id);
  assert.deepEqual([(await stateOf(ada)).id, (await stateOf(ada)).status], [own.id, 'ready']);
});

test('while one is pending administrators begin another', async () => {
  const { admin } = await again();
  const ada = await newMember();
  await standIn('storage', { mode: 'fail' });
  await begin(ada);
  const params = { userId: ada.id };
  assert.equal((await admin.attempt(exportDataOfUser, { params, body: {} })).status, 202);
  assertRefused(await begin(ada), exportPending);
  await standIn('storage', { mode: 'ok' });
  await untilStatus(ada, 'ready');
});

test('only administrators export for others, and only members who exist', async () => {
  const { admin } = await again();
  const [ada, eve] = [await newMember(), await newMember()];
  const params = { userId: ada.id };
  assertRefused(await eve.client.attempt(exportDataOfUser, { params, body: {} }), insufficientPermissions);
  assertRefused(await eve.client.attempt(getExportOfUser, { params }), insufficientPermissions);
  assertRefused(await admin.attempt(getExportOfUser, { params }), exportNotFound);
  const nobody = { userId: 'f'.repeat(24) };
  assertRefused(await admin.attempt(exportDataOfUser, { params: nobody, body: {} }), userNotFound);
  assertRefused(await admin.attempt(getExportOfUser, { params: nobody }), userNotFound);
});

test('members and administrators with a second factor must have stepped up', async () => {
  const ada = await withApp(platform, await newMember());
  assertRefused(await begin(ada), stepUpRequired);
  await elevate(ada);
  assert.equal((await begin(ada)).status, 202);
  await untilStatus(ada, 'ready');

  const { admin } = await again();
  const grace = await newMember();
  await admin.call(assignPermissions, {
    params: { userId: grace.id },
    body: { permissions: ['admin'] },
  });
  const app = await addApp(platform, grace.client);
  const params = { userId: ada.id };
  assertRefused(await grace.client.attempt(exportDataOfUser, { params, body: {} }), stepUpRequired);
  await elevate({ ...grace, app });
  const { id } = (await grace.client.call(exportDataOfUser, { params, body: {} })).data;
  await until(async () => (await stateOf(ada)).id === id, 'the export for the member');

  await database.execute('update identity.session set elevated_until = null');
  assertRefused(await ada.client.attempt(getOwnExport), stepUpRequired, 'a stolen session gets no link');
  assertRefused(await grace.client.attempt(getExportOfUser, { params }), stepUpRequired);
  await elevate(ada);
  assert.equal((await fetch((await stateOf(ada)).url ?? '')).status, 200);
});

test('a link opens one file for 24 hours, and then the file is removed', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const { url } = await ready(ada);
  assert.equal((await fetch(url ?? '')).status, 200);
  const others = (await ready(eve)).url ?? '';
  const forged = new URL(others);
  forged.pathname = new URL(url ?? '').pathname;
  assert.equal((await fetch(forged)).status, 403, 'the signature of another file');
  const unsigned = new URL(url ?? '');
  unsigned.search = '';
  assert.ok((await fetch(unsigned)).status >= 400);

  clock.advance(DAY_MS + 1_000);
  assert.equal((await fetch(url ?? '')).status, 403, 'the link has expired');
  const { admin } = await again();
  const params = { userId: ada.id };
  const { status, url: none } = (await admin.call(getExportOfUser, { params })).data;
  assert.deepEqual([status, none], ['expired', null]);
  await sweep();
  await until(async () => (await filesOf(platform, ada.id)).length === 0, 'the removal');
});

test('an outage of the storage delays an export; after six hours it fails, and the member is notified', async () => {
  const ada = await newMember();
  await standIn('storage', { mode: 'fail' });
  await begin(ada);
  const waiting = `select count(*) from jobs.job where name = 'exports.make' and state = 'created' and start_after > now()`;
  await until(async () => (await database.count(waiting)) > 0, 'the postponed job');
  await standIn('storage', { mode: 'ok' });
  await untilStatus(ada, 'ready');

  const bob = await newMember();
  await standIn('storage', { mode: 'fail' });
  await begin(bob);
  // The access token outlives no six hours.
  await database.execute(
    `update exports.export set created_at = created_at - interval '6 hours' where user_id = $1`,
    [bob.id],
  );
  await untilStatus(bob, 'failed');
  const { url, readyAt, expiresAt } = await stateOf(bob);
  assert.deepEqual([url, readyAt, expiresAt], [null, null, null]);
  const mail = await platform.mailTo(bob.email, 'email.data-export');
  assert.equal(mail.subject, 'The export of your data failed');
  await standIn('storage', { mode: 'ok' });
  assert.equal((await begin(bob)).status, 202, 'a failed one does not count');
  await untilStatus(bob, 'ready');
});

test('an outage of the storage spends no attempt of an export that is stored in parts, either', async () => {
  const ada = await newMember();
  await database.execute(
    `insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
     select lpad(to_hex(n), 24, '0'), $1, $1,
       (select string_agg(md5(n::text || k), '') from generate_series(1, 30) k), n, n, now()
     from generate_series(1, 20000) n`,
    [ada.id],
  );
  await standIn('storage', { mode: 'fail' });
  const { id } = (await ada.client.call(exportOwnData)).data;
  const attempts = (condition: string) =>
    database.count(
      `select count(*) from jobs.job where name = 'exports.make' and data ->> 'exportId' = $1 and ${condition}`,
      [id],
    );
  // A postponed job is completed, and enqueued again.
  await until(async () => (await attempts(`state = 'completed' or retry_count > 0`)) > 0, 'the attempt');
  assert.equal(await attempts('retry_count > 0'), 0);
  await standIn('storage', { mode: 'ok' });
  await untilStatus(ada, 'ready');
});

test('a lost job ends its export', async () => {
  const ada = await newMember();
  await ready(ada);
  const lost = { id: '0'.repeat(24), userId: ada.id, at: new Date(clock.now() - 25 * HOUR_MS) };
  await database.execute(
    `insert into exports.export (id, user_id, is_own, status, created_at) values ($1, $2, true, 'pending', $3)`,
    [lost.id, lost.userId, lost.at],
  );
  assertRefused(await begin(ada), exportPending);
  await sweep();
  await until(
    async () =>
      (await database.count(`select count(*) from exports.export where id = $1 and status = 'failed'`, [
        lost.id,
      ])) === 1,
    'the end',
  );
});

test('with a member their exports and the files go', async () => {
  const { admin } = await again();
  const ada = await newMember();
  const { url } = await ready(ada);
  await admin.call(deleteUser, { params: { userId: ada.id } });
  await until(isGone(url), 'the removal');
  assert.equal(await database.count('select count(*) from exports.export where user_id = $1', [ada.id]), 0);
});

test('a member who is erased while their export is being made leaves no file', async () => {
  const { admin } = await again();
  const ada = await newMember();
  await standIn('storage', { mode: 'slow' });
  const { id } = (await ada.client.call(exportOwnData)).data;
  const jobs = (states: string[]) =>
    database.count(
      `select count(*) from jobs.job
       where name = 'exports.make' and data ->> 'exportId' = $1 and state::text = any($2)`,
      [id, states],
    );
  await until(async () => (await jobs(['active'])) === 1, 'the job');
  await admin.call(deleteUser, { params: { userId: ada.id } });
  await until(async () => (await jobs(['created', 'retry', 'active'])) === 0, 'the end of the job');
  await until(async () => (await filesOf(platform, ada.id)).length === 0, 'the removal');
});

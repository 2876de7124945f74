// Deleting an account leaves what is recorded about others, and what was said about the person before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  fundWalletAsAdmin,
  listAudit,
  listErrors,
  listNotifications,
  muteUser,
  sendNotification,
  signIn,
  subscribeToEducator,
  updateProfile,
  updateUser,
} from '../../sdk/src/index.ts';
import { namingOf, withoutNames } from '../../src/kernel/records/erasure.ts';
import { announce } from '../support/announcements.ts';
import { PASSWORD } from '../support/client.ts';
import { newEducator } from '../support/courses.ts';
import { erasureTools } from '../support/erasure.ts';
import { until } from '../support/live.ts';
import { ADMIN, startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { client, database } = platform;
let { admin } = platform;
const { signedUp, leave } = erasureTools(platform);

/** Signs in again: tokens of before have expired when the clock has advanced. */
async function clientOf(email: string, password = PASSWORD, origin: 'web' | 'backoffice' = 'web') {
  const body = { email, password, platform: origin };
  return client.as((await client.call(signIn, { body })).data.accessToken);
}

/** Runs the second round of each erasure now, and waits until it is over. */
async function secondRound(): Promise<void> {
  await database.execute(
    "update jobs.job set start_after = now() where name = 'identity.erase-records' and state = 'created'",
  );
  await until(
    async () =>
      (await database.count(
        "select count(*) from jobs.job where name = 'identity.erase-records' and state <> 'completed'",
      )) === 0,
    'the second round of the erasure',
  );
}

const always = (name: string) => ({ name, since: 0 });
const auditOf = async (target: string) => (await admin.call(listAudit, { query: { target } })).data;
const fund = (userId: string) =>
  admin.call(fundWalletAsAdmin, { body: { userId, amount: 5, reason: 'Welcome' } });

test('records of who signs up with the address of a deleted account are left, and work that names them is not waited for', async () => {
  const email = 'twice@example.com';
  const names = { firstName: 'Twice', lastName: 'Told' };
  const former = await signedUp(email, names);
  await leave(former);
  const next = await signedUp(email, names);
  const [params, reason] = [{ userId: next.id }, `Wrote from ${email}`];
  await admin.call(updateUser, { params, body: { lastName: 'Again', reason } });
  await client.attempt(signIn, { body: { email, password: 'a wrong password', platform: 'web' } });
  const errorsOf = async () => (await admin.call(listErrors, { query: { email } })).data;
  await until(async () => (await errorsOf()).length > 0, 'the report');
  const [audit, errors] = [await auditOf(next.id), await errorsOf()];
  assert.ok(audit.some((entry) => entry.reason === reason));
  await database.execute(
    `insert into jobs.job (name, data, start_after, policy, retry_limit)
     values ('media.process-video', $1, now() + interval '1 day', 'standard', 0)`,
    [JSON.stringify({ email })],
  );
  await secondRound();
  assert.deepEqual([await auditOf(next.id), await errorsOf()], [audit, errors]);
  await database.execute(
    "delete from jobs.job where name in ('media.process-video', 'identity.erase-records')",
  );
});

test('what was recorded before an older account was given the address of a deleted one is erased', async () => {
  const older = await signedUp('older@example.com', { firstName: 'Older', lastName: 'Account' });
  const email = 'merged@example.com';
  const gone = await signedUp(email, { firstName: 'Merged', lastName: 'Account' });
  const before = platform.clock.date();
  await leave(gone);
  await admin.call(updateUser, { params: { userId: older.id }, body: { email } });
  await database.execute(
    `insert into mail.suppression (id, email, kind, reported_at, created_at) values ($1, $2, 'bounce', $3, $3)`,
    ['5'.repeat(24), email, before],
  );
  await secondRound();
  assert.equal(await database.count('select count(*) from mail.suppression where email = $1', [email]), 0);
  await database.execute("delete from jobs.job where name = 'identity.erase-records'");
});

test('what an operator has written about a deleted member to others loses the name and the address', async () => {
  const gone = await signedUp('quag.mire@example.com', { firstName: 'Xylophonius', lastName: 'Quagmireson' });
  const other = await signedUp('reader@example.com', { firstName: 'A', lastName: 'Reader' });
  const texts = [
    { title: 'About Xylophonius Quagmireson', message: 'Write to quag.mire@example.com.' },
    { title: 'About the Quagmireson', message: 'Write to q.quag.mire@example.com.' },
  ];
  for (const text of texts)
    await admin.call(sendNotification, { body: { userId: other.id, type: 'reminder', ...text } });
  await leave(gone);
  const { data } = await other.client.call(listNotifications, { query: { type: 'reminder' } });
  assert.deepEqual(
    data.map(({ title, message }) => ({ title, message })),
    [texts[1], { title: 'About deleted deleted', message: 'Write to deleted.' }],
    'the second is about somebody else',
  );
});

test('an address that ends like those of others, and names like those of staff, change nothing of theirs', async () => {
  const victim = await signedUp('victim-tim@example.com', { firstName: 'Vic', lastName: 'Tim' });
  await fund(victim.id);
  const body = { email: victim.email, password: 'a wrong password', platform: 'web' as const };
  await client.attempt(signIn, { body });
  const errorsOf = async () =>
    (await admin.call(listErrors, { query: { email: victim.email } })).data.map(({ errorId, ...one }) => one);
  await until(async () => (await errorsOf()).length > 0, 'the report');
  const [audit, errors] = [await auditOf(victim.id), await errorsOf()];
  const { adminEmail } = audit.find(({ action }) => action === 'wallet.funded')?.details as {
    adminEmail: string;
  };
  const attackers = [
    await signedUp('tim@example.com', { firstName: 'AUTHENTICATION_FAILED', lastName: adminEmail }),
    await signedUp(`${adminEmail.slice(4)}`, { firstName: platform.adminId, lastName: adminEmail }),
  ];
  for (const attacker of attackers) {
    await fund(attacker.id);
    await leave(attacker);
    const own = await auditOf(attacker.id);
    assert.equal(own.find(({ action }) => action === 'wallet.funded')?.details.adminEmail, adminEmail);
  }
  assert.deepEqual(await auditOf(victim.id), audit);
  assert.deepEqual(await errorsOf(), errors);
});

test('a name that was taken after something was said of the member does not blank it; one from before does', async () => {
  const reason = 'Sold stolen accounts to three members of Gloriosa';
  const member = await signedUp('seller@example.com', { firstName: 'Gloriosa', lastName: 'Superba' });
  await admin.call(muteUser, { params: { userId: member.id }, body: { minutes: 5, reason } });
  platform.clock.advance(120_000);
  await member.client.call(updateProfile, {
    body: { firstName: 'Sold stolen accounts', lastName: 'three members' },
  });
  await leave(member);
  const muted = (await auditOf(member.id)).find(({ action }) => action === 'user.muted');
  assert.equal(muted?.reason, 'Sold stolen accounts to three members of deleted');
});

test('nor does one among so many that the first of them are forgotten', async () => {
  const reason = 'Fraud with refunds';
  const member = await signedUp('many-names@example.com', { firstName: 'Many', lastName: 'Names' });
  await admin.call(muteUser, { params: { userId: member.id }, body: { minutes: 5, reason } });
  platform.clock.advance(120_000);
  for (let number = 0; number < 30; number++) {
    const firstName = number === 0 || number === 20 ? 'Fraud' : `Eve${number}`;
    await member.client.call(updateProfile, { body: { firstName, lastName: 'refunds' } });
  }
  await leave(member);
  assert.equal((await auditOf(member.id)).find(({ action }) => action === 'user.muted')?.reason, reason);
});

test('a former address, and the first of twenty former names, do not stay in the audit log', async () => {
  const member = await signedUp('former@example.com', { firstName: 'Wilhelmina', lastName: 'Featherstone' });
  const params = { userId: member.id };
  const said = 'Wilhelmina moves from former@example.com';
  await admin.call(muteUser, { params, body: { minutes: 5, reason: said } });
  await admin.call(updateUser, { params, body: { email: 'later@example.com', reason: said } });
  for (let number = 0; number < 22; number++)
    await member.client.call(updateProfile, { body: { firstName: `Ann${number}`, lastName: 'Other' } });
  await leave(member);
  const reasons = (await auditOf(member.id)).map(({ reason }) => reason);
  assert.ok(reasons.includes('deleted moves from deleted'));
  assert.equal(
    reasons.some((reason) => /Wilhelmina|former@/.test(reason ?? '')),
    false,
    reasons.join(),
  );
});

test('names are replaced in any form of Unicode, and only as whole words of any script', () => {
  const person = {
    userId: 'f'.repeat(24),
    emails: [],
    emailsUntil: new Date(0),
    names: ['José', 'राम', 'ada', 'ada-l'].map(always),
  };
  const without = (text: string) => withoutNames(text, person, new Date(0));
  assert.equal(without('José and Jose\u0301 paid'), 'deleted and deleted paid');
  assert.equal(without('रामायण by राम'), 'रामायण by deleted');
  assert.equal(without('ada-l, Ada and adalbert'), 'deleted, deleted and adalbert');
  assert.equal(withoutNames('Ada', { ...person, names: [] }, new Date(0)), 'Ada');
});

test('a former name of a deleted educator does not stay in the notifications of others', async () => {
  const [educator, follower] = [await newEducator(platform), await platform.newMember()];
  const rename = (firstName: string) => educator.client.call(updateProfile, { body: { firstName } });
  await rename('Formerfirst');
  await follower.client.call(subscribeToEducator, { params: { educatorId: educator.id } });
  await announce(educator);
  const titles = async () =>
    (await follower.client.call(listNotifications, { query: { type: 'announcement' } })).data.map(
      ({ title }) => title,
    );
  await until(
    async () => (await titles()).some((title) => title.includes('Formerfirst')),
    'the notification',
  );
  platform.clock.advance(120_000);
  await rename('Newfirst');
  await leave(educator);
  await until(async () => !(await titles()).join().includes('Formerfirst'), 'the erasure', 60_000);
});

test('an address is found in records only as a whole, also encoded, in PostgreSQL as in the process', async () => {
  const person = { emails: ['n@example.com'], emailsUntil: new Date(0), names: [] };
  const { expression } = namingOf(person);
  for (const [text, isAbout] of [
    ['n@example.com', true],
    ['"email": "N@example.com", "a": 1', true],
    ['/v1?email=n%40example.com&a=1', true],
    ['to=%22n%40example.com%22', true],
    ['<n@example.com>.', true],
    ['Write to\nn@example.com\tor not', true],
    ['"\u0001n@example.com', true],
    ['Ask n@example.com. Then wait', true],
    ['ann@example.com', false],
    ['a.n@example.com', false],
    ['a+n@example.com', false],
    ['n@example.com.au', false],
    ['n@example.community', false],
  ] as const) {
    // Records are compared as the JSON that they are stored in.
    const [row] = await database.all<{ found: boolean }>('select $1::text ~* $2 as found', [
      JSON.stringify({ text }),
      expression,
    ]);
    const replaced = withoutNames(text, { ...person, userId: 'f'.repeat(24) }, new Date(0)) !== text;
    assert.deepEqual([row?.found, replaced], [isAbout, isAbout], text);
  }
});

test('names that were chosen in advance and given up blank nothing, and rights stay in the audit log', async () => {
  const reason = 'Fraud by chargeback';
  const member = await signedUp('in-advance@example.com', { firstName: 'Nora', lastName: 'Quick' });
  const call = (body: object) => member.client.call(updateProfile, { body });
  await call({ firstName: 'Fraud', lastName: 'chargeback' });
  await call({ firstName: 'educator', lastName: 'write_wallets' });
  await call({ firstName: 'Nora', lastName: 'Quick' });
  platform.clock.advance(25 * 3_600_000);
  admin = await clientOf(ADMIN.email, ADMIN.password, 'backoffice');
  const params = { userId: member.id };
  await admin.call(assignPermissions, { params, body: { permissions: ['educator'], reason: 'Nora asked' } });
  await admin.call(muteUser, { params, body: { minutes: 5, reason } });
  member.client = await clientOf(member.email);
  await leave(member);
  const entries = await auditOf(member.id);
  assert.equal(entries.find(({ action }) => action === 'user.muted')?.reason, reason);
  const given = entries.filter(({ changes }) => changes && 'permissions' in changes);
  assert.deepEqual(
    given.map((entry) => [entry.reason, entry.changes?.permissions]),
    [['deleted asked', [[], ['educator']]]],
  );
});

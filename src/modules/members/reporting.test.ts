import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  blockMember,
  deleteUser,
  getEducator,
  getMember,
  getProfile,
  listAudit,
  listNotifications,
  listReports,
  report,
  resolveReport,
  updateEducatorProfile,
  updateProfile,
  updateUser,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { userNotFound } from '../identity/contract.ts';
import { alreadyReported, ownReport } from '../moderation/contract.ts';

const platform = await startPlatform();
const { admin } = platform;
const ben = await platform.newMember();

const tryToReport = ({ client }: Pick<Member, 'client'>, subjectId: string) =>
  client.attempt(report, { body: { kind: 'profile', subjectId, reason: 'Insults' } });
async function openReport(subjectId: string) {
  const { data } = await admin.call(listReports, { query: { kind: 'profile', status: 'open' } });
  return data.find((one) => one.subjectId === subjectId) ?? assert.fail('no report');
}
const resolve = (reportId: string, outcome: 'removed' | 'dismissed') =>
  admin.call(resolveReport, { params: { reportId }, body: { outcome } });
const AVATAR = 'https://cdn.example.com/rude.jpg';

test('an educator is reported with what others see, and loses texts and pictures, but neither name nor badge', async () => {
  const ada = await newEducator(platform);
  const params = { educatorId: ada.id };
  await admin.call(updateUser, {
    params: { userId: ada.id },
    body: { firstName: 'Ada', lastName: 'Rude', username: 'ada_rude' },
  });
  const badge = 'https://cdn.example.com/gold.png';
  await platform.database.execute(
    `update identity.user set educator = educator || jsonb_build_object('rankBadgeUrl', $2::text) where id = $1`,
    [ada.id, badge],
  );
  await ada.client.call(updateEducatorProfile, {
    params,
    body: {
      educator_title: 'Boss',
      educator_bio: 'Send me Keys',
      skills: ['Fraud', 'Spam'],
      socials: { website: 'https://rude.example.com' },
      profileImage: AVATAR,
    },
  });
  assert.equal((await tryToReport(ben, ada.id)).status, 201);
  assertRefused(await tryToReport(ben, ada.id), alreadyReported);
  const found = await openReport(ada.id);
  assert.equal(
    found.text,
    `Ada Rude\n@ada_rude\n${AVATAR}\nBoss\nSend me Keys\nFraud\nSpam\nhttps://rude.example.com`,
  );
  assert.equal(found.authorId, ada.id);
  await resolve(found.id, 'removed');
  const { data } = await ben.client.call(getEducator, { params });
  assert.deepEqual(
    [data.name, data.username, data.avatar, data.educator_title, data.educator_bio, data.rankBadgeUrl],
    ['Ada Rude', 'ada_rude', null, null, null, badge],
  );
  assert.deepEqual([data.skills, data.socials], [[], {}]);
  assert.equal((await ada.client.call(getProfile)).data.bio, null, 'the account stays');
  const notices = (await ada.client.call(listNotifications, { query: { type: 'moderation' } })).data;
  assert.deepEqual(notices, [], 'they do not learn who reported them');
  const [entry] = (await admin.call(listAudit, { query: { action: 'moderation.resolved' } })).data;
  assert.deepEqual([entry?.target, entry?.details.kind], [ada.id, 'profile']);
});

test('a member is reported by name, username and picture, also across a block, and again once these have changed', async () => {
  const eve = await platform.newMember();
  await eve.client.call(updateProfile, { body: { avatar: AVATAR, bio: 'Only mine' } });
  await eve.client.call(blockMember, { params: { userId: ben.id } });
  assert.equal((await tryToReport(ben, eve.id)).status, 201);
  const found = await openReport(eve.id);
  assert.ok(found.text.endsWith(AVATAR), 'nobody else sees the biography of a member');
  await resolve(found.id, 'dismissed');
  assertRefused(await tryToReport(ben, eve.id), alreadyReported);
  await eve.client.call(updateProfile, { body: { avatar: `${AVATAR}?2` } });
  assert.equal((await tryToReport(ben, eve.id)).status, 201);
  await resolve((await openReport(eve.id)).id, 'removed');
  const { data } = await eve.client.call(getMember, { params: { id: eve.id } });
  assert.deepEqual([data.avatar, data.name !== ''], [null, true]);
});

test('deleted and unknown members cannot be reported, and a report of a member who is deleted is resolved', async () => {
  const dan = await platform.newMember();
  assert.equal((await tryToReport(ben, dan.id)).status, 201);
  const { id } = await openReport(dan.id);
  await admin.call(deleteUser, { params: { userId: dan.id } });
  assert.equal((await resolve(id, 'removed')).data.status, 'removed');
  for (const subject of [dan.id, 'f'.repeat(24)])
    assertRefused(await tryToReport(ben, subject), userNotFound);
});

test('moderators do not decide about reports of their own profiles', async () => {
  const fay = await platform.newMember();
  const params = { userId: fay.id };
  await admin.call(assignPermissions, { params, body: { permissions: ['moderator'] } });
  await tryToReport(ben, fay.id);
  const { id: reportId } = await openReport(fay.id);
  assertRefused(
    await fay.client.attempt(resolveReport, { params: { reportId }, body: { outcome: 'dismissed' } }),
    ownReport,
  );
});

test('only administrators remove the profile of an administrator', async () => {
  const [boss, fay] = await Promise.all([platform.newMember(), platform.newMember()]);
  await admin.call(assignPermissions, { params: { userId: boss.id }, body: { permissions: ['admin'] } });
  await admin.call(assignPermissions, { params: { userId: fay.id }, body: { permissions: ['moderator'] } });
  await boss.client.call(updateProfile, { body: { avatar: AVATAR } });
  await tryToReport(ben, boss.id);
  const { id: reportId } = await openReport(boss.id);
  const given = { params: { reportId }, body: { outcome: 'removed' as const } };
  assertRefused(await fay.client.attempt(resolveReport, given), insufficientPermissions);
  assert.equal((await fay.client.call(getMember, { params: { id: boss.id } })).data.avatar, AVATAR);
  await resolve(reportId, 'removed');
  assert.equal((await fay.client.call(getMember, { params: { id: boss.id } })).data.avatar, null);
});

test('reports of a profile lose its texts with the account', async () => {
  const zoe = await newEducator(platform);
  const body = { educator_bio: 'Call me at +49 170 5550123' };
  await zoe.client.call(updateEducatorProfile, { params: { educatorId: zoe.id }, body });
  await tryToReport(ben, zoe.id);
  assert.match((await openReport(zoe.id)).text, /5550123/);
  await admin.call(deleteUser, { params: { userId: zoe.id }, body: {} });
  await until(async () => (await openReport(zoe.id)).text === '', 'the texts are gone');
});

test('one member makes at most sixty reports an hour', async () => {
  const eager = await platform.newMember();
  const { id } = await platform.newMember();
  const answers = [];
  for (let count = 0; count < 61; count++) answers.push((await tryToReport(eager, id)).status);
  assert.deepEqual([answers[0], new Set(answers.slice(1, 60)), answers[60]], [201, new Set([409]), 429]);
  platform.clock.advance(3_601_000);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCommunity,
  createPost,
  deleteCommunity,
  getCommunity,
  getPost,
  joinCommunity,
  listReports,
  muteUser,
  report,
  resolveReport,
  updateCommunity,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { alreadyReported, muted } from '../moderation/contract.ts';
import { REMOVED_NAME } from './community.ts';
import { communityNotFound } from './failures.ts';

// Names and descriptions of communities that do not belong there.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
const [ada, ben] = [await newEducator(platform), await platform.newMember()];

async function communityOf(name: string) {
  const body = { name, description: 'Pays you 500 Keys' };
  const { id: communityId } = (await ada.client.call(createCommunity, { body })).data;
  return { params: { communityId } };
}
const reported = (subjectId: string, kind: 'community' | 'post' = 'community') =>
  ben.client.attempt(report, { body: { kind, subjectId, reason: 'Spam' } });
const openReports = async () =>
  (await admin.call(listReports, { query: { status: 'open', limit: 100 } })).data;

test('a reported community loses its name and description, and keeps what stands in it', async () => {
  const { params } = await communityOf('Free Keys');
  const { communityId } = params;
  await ben.client.call(joinCommunity, { params });
  const { data: post } = await ada.client.call(createPost, { params, body: { content: 'Gold' } });
  assert.equal((await reported(communityId)).status, 201);
  assert.equal((await reported(post.id, 'post')).status, 201);
  assertRefused(await reported(communityId), alreadyReported);
  assertRefused(await reported('f'.repeat(24)), communityNotFound);
  const found = (await openReports()).find(({ subjectId }) => subjectId === communityId);
  assert.deepEqual(
    [found?.kind, found?.text, found?.authorId],
    ['community', 'Free Keys\nPays you 500 Keys', ada.id],
  );
  const removal = { params: { reportId: found?.id ?? '' }, body: { outcome: 'removed' } } as const;
  await admin.call(resolveReport, removal);
  const { data } = await ben.client.call(getCommunity, { params });
  assert.deepEqual([data.name, data.description, data.joined], [REMOVED_NAME, '', true]);
  assert.equal((await ben.client.call(getPost, { params: { postId: post.id } })).status, 200);
  assert.ok(
    (await openReports()).some(({ subjectId }) => subjectId === post.id),
    'the report of the post waits for a decision of its own',
  );
  await ada.client.call(updateCommunity, { params, body: { name: 'Free Keys again' } });
  assert.equal((await reported(communityId)).status, 201);
});

test('a moderator who deletes a community closes the reports of its name', async () => {
  const { params } = await communityOf('More Keys');
  await reported(params.communityId);
  await admin.call(deleteCommunity, { params });
  assert.ok(!(await openReports()).some(({ subjectId }) => subjectId === params.communityId));
});

test('who is muted everywhere neither creates nor renames a community', async () => {
  const { params } = await communityOf('Metals');
  await admin.call(muteUser, { params: { userId: ada.id }, body: { minutes: 60, reason: 'Spam' } });
  assertRefused(await ada.client.attempt(updateCommunity, { params, body: { name: 'Keys' } }), muted);
  assertRefused(await ada.client.attempt(createCommunity, { body: { name: 'Keys' } }), muted);
  assert.equal((await ben.client.call(getCommunity, { params })).data.name, 'Metals');
});

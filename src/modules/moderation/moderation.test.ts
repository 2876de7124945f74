import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createAnnouncement,
  createAnnouncementComment,
  createChatroom,
  createComment,
  createCommunity,
  createPost,
  createStory,
  editChatMessage,
  getEducatorChatroom,
  getPost,
  joinCommunity,
  listAnnouncementComments,
  listAudit,
  listChatMessages,
  listReports,
  report as reportOperation,
  resolveReport,
  resolveReports,
  sendChatMessage,
  updateAnnouncement,
  viewStory,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { type FailureMaker, insufficientPermissions } from '../../kernel/failures.ts';
import { notMember } from '../chat/contract.ts';
import { postNotFound } from '../community/posts.ts';
import { announcementNotFound, storyNotFound } from '../educators/failures.ts';
import { alreadyReported, alreadyResolved, ownReport, reportNotFound } from './contract.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const [ben, cat] = [await platform.newMember(), await platform.newMember()];
type Kind = TypesOf<typeof reportOperation>['body']['kind'];
const report = (by: Pick<Member, 'client'>, kind: Kind, subjectId: string) =>
  by.client.call(reportOperation, { body: { kind, subjectId, reason: 'Spam' } });
const tryToReport = (by: Pick<Member, 'client'>, kind: Kind, subjectId: string) =>
  by.client.attempt(reportOperation, { body: { kind, subjectId, reason: 'Spam' } });
const newModerator = async () => {
  const one = await platform.newMember();
  await admin.call(assignPermissions, { params: { userId: one.id }, body: { permissions: ['moderator'] } });
  return one;
};
const announce = async () =>
  (
    await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Buy', content: 'Now!' },
    })
  ).data;

/** Creates content of every reportable kind. */
async function newSubjects() {
  const announcement = await announce();
  const comment = (
    await ben.client.call(createAnnouncementComment, {
      params: { announcementId: announcement.id },
      body: { content: 'Rude.' },
    })
  ).data;
  const story = (
    await ada.client.call(createStory, {
      params: { educatorId: ada.id },
      body: {
        mediaType: 'image',
        mediaUrl: 'https://cdn.example.com/a.png',
      },
    })
  ).data;
  const community = (await ada.client.call(createCommunity, { body: { name: 'Gold', description: 'x' } }))
    .data;
  await ben.client.call(joinCommunity, { params: { communityId: community.id } });
  const post = (
    await ben.client.call(createPost, { params: { communityId: community.id }, body: { content: 'Post.' } })
  ).data;
  const reply = (
    await ben.client.call(createComment, { params: { postId: post.id }, body: { content: 'Reply.' } })
  ).data;
  const { chatroomId } = (await ben.client.call(getEducatorChatroom, { params: { educatorId: ada.id } }))
    .data;
  const message = (
    await ben.client.call(sendChatMessage, { params: { chatroomId }, body: { message: 'Shout.' } })
  ).data;
  const subjects: [Kind, { id: string }, string][] = [
    ['announcement', announcement, 'Buy\nNow!'],
    ['comment', comment, 'Rude.'],
    ['story', story, 'https://cdn.example.com/a.png'],
    ['post', post, 'Post.'],
    ['post_comment', reply, 'Reply.'],
    ['message', message, 'Shout.'],
  ];
  return { announcement, comment, story, post, chatroomId, subjects };
}

test('reports of all kinds are on one worklist, where they are dismissed or their subject removed', async () => {
  const { announcement, comment, story, post, chatroomId, subjects } = await newSubjects();
  for (const [kind, { id }] of subjects) {
    assert.equal((await report(cat, kind, id)).status, 201, kind);
    assertRefused(await tryToReport(cat, kind, id), alreadyReported, kind);
    assert.equal((await tryToReport(cat, kind, 'f'.repeat(24))).status, 404, kind);
  }
  assert.equal((await report(eve, 'comment', comment.id)).status, 201);
  assertRefused(await cat.client.attempt(listReports), insufficientPermissions);
  const open = async () => (await admin.call(listReports, { query: { status: 'open' } })).data;
  // Comments come first, since their reports close with what they stand under.
  for (const [kind, { id }, text] of subjects.toReversed()) {
    const found = (await open()).find((one) => one.kind === kind && one.subjectId === id);
    assert.ok(found);
    assert.deepEqual([found.text, found.reason, found.reportedBy?.length], [text, 'Spam', 24]);
    const { data } = await admin.call(resolveReport, {
      params: { reportId: found.id },
      body: { outcome: 'removed' },
    });
    assert.equal(data.status, 'removed', kind);
    assertRefused(
      await admin.attempt(resolveReport, { params: { reportId: found.id }, body: { outcome: 'dismissed' } }),
      alreadyResolved,
    );
  }
  assert.deepEqual(await open(), []);
  assertRefused(
    await ben.client.attempt(listAnnouncementComments, { params: { announcementId: announcement.id } }),
    announcementNotFound,
  );
  assertRefused(await ben.client.attempt(viewStory, { params: { storyId: story.id } }), storyNotFound);
  assertRefused(await ben.client.attempt(getPost, { params: { postId: post.id } }), postNotFound);
  assert.equal(
    (await ben.client.call(listChatMessages, { params: { chatroomId } })).body.pagination.total,
    0,
  );
  const resolved = (await admin.call(listAudit, { query: { action: 'moderation.resolved' } })).data;
  assert.equal(resolved.length, 6);
});

test('several reports are resolved in one request with a result for each, and rows name the people involved', async () => {
  const [first, second, own] = [await announce(), await announce(), await announce()];
  const moderator = await newModerator();
  const made = [
    (await report(cat, 'announcement', first.id)).data,
    (await report(ben, 'announcement', first.id)).data,
    (await report(cat, 'announcement', second.id)).data,
    (await report(moderator, 'announcement', own.id)).data,
  ].map(({ id }) => id);
  const unknown = 'f'.repeat(24);
  const resolve = (ids: string[]) =>
    moderator.client.attempt(resolveReports, {
      body: { ids, outcome: 'dismissed', note: 'Harmless', reason: 'Weekly round' },
    });
  const { status, data } = await resolve([...made, made[0] ?? '', unknown]);
  assert.equal(status, 200);
  const done = { status: 'dismissed' as const, error: null, message: null };
  const failed = (failure: FailureMaker) => {
    const { code, message } = failure();
    return { status: null, error: code, message };
  };
  assert.deepEqual(data, [
    ...made.slice(0, 3).map((id) => ({ id, ...done })),
    { id: made[3], ...failed(ownReport) },
    { id: unknown, ...failed(reportNotFound) },
  ]);
  const again = await resolve(made.slice(0, 1));
  assert.deepEqual(again.data, [{ id: made[0], ...failed(alreadyResolved) }]);
  await admin.call(resolveReport, { params: { reportId: made[3] ?? '' }, body: { outcome: 'dismissed' } });
  const rows = (await moderator.client.call(listReports, { query: { kind: 'announcement' } })).data;
  const row = rows.find(({ id }) => id === made[1]) ?? assert.fail('no row');
  assert.ok(row.author.name && row.reporter?.name);
  const people = [row.author.id, row.reporter?.id, row.resolver?.id, row.resolvedBy];
  assert.deepEqual([...people, row.note], [ada.id, ben.id, moderator.id, moderator.id, 'Harmless']);
  const [entry] = (await admin.call(listAudit, { query: { actor: moderator.id } })).data;
  assert.deepEqual([entry?.reason, entry?.details.note], ['Weekly round', 'Harmless']);

  assertRefused(
    await cat.client.attempt(resolveReports, { body: { ids: made, outcome: 'removed' } }),
    insufficientPermissions,
  );
  const path = '/v1/moderation/reports/resolve';
  for (const ids of [[], Array.from({ length: 101 }, () => unknown), 'all', undefined])
    assertInvalid(await moderator.client.raw('POST', path, { ids, outcome: 'removed' }));
  assert.equal((await moderator.client.raw('POST', path, { ids: ['x'], outcome: 'removed' })).status, 400);
});

test('members cannot report content that they cannot see', async () => {
  const room = (
    await ada.client.call(createChatroom, { body: { name: 'Secret', description: '', type: 'private' } })
  ).data;
  const { id } = (
    await ada.client.call(sendChatMessage, { params: { chatroomId: room.id }, body: { message: 'Psst.' } })
  ).data;
  assertRefused(await tryToReport(cat, 'message', id), notMember);
  const malformed = { kind: 'stone', subjectId: id, reason: 'Spam' };
  assertInvalid(await cat.client.raw('POST', '/v1/reports', malformed));
});

test('moderators cannot resolve reports that they made or that concern them', async () => {
  const [dan, fay] = [await newModerator(), await newModerator()];
  const { chatroomId } = (await ben.client.call(getEducatorChatroom, { params: { educatorId: ada.id } }))
    .data;
  const say = async (by: Pick<Member, 'client'>): Promise<string> =>
    (await by.client.call(sendChatMessage, { params: { chatroomId }, body: { message: 'Shout.' } })).data.id;
  const [ofDan, ofBen] = [await say(dan), await say(ben)];
  const { data: reported } = await report(cat, 'message', ofDan);
  const { data: byCat } = await report(cat, 'message', ofBen);
  // A verdict resolves all open reports of an item, so another member's report of it is their own, too.
  const { data: byDan } = await report(dan, 'message', ofBen);
  for (const { id } of [reported, byCat, byDan])
    for (const base of ['/v1/moderation/reports', '/v1/chatrooms/reports'])
      for (const outcome of ['dismissed', 'removed'])
        assertRefused(await dan.client.raw('POST', `${base}/${id}/resolve`, { outcome }), ownReport);
  const open = (await fay.client.call(listReports, { query: { status: 'open', kind: 'message' } })).data;
  assert.deepEqual(
    open.map(({ id }) => id),
    [byDan.id, byCat.id, reported.id],
  );
  // Authors do not learn who reported them.
  for (const base of ['/v1/moderation/reports', '/v1/chatrooms/reports']) {
    const reporters = async (by: Pick<Member, 'client'>) => {
      const { data } = await by.client.raw('GET', `${base}?status=open`);
      return (data as { reportedBy: string | null }[]).map(({ reportedBy }) => reportedBy);
    };
    assert.deepEqual(await reporters(fay), [dan.id, cat.id, cat.id], base);
    assert.deepEqual(await reporters(dan), [dan.id, cat.id, null], base);
  }
  for (const { id } of [reported, byCat])
    assert.equal(
      (await fay.client.call(resolveReport, { params: { reportId: id }, body: { outcome: 'dismissed' } }))
        .status,
      200,
    );
  assertRefused(
    await fay.client.attempt(resolveReport, {
      params: { reportId: byDan.id },
      body: { outcome: 'dismissed' },
    }),
    alreadyResolved,
  );
});

test('a text that was edited after a decision can be reported again, once', async () => {
  const room = (
    await ada.client.call(createChatroom, { body: { name: 'Gold', description: '', type: 'public' } })
  ).data;
  const { id } = (
    await ben.client.call(sendChatMessage, { params: { chatroomId: room.id }, body: { message: 'Kind.' } })
  ).data;
  const change = (message: string) =>
    ben.client.call(editChatMessage, { params: { chatroomId: room.id, messageId: id }, body: { message } });
  const again = () => tryToReport(cat, 'message', id);
  const resolve = async () => {
    const [open] = (await admin.call(listReports, { query: { status: 'open' } })).data;
    const { id: reportId } = open ?? assert.fail();
    assert.equal(
      (await admin.call(resolveReport, { params: { reportId }, body: { outcome: 'dismissed' } })).status,
      200,
    );
  };
  assert.equal((await report(cat, 'message', id)).status, 201);
  await change('Rude.');
  assertRefused(await again(), alreadyReported, 'a report is open');
  await resolve();
  const both = await Promise.all([again(), again()]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409], 'at once: one of them');
  await resolve();
  assertRefused(await again(), alreadyReported, 'judged as it is');
  await change('Kind.');
  assertRefused(await again(), alreadyReported, 'judged before');
  await change(`Kind.${' '.repeat(10)}.`);
  assert.equal((await report(cat, 'message', id)).status, 201);
  await resolve();
  const { data: mine } = await admin.call(listReports, { query: { kind: 'message', limit: 3 } });
  assert.deepEqual(
    mine.map(({ text }) => text),
    [`Kind.${' '.repeat(10)}.`, 'Rude.', 'Kind.'],
  );
});

test('a long text that was edited only at its end counts as edited', async () => {
  const long = 'x'.repeat(9_000);
  const { id } = (
    await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Long', content: long },
    })
  ).data;
  const { data: first } = await report(cat, 'announcement', id);
  await admin.call(resolveReport, { params: { reportId: first.id }, body: { outcome: 'dismissed' } });
  assertRefused(await tryToReport(cat, 'announcement', id), alreadyReported);
  const changed = await ada.client.call(updateAnnouncement, {
    params: { announcementId: id },
    body: { content: `${long}!` },
  });
  assert.equal(changed.status, 200);
  assert.equal((await report(cat, 'announcement', id)).status, 201);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Loose } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { banned, notMember } from '../chat/contract.ts';
import { postNotFound } from '../community/posts.ts';
import { announcementNotFound, storyNotFound } from '../educators/failures.ts';
import { userNotFound } from '../identity/contract.ts';
import { blockOneself } from './blocks.ts';
import { alreadyReported, alreadyResolved, blocked, ownReport } from './contract.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const [ben, cat] = [await platform.newMember(), await platform.newMember()];
const report = (by: Loose, kind: string, subjectId: string) =>
  by.client.post('/v1/reports', { kind, subjectId, reason: 'Spam' });
const newModerator = async (): Promise<Loose> => {
  const one = await platform.newMember();
  await admin.post(`/v1/user/${one.id}/permissions/assign`, { permissions: ['moderator'] });
  return one;
};
const announce = async (): Promise<Loose> =>
  (await ada.client.post(`/v1/educators/${ada.id}/announcements`, { title: 'Buy', content: 'Now!' })).data;

test('whatever members report stands on one worklist, and is removed or dismissed from there', async () => {
  const announcement = await announce();
  const comments = `/v1/educators/announcements/${announcement.id}/comments`;
  const comment = (await ben.client.post(comments, { content: 'Rude.' })).data;
  const story = (
    await ada.client.post(`/v1/educators/${ada.id}/stories`, {
      mediaType: 'image',
      mediaUrl: 'https://cdn.example.com/a.png',
    })
  ).data;
  const community = (await ada.client.post('/v1/communities', { name: 'Gold', description: 'x' })).data;
  await ben.client.post(`/v1/communities/${community.id}/join`);
  const post = (await ben.client.post(`/v1/communities/${community.id}/posts`, { content: 'Post.' })).data;
  const reply = (await ben.client.post(`/v1/posts/${post.id}/comments`, { content: 'Reply.' })).data;
  const { chatroomId } = (await ben.client.get(`/v1/educators/${ada.id}/chatroom`)).data;
  const message = (await ben.client.post(`/v1/chatrooms/${chatroomId}/messages`, { message: 'Shout.' })).data;
  const subjects: [string, Loose, string][] = [
    ['announcement', announcement, 'Buy\nNow!'],
    ['comment', comment, 'Rude.'],
    ['story', story, 'https://cdn.example.com/a.png'],
    ['post', post, 'Post.'],
    ['post_comment', reply, 'Reply.'],
    ['message', message, 'Shout.'],
  ];
  for (const [kind, { id }] of subjects) {
    assert.equal((await report(cat, kind, id)).status, 201, kind);
    assertRefused(await report(cat, kind, id), alreadyReported, kind);
    assert.equal((await report(cat, kind, 'f'.repeat(24))).status, 404, kind);
  }
  assert.equal((await report(eve, 'comment', comment.id)).status, 201);
  assertRefused(await cat.client.get('/v1/moderation/reports'), insufficientPermissions);
  const open = async (): Promise<Loose[]> => (await admin.get('/v1/moderation/reports?status=open')).data;
  for (const [kind, { id }, text] of subjects) {
    const found = (await open()).find((one) => one.kind === kind && one.subjectId === id);
    assert.deepEqual([found.text, found.reason, found.reportedBy.length], [text, 'Spam', 24]);
    const path = `/v1/moderation/reports/${found.id}/resolve`;
    const { data } = await admin.post(path, { outcome: 'removed' });
    assert.equal(data.status, 'removed', kind);
    assertRefused(await admin.post(path, { outcome: 'dismissed' }), alreadyResolved);
  }
  assert.deepEqual(await open(), []);
  assertRefused(await ben.client.get(comments), announcementNotFound);
  assertRefused(await ben.client.post(`/v1/educators/stories/${story.id}/view`), storyNotFound);
  assertRefused(await ben.client.get(`/v1/posts/${post.id}`), postNotFound);
  assert.equal((await ben.client.get(`/v1/chatrooms/${chatroomId}/messages`)).body.pagination.total, 0);
  const resolved = (await admin.get(`/v1/admin/audit?action=moderation.resolved`)).data;
  assert.equal(resolved.length, 6);
});

test('what one may not see one cannot report', async () => {
  const room = (await ada.client.post('/v1/chatrooms', { name: 'Secret', description: '', type: 'private' }))
    .data;
  const { id } = (await ada.client.post(`/v1/chatrooms/${room.id}/messages`, { message: 'Psst.' })).data;
  assertRefused(await report(cat, 'message', id), notMember);
  assertInvalid(await report(cat, 'stone', id));
});

test('moderators do not resolve reports of what they wrote or reported themselves', async () => {
  const [dan, fay] = [await newModerator(), await newModerator()];
  const { chatroomId } = (await ben.client.get(`/v1/educators/${ada.id}/chatroom`)).data;
  const say = async (by: Loose): Promise<string> =>
    (await by.client.post(`/v1/chatrooms/${chatroomId}/messages`, { message: 'Shout.' })).data.id;
  const [ofDan, ofBen] = [await say(dan), await say(ben)];
  const { data: reported } = await report(cat, 'message', ofDan);
  const { data: byCat } = await report(cat, 'message', ofBen);
  // A verdict resolves all open reports of an item, so another member's report of it is their own, too.
  const { data: byDan } = await report(dan, 'message', ofBen);
  for (const { id } of [reported, byCat, byDan])
    for (const base of ['/v1/moderation/reports', '/v1/chatrooms/reports'])
      for (const outcome of ['dismissed', 'removed'])
        assertRefused(await dan.client.post(`${base}/${id}/resolve`, { outcome }), ownReport);
  const open = (await fay.client.get('/v1/moderation/reports?status=open&kind=message')).data;
  assert.deepEqual(
    open.map(({ id }: Loose) => id),
    [byDan.id, byCat.id, reported.id],
  );
  // Who wrote something does not learn who reported it.
  for (const base of ['/v1/moderation/reports', '/v1/chatrooms/reports']) {
    const reporters = async (by: Loose) =>
      (await by.client.get(`${base}?status=open`)).data.map(({ reportedBy }: Loose) => reportedBy);
    assert.deepEqual(await reporters(fay), [dan.id, cat.id, cat.id], base);
    assert.deepEqual(await reporters(dan), [dan.id, cat.id, null], base);
  }
  for (const { id } of [reported, byCat])
    assert.equal(
      (await fay.client.post(`/v1/moderation/reports/${id}/resolve`, { outcome: 'dismissed' })).status,
      200,
    );
  const path = `/v1/moderation/reports/${byDan.id}/resolve`;
  assertRefused(await fay.client.post(path, { outcome: 'dismissed' }), alreadyResolved);
});

test('a text that was changed after a verdict can be reported again, once', async () => {
  const room = (await ada.client.post('/v1/chatrooms', { name: 'Gold', description: '', type: 'public' }))
    .data;
  const path = `/v1/chatrooms/${room.id}/messages`;
  const { id } = (await ben.client.post(path, { message: 'Kind.' })).data;
  const change = (message: string) => ben.client.put(`${path}/${id}`, { message });
  const again = () => report(cat, 'message', id);
  const resolve = async () => {
    const [{ id: reportId }] = (await admin.get('/v1/moderation/reports?status=open')).data;
    assert.equal(
      (await admin.post(`/v1/moderation/reports/${reportId}/resolve`, { outcome: 'dismissed' })).status,
      200,
    );
  };
  assert.equal((await report(cat, 'message', id)).status, 201);
  await change('Rude.');
  assertRefused(await again(), alreadyReported, 'a report is open');
  await resolve();
  const both = await Promise.all([report(cat, 'message', id), report(cat, 'message', id)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409], 'at once: one of them');
  await resolve();
  assertRefused(await again(), alreadyReported, 'judged as it is');
  await change('Kind.');
  assertRefused(await again(), alreadyReported, 'judged before');
  await change(`Kind.${' '.repeat(10)}.`);
  assert.equal((await report(cat, 'message', id)).status, 201);
  await resolve();
  const { data: mine } = await admin.get('/v1/moderation/reports?kind=message&limit=3');
  assert.deepEqual(
    mine.map(({ text }: Loose) => text),
    [`Kind.${' '.repeat(10)}.`, 'Rude.', 'Kind.'],
  );
});

test('a long text that changes only at its end is a changed one', async () => {
  const long = 'x'.repeat(9_000);
  const path = `/v1/educators/${ada.id}/announcements`;
  const { id } = (await ada.client.post(path, { title: 'Long', content: long })).data;
  const { data: first } = await report(cat, 'announcement', id);
  await admin.post(`/v1/moderation/reports/${first.id}/resolve`, { outcome: 'dismissed' });
  assertRefused(await report(cat, 'announcement', id), alreadyReported);
  const changed = await ada.client.put(`/v1/educators/announcements/${id}`, { content: `${long}!` });
  assert.equal(changed.status, 200);
  assert.equal((await report(cat, 'announcement', id)).status, 201);
});

test('who is blocked follows, comments and writes no more, until it ends', async () => {
  const announcement = await announce();
  const comments = `/v1/educators/announcements/${announcement.id}/comments`;
  await cat.client.post(`/v1/educators/${ada.id}/follow`);
  const { chatroomId } = (await cat.client.post(`/v1/educators/${ada.id}/chatroom/join`)).data;
  const say = (by: Loose) => by.client.post(`/v1/chatrooms/${chatroomId}/messages`, { message: 'Hi' });
  assert.equal((await say(cat)).status, 201);
  for (let time = 0; time < 2; time++)
    assert.deepEqual((await ada.client.put(`/v1/blocks/${cat.id}`)).data, { userId: cat.id, blocked: true });
  assert.deepEqual(
    (await ada.client.get('/v1/blocks')).data.map((one: Loose) => one.userId),
    [cat.id],
  );
  assert.equal((await cat.client.get(`/v1/educators/${ada.id}/following`)).data.isFollowing, false);
  assertRefused(await cat.client.post(`/v1/educators/${ada.id}/follow`), blocked);
  assertRefused(await cat.client.post(comments, { content: 'x' }), blocked);
  assertRefused(await say(cat), banned);
  // A stranger of the room who is blocked cannot come in by speaking.
  await ada.client.put(`/v1/blocks/${eve.id}`);
  assertRefused(await say(eve), blocked);
  assertRefused(await eve.client.post(`/v1/chatrooms/${chatroomId}/join`), blocked);
  // Nor can they put the one who blocked them into a room of theirs.
  const room = (await eve.client.post('/v1/chatrooms', { name: 'Us', description: '', type: 'private' }))
    .data;
  const add = (by: Loose, userId: string) => by.client.post(`/v1/chatrooms/${room.id}/members`, { userId });
  assertRefused(await add(eve, ada.id), blocked);
  assert.equal((await add(eve, ben.id)).status, 201);
  await ben.client.put(`/v1/blocks/${eve.id}`);
  assertRefused(await ben.client.get(`/v1/chatrooms/${room.id}`), notMember);
  const { data: feed } = await ben.client.get('/v1/blocks');
  assert.equal(feed.length, 1);
  await ada.client.delete(`/v1/blocks/${cat.id}`);
  assert.equal((await cat.client.post(`/v1/educators/${ada.id}/follow`)).status, 201);
  assert.equal((await cat.client.post(comments, { content: 'x' })).status, 201);
  assertRefused(await ada.client.put(`/v1/blocks/${ada.id}`), blockOneself);
  assertRefused(await ada.client.put(`/v1/blocks/${'f'.repeat(24)}`), userNotFound);
});

test('a follow and a block at once leave no follow behind', async () => {
  const follow = `/v1/educators/${ada.id}/follow`;
  for (let round = 0; round < 8; round++) {
    await Promise.all([ben.client.post(follow), ada.client.put(`/v1/blocks/${ben.id}`)]);
    assert.equal((await ben.client.get(`/v1/educators/${ada.id}/following`)).data.isFollowing, false);
    await ada.client.delete(`/v1/blocks/${ben.id}`);
  }
});

test('a member who is blocked can send Keys, but no text with them', async () => {
  await admin.post('/v1/wallets/admin/fund', { userId: ben.id, amount: 100 });
  const send = (more: object) =>
    ben.client.post('/v1/wallets/transfer', { toUserId: cat.id, amount: 1, ...more });
  const gift = { metadata: { gift: true, surface: 'educator' } };
  assert.equal((await send({ description: 'Hello' })).status, 201);
  await cat.client.put(`/v1/blocks/${ben.id}`);
  for (const more of [{ description: 'Hello?' }, { metadata: { note: 'Hello?' } }, gift])
    assertRefused(await send(more), blocked, JSON.stringify(more));
  assert.equal((await send({})).status, 201);
  assert.equal((await send({ description: '', metadata: {} })).status, 201);
  const { data: received } = await cat.client.get('/v1/wallets/transactions');
  assert.deepEqual(
    received.map((one: Loose) => one.description),
    ['', '', 'Hello'],
  );
  // A block is one-sided.
  const back = { toUserId: ben.id, amount: 1, description: 'Keep them.' };
  assert.equal((await cat.client.post('/v1/wallets/transfer', back)).status, 201);
  await cat.client.delete(`/v1/blocks/${ben.id}`);
  assert.equal((await send({ description: 'Thanks' })).status, 201);
});

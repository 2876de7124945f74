import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Loose } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

// What an educator and a member see on the live channel of all that they do.

const platform = await startPlatform();
const ada = await newEducator(platform);
const [ben, cat] = [await platform.newMemberWith(50), await platform.newMember()];
await ada.client.post('/v1/wallets');

async function listening({ id, accessToken }: Loose): Promise<LiveClient> {
  const live = await LiveClient.open(platform.url, accessToken);
  await live.ask({ type: 'subscribe', channel: 'notifications', userId: id });
  return live;
}
/** Without the welcome, and those of the Keys that the tests gave. */
const titlesOf = (live: LiveClient): string[] =>
  live
    .all('notification:new')
    .map(({ data }) => data.title)
    .filter((title) => !/^Welcome| added$/.test(title));
const told = (live: LiveClient, title: RegExp): Promise<Loose> =>
  live.next(({ type, data }) => type === 'notification:new' && title.test(data.title), String(title));
const made = ({ status, data, body }: Loose): Loose => {
  assert.ok(status === 200 || status === 201, JSON.stringify(body));
  return data;
};

test('announcement, comment, story, tip, message and post arrive live, at those concerned alone; a follow and a like stay silent', async () => {
  const [educator, follower, stranger] = [await listening(ada), await listening(ben), await listening(cat)];
  const base = `/v1/educators/${ada.id}`;
  made(await ben.client.post(`${base}/follow`));

  const news = made(
    await ada.client.post(`${base}/announcements`, { title: 'Gold', content: 'Three levels.' }),
  );
  const announced = await told(follower, /: Gold$/);
  assert.deepEqual(Object.keys(announced.data).sort(), ['id', 'message', 'priority', 'title']);
  assert.deepEqual([announced.data.message, announced.data.priority], ['Three levels.', 'high']);

  made(await ben.client.post(`/v1/educators/announcements/${news.id}/like`));
  made(await ben.client.post(`/v1/educators/announcements/${news.id}/comments`, { content: 'Thank you!' }));
  assert.equal((await told(educator, /comment/)).data.message, 'Thank you!');

  const story = { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' };
  const { id: storyId } = made(await ada.client.post(`${base}/stories`, story));
  await told(follower, /new story/);
  made(await ben.client.post(`/v1/educators/stories/${storyId}/view`));

  made(await ben.client.post(`${base}/tip`, { amount: 5, message: 'For the levels.' }));
  const tip = await told(educator, /^A gift of 5 Keys$/);
  assert.deepEqual([tip.data.message, tip.data.priority], ['For the levels.', 'high']);

  const { chatroomId } = made(await ben.client.post(`${base}/chatroom/join`));
  for (const live of [educator, follower]) await live.enter(chatroomId);
  await follower.say(chatroomId, 'Good morning');
  const said = await educator.next(({ type }) => type === 'chat:message', 'the message');
  assert.deepEqual(
    [said.data.chatroomId, said.data.userId, said.data.message],
    [chatroomId, ben.id, 'Good morning'],
  );

  const community = made(
    await ada.client.post('/v1/communities', { name: 'Gold', description: 'All of it' }),
  );
  made(await ben.client.post(`/v1/communities/${community.id}/join`));
  const post = made(await ben.client.post(`/v1/communities/${community.id}/posts`, { content: 'First' }));
  for (const live of [educator, follower, stranger])
    assert.equal((await live.next(({ type }) => type === 'post:created', 'the post')).data.postId, post.id);

  // Another notification each, before which all others have come.
  for (const [live, { id }] of [
    [educator, ada],
    [follower, ben],
    [stranger, cat],
  ] as [LiveClient, Loose][]) {
    const last = { type: 'alert', title: 'The end', message: 'x', userId: id, channels: [] };
    made(await platform.admin.post('/v1/notifications/send', last));
    await told(live, /^The end$/);
  }
  assert.deepEqual(titlesOf(educator), ['A new comment on your announcement', 'A gift of 5 Keys', 'The end']);
  assert.deepEqual(
    titlesOf(follower).map((title) => title.replace(/^.*?(: Gold| has a new story)$/, '$1')),
    [': Gold', ' has a new story', 'The end'],
  );
  assert.deepEqual(titlesOf(stranger), ['The end']);
  assert.deepEqual(stranger.all('chat:message'), [], 'a room that one is not subscribed to');
  for (const live of [educator, follower, stranger]) live.close();
});

test('who unsubscribed, unfollowed or was blocked is told nothing any more', async () => {
  const members = [
    await platform.newMember(),
    await platform.newMember(),
    await platform.newMember(),
  ] as Loose[];
  const [unsubscribed, unfollowed, blocked] = members as [Loose, Loose, Loose];
  const base = `/v1/educators/${ada.id}`;
  const connections = [];
  for (const one of members) {
    made(await one.client.post(`${base}/follow`));
    connections.push(await listening(one));
  }
  made(await unsubscribed.client.post(`${base}/notifications/unsubscribe`));
  made(await unfollowed.client.delete(`${base}/follow`));
  assert.equal((await ada.client.put(`/v1/blocks/${blocked.id}`)).status, 200);
  made(await ada.client.post(`${base}/announcements`, { title: 'Without them', content: 'x' }));
  const { client } = ben;
  await until(
    async () =>
      (await client.get('/v1/notifications')).data.some(({ title }: Loose) =>
        title.endsWith(': Without them'),
      ),
    'the announcement at its follower',
  );
  for (const [place, one] of members.entries()) {
    const { data } = await one.client.get('/v1/notifications');
    assert.ok(data.every(({ title }: Loose) => !title.endsWith(': Without them')));
    assert.ok(titlesOf(connections[place] as LiveClient).every((title) => !title.endsWith(': Without them')));
    connections[place]?.close();
  }
});

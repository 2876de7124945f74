import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  createAnnouncement,
  createAnnouncementComment,
  createCommunity,
  createPost,
  createStory,
  createWallet,
  followEducator,
  joinCommunity,
  joinEducatorChatroom,
  likeAnnouncement,
  listNotifications,
  sendNotification,
  tipEducator,
  unfollowEducator,
  unsubscribeFromEducator,
  viewStory,
} from '../../../sdk/src/index.ts';
import type { Loose } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

// What an educator and a member see on the live channel of all that they do.

const platform = await startPlatform();
const ada = await newEducator(platform);
const [ben, cat] = [await platform.newMemberWith(50), await platform.newMember()];
await ada.client.call(createWallet);

async function listening({ id, accessToken }: Member): Promise<LiveClient> {
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

test('announcements, comments, stories, tips, messages and posts notify exactly the members concerned', async () => {
  const [educator, follower, stranger] = [await listening(ada), await listening(ben), await listening(cat)];
  made(await ben.client.call(followEducator, { params: { educatorId: ada.id } }));

  const news = made(
    await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Gold', content: 'Three levels.' },
    }),
  );
  const announced = await told(follower, /: Gold$/);
  assert.deepEqual(announced.data.metadata, {
    action: 'open-announcement',
    announcementId: news.id,
    educatorId: ada.id,
  });
  assert.deepEqual([announced.data.message, announced.data.priority], ['Three levels.', 'high']);

  made(await ben.client.call(likeAnnouncement, { params: { announcementId: news.id } }));
  made(
    await ben.client.call(createAnnouncementComment, {
      params: { announcementId: news.id },
      body: { content: 'Thank you!' },
    }),
  );
  assert.equal((await told(educator, /comment/)).data.message, 'Thank you!');

  const story = { mediaType: 'image' as const, mediaUrl: 'https://cdn.example.com/a.png' };
  const { id: storyId } = made(
    await ada.client.attempt(createStory, { params: { educatorId: ada.id }, body: story }),
  );
  await told(follower, /new story/);
  made(await ben.client.call(viewStory, { params: { storyId } }));

  made(
    await ben.client.call(tipEducator, {
      params: { educatorId: ada.id },
      body: { amount: 5, message: 'For the levels.' },
    }),
  );
  const tip = await told(educator, /^A gift of 5 Keys$/);
  assert.deepEqual([tip.data.message, tip.data.priority], ['For the levels.', 'high']);

  const { chatroomId } = made(
    await ben.client.call(joinEducatorChatroom, { params: { educatorId: ada.id } }),
  );
  for (const live of [educator, follower]) await live.enter(chatroomId);
  await follower.say(chatroomId, 'Good morning');
  const said = await educator.next(({ type }) => type === 'chat:message', 'the message');
  assert.deepEqual(
    [said.data.chatroomId, said.data.userId, said.data.message],
    [chatroomId, ben.id, 'Good morning'],
  );

  const community = made(
    await ada.client.call(createCommunity, { body: { name: 'Gold', description: 'All of it' } }),
  );
  made(await ben.client.call(joinCommunity, { params: { communityId: community.id } }));
  const post = made(
    await ben.client.call(createPost, { params: { communityId: community.id }, body: { content: 'First' } }),
  );
  for (const live of [educator, follower, stranger])
    assert.equal((await live.next(({ type }) => type === 'post:created', 'the post')).data.postId, post.id);

  // Another notification each, before which all others have come.
  for (const [live, { id }] of [
    [educator, ada],
    [follower, ben],
    [stranger, cat],
  ] as [LiveClient, Loose][]) {
    const last = { type: 'alert' as const, title: 'The end', message: 'x', userId: id, channels: [] };
    made(await platform.admin.attempt(sendNotification, { body: last }));
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

test('members who unsubscribed, unfollowed or were blocked receive no further notifications', async () => {
  const members = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
  const [unsubscribed, unfollowed, blocked] = members as [Member, Member, Member];
  const connections = [];
  for (const one of members) {
    made(await one.client.call(followEducator, { params: { educatorId: ada.id } }));
    connections.push(await listening(one));
  }
  made(await unsubscribed.client.call(unsubscribeFromEducator, { params: { educatorId: ada.id } }));
  made(await unfollowed.client.call(unfollowEducator, { params: { educatorId: ada.id } }));
  assert.equal((await ada.client.call(blockMember, { params: { userId: blocked.id } })).status, 200);
  made(
    await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Without them', content: 'x' },
    }),
  );
  const { client } = ben;
  await until(
    async () =>
      (await client.call(listNotifications)).data.some(({ title }) => title.endsWith(': Without them')),
    'the announcement at its follower',
  );
  for (const [place, one] of members.entries()) {
    const { data } = await one.client.call(listNotifications);
    assert.ok(data.every(({ title }) => !title.endsWith(': Without them')));
    assert.ok(titlesOf(connections[place] as LiveClient).every((title) => !title.endsWith(': Without them')));
    connections[place]?.close();
  }
});

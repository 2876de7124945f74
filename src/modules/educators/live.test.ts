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
import { newEducator } from '../../../test/support/courses.ts';
import { LiveClient, type LiveMessage, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

// The messages that each role receives on the live channel.

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
const notificationOf = (live: LiveClient, title: RegExp): Promise<LiveMessage> =>
  live.next(({ type, data }) => type === 'notification:new' && title.test(data.title), String(title));

await ben.client.call(followEducator, { params: { educatorId: ada.id } });
const PEOPLE = { educator: ada, follower: ben, stranger: cat };
type Role = keyof typeof PEOPLE;

/** Runs an action while all three are connected, and returns the titles of the notifications that each received. */
async function titlesDuring(work: (live: Record<Role, LiveClient>) => Promise<void>) {
  const live = {
    educator: await listening(ada),
    follower: await listening(ben),
    stranger: await listening(cat),
  };
  await work(live);
  const titles: Record<Role, string[]> = { educator: [], follower: [], stranger: [] };
  for (const role of Object.keys(PEOPLE) as Role[]) {
    // Another notification, before which all others have come.
    await platform.admin.call(sendNotification, {
      body: { type: 'alert', title: 'The end', message: 'x', userId: PEOPLE[role].id, channels: [] },
    });
    await notificationOf(live[role], /^The end$/);
    titles[role] = titlesOf(live[role]).filter((title) => title !== 'The end');
    live[role].close();
  }
  return titles;
}

test('an announcement notifies the followers of the educator', async () => {
  const titles = await titlesDuring(async ({ follower }) => {
    const { data: news } = await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Gold', content: 'Three levels.' },
    });
    const { data } = await notificationOf(follower, /: Gold$/);
    assert.deepEqual(data.metadata, {
      action: 'open-announcement',
      announcementId: news.id,
      educatorId: ada.id,
    });
    assert.deepEqual([data.message, data.priority], ['Three levels.', 'high']);
  });
  assert.deepEqual(titles, { educator: [], follower: ['Test Member: Gold'], stranger: [] });
});

test('a comment notifies the educator, and a like nobody', async () => {
  const titles = await titlesDuring(async ({ educator, follower }) => {
    const { data: news } = await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Silver', content: 'One level.' },
    });
    await notificationOf(follower, /: Silver$/);
    const params = { announcementId: news.id };
    await ben.client.call(likeAnnouncement, { params });
    await ben.client.call(createAnnouncementComment, { params, body: { content: 'Thank you!' } });
    assert.equal((await notificationOf(educator, /comment/)).data.message, 'Thank you!');
  });
  assert.deepEqual(titles, {
    educator: ['A new comment on your announcement'],
    follower: ['Test Member: Silver'],
    stranger: [],
  });
});

test('a story notifies the followers of the educator, and a view nobody', async () => {
  const titles = await titlesDuring(async ({ follower }) => {
    const { data: story } = await ada.client.call(createStory, {
      params: { educatorId: ada.id },
      body: { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' },
    });
    await notificationOf(follower, /new story/);
    await ben.client.call(viewStory, { params: { storyId: story.id } });
  });
  assert.deepEqual(titles, { educator: [], follower: ['Test Member has a new story'], stranger: [] });
});

test('a tip notifies the educator', async () => {
  const titles = await titlesDuring(async ({ educator }) => {
    await ben.client.call(tipEducator, {
      params: { educatorId: ada.id },
      body: { amount: 5, message: 'For the levels.' },
    });
    const { data } = await notificationOf(educator, /^A gift of 5 Keys$/);
    assert.deepEqual([data.message, data.priority], ['For the levels.', 'high']);
  });
  assert.deepEqual(titles, { educator: ['A gift of 5 Keys'], follower: [], stranger: [] });
});

test('a message in the chatroom of an educator is seen by those subscribed to the room, and notifies nobody', async () => {
  const { chatroomId } = (await ben.client.call(joinEducatorChatroom, { params: { educatorId: ada.id } }))
    .data;
  let outside: LiveClient | undefined;
  const titles = await titlesDuring(async ({ educator, follower, stranger }) => {
    for (const live of [educator, follower]) await live.enter(chatroomId);
    await follower.say(chatroomId, 'Good morning');
    const said = await educator.next(({ type }) => type === 'chat:message', 'the message');
    assert.deepEqual(
      [said.data.chatroomId, said.data.userId, said.data.message],
      [chatroomId, ben.id, 'Good morning'],
    );
    outside = stranger;
  });
  assert.deepEqual(titles, { educator: [], follower: [], stranger: [] });
  assert.deepEqual(outside?.all('chat:message'), []);
});

test('a post is shown to everyone who is connected, and notifies nobody', async () => {
  const titles = await titlesDuring(async (live) => {
    const { data: community } = await ada.client.call(createCommunity, {
      body: { name: 'Gold', description: 'All of it' },
    });
    const params = { communityId: community.id };
    await ben.client.call(joinCommunity, { params });
    const { data: post } = await ben.client.call(createPost, { params, body: { content: 'First' } });
    for (const one of Object.values(live))
      assert.equal((await one.next(({ type }) => type === 'post:created', 'the post')).data.postId, post.id);
  });
  assert.deepEqual(titles, { educator: [], follower: [], stranger: [] });
});

test('members who unsubscribed, unfollowed or were blocked receive no further notifications', async () => {
  const members = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
  const [unsubscribed, unfollowed, blocked] = members as [Member, Member, Member];
  const connections: LiveClient[] = [];
  for (const one of members) {
    await one.client.call(followEducator, { params: { educatorId: ada.id } });
    connections.push(await listening(one));
  }
  await unsubscribed.client.call(unsubscribeFromEducator, { params: { educatorId: ada.id } });
  await unfollowed.client.call(unfollowEducator, { params: { educatorId: ada.id } });
  await ada.client.call(blockMember, { params: { userId: blocked.id } });
  await ada.client.call(createAnnouncement, {
    params: { educatorId: ada.id },
    body: { title: 'Without them', content: 'x' },
  });
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

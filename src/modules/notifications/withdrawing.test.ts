import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAnnouncementComment,
  createComment,
  createCommunity,
  createPost,
  createStory,
  deleteAnnouncement,
  deleteAnnouncementComment,
  deleteComment,
  deletePost,
  deleteStory,
  followEducator,
  joinCommunity,
  signIn,
} from '../../../sdk/src/index.ts';
import { announce } from '../../../test/support/announcements.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { notificationTools } from '../../../test/support/notifications.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { send, listOf, unreadOf, deliveriesOf, newMember } = notificationTools(platform);
const DAY_MS = 86_400_000;

async function educator(): Promise<Member> {
  const member = await newMember();
  const promoted = "update identity.user set permissions = array['educator'] where id = $1";
  await platform.database.execute(promoted, [member.id]);
  return member;
}

/** Gives members new tokens: the former ones expired when the clock advanced. */
async function signInAgain(...members: Member[]): Promise<void> {
  for (const member of members) {
    const body = { email: member.email, password: PASSWORD, platform: 'web' as const };
    member.client = platform.client.as((await platform.client.call(signIn, { body })).data.accessToken);
  }
}

/** Waits until a member's notifications have exactly these messages, newest first. */
const lists = (member: Member, expected: string[]) =>
  until(
    async () => {
      const messages = (await listOf(member)).map(({ message }) => message);
      return messages.join('|') === expected.join('|');
    },
    `the notifications ${expected.join(', ') || '(none)'}`,
  );

test('a deleted announcement disappears from the notifications of its followers, and others stay', async () => {
  const [host, fan] = [await educator(), await newMember()];
  await fan.client.call(followEducator, { params: { educatorId: host.id } });
  await announce(host, { content: 'First' });
  await lists(fan, ['First']);
  const { id: announcementId } = await announce(host, { content: 'Abuse' });
  await lists(fan, ['Abuse', 'First']);
  assert.equal(await unreadOf(fan), 2);
  const screen = await LiveClient.open(platform.url, fan.accessToken);
  await screen.ask({ type: 'subscribe', channel: 'notifications', userId: fan.id });
  const [abuse] = await listOf(fan);

  await host.client.call(deleteAnnouncement, { params: { announcementId } });
  await lists(fan, ['First']);
  assert.equal(await unreadOf(fan), 1, 'the badge counts what is left');
  const { data: told } = await screen.next(({ type }) => type === 'notification:deleted');
  assert.deepEqual(told, { ids: [abuse?.id], unreadCount: 1 });
  screen.close();
  const waiting = (await deliveriesOf(fan)).filter(({ status }) => status === 'pending');
  assert.deepEqual(waiting, [], 'nothing more of it is sent');
});

test('a deleted story disappears from the notifications of its followers', async () => {
  const [host, fan] = [await educator(), await newMember()];
  await fan.client.call(followEducator, { params: { educatorId: host.id } });
  const { data: story } = await host.client.call(createStory, {
    params: { educatorId: host.id },
    body: { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' },
  });
  await lists(fan, ['It is visible for a day.']);
  await host.client.call(deleteStory, { params: { storyId: story.id } });
  await lists(fan, []);
});

test('a deleted comment disappears from the notifications of whom it addressed', async () => {
  const [host, reader] = [await educator(), await newMember()];
  const { id: announcementId } = await announce(host);
  const { data: community } = await host.client.call(createCommunity, { body: { name: 'Talk' } });
  await reader.client.call(joinCommunity, { params: { communityId: community.id } });
  const { data: post } = await host.client.call(createPost, {
    params: { communityId: community.id },
    body: { content: 'Hello' },
  });
  const onNews = async (content: string) =>
    (await reader.client.call(createAnnouncementComment, { params: { announcementId }, body: { content } }))
      .data;
  const onPost = async (content: string) =>
    (await reader.client.call(createComment, { params: { postId: post.id }, body: { content } })).data;
  const news = await onNews('On news');
  await lists(host, ['On news']);
  const first = await onPost('First on a post');
  await lists(host, ['First on a post', 'On news']);
  await onPost('Second on a post');
  await lists(host, ['Second on a post', 'First on a post', 'On news']);

  await reader.client.call(deleteComment, { params: { commentId: first.id } });
  await lists(host, ['Second on a post', 'On news']);
  await reader.client.call(deleteAnnouncementComment, { params: { commentId: news.id } });
  await lists(host, ['Second on a post']);
  await host.client.call(deletePost, { params: { postId: post.id } });
  await lists(host, []);
});

test('a message of an administrator about deleted content stays, and so does what was sent of its notification', async () => {
  const [host, fan] = [await educator(), await newMember()];
  await fan.client.call(followEducator, { params: { educatorId: host.id } });
  const { id: announcementId } = await announce(host, { content: 'Send me 500 Keys' });
  await lists(fan, ['Send me 500 Keys']);
  const [{ id: quoting = '' } = {}] = await listOf(fan);
  const sent = async () =>
    (await deliveriesOf(fan)).filter(({ notificationId }) => notificationId === quoting);
  await until(async () => (await sent()).some(({ status }) => status === 'sent'), 'the mail');
  const before = await sent();
  await send({
    userId: fan.id,
    type: 'alert',
    title: 'Beware',
    message: 'Do not pay.',
    metadata: { action: 'open-announcement', announcementId, educatorId: host.id },
  });
  await host.client.call(deleteAnnouncement, { params: { announcementId } });
  await lists(fan, ['Do not pay.']);
  assert.deepEqual(
    await sent(),
    before.map((one) => ({ ...one, title: null })),
    'support sees that something was sent',
  );
});

test('announcements that are deleted together share the looks at the notifications of others', async () => {
  const [host, fan] = [await educator(), await newMember()];
  await fan.client.call(followEducator, { params: { educatorId: host.id } });
  const published = [];
  for (const content of ['One', 'Two', 'Three', 'Kept']) published.push(await announce(host, { content }));
  await until(async () => (await listOf(fan)).length === 4, 'the notifications');
  await Promise.all(
    published
      .slice(0, 3)
      .map(({ id }) => host.client.call(deleteAnnouncement, { params: { announcementId: id } })),
  );
  await lists(fan, ['Kept']);
});

// Its clock ends the tokens of all members.
test('an announcement is withdrawn long after it was published, and while parts of its fan-out are under way', async () => {
  const [host, fan] = [await educator(), await newMember()];
  await fan.client.call(followEducator, { params: { educatorId: host.id } });
  const { id: announcementId } = await announce(host, { content: 'Old' });
  await lists(fan, ['Old']);
  platform.clock.advance(30 * DAY_MS);
  await signInAgain(host, fan);
  const { id } = await announce(host, { content: 'New' });
  await lists(fan, ['New', 'Old']);
  await platform.database.execute(
    `create table late as select * from notifications.notification where user_id = $1 and message = 'New'`,
    [fan.id],
  );
  await Promise.all(
    [announcementId, id].map((one) =>
      host.client.call(deleteAnnouncement, { params: { announcementId: one } }),
    ),
  );
  await lists(fan, []);
  await platform.database.execute('insert into notifications.notification select * from late');
  await lists(fan, ['New']);
  const due = await platform.database.execute(
    `update jobs.job set start_after = now() where name = 'notifications.withdraw' and state = 'created' returning 1`,
  );
  assert.ok(due > 0, 'it is looked again later');
  await lists(fan, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAnnouncement,
  createComment,
  createCommunity,
  createLivestream,
  createPost,
  createTrade,
  joinCommunity,
  listNotifications,
  listTrades,
  refreshToken,
  startLivestream,
  subscribeToTopics,
} from '../../../sdk/src/index.ts';
import { untilAvailable } from '../../../test/support/holding.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url } = platform;
const HOUR_MS = 3_600_000;
// The allowance applies to an hour by the clock, which never ends by itself within these tests.
platform.clock.set(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 4);

type Member = Awaited<ReturnType<typeof platform.newMember>>;
const idea = (place: number) => ({ symbol: 'EURUSD', direction: 'long' as const, entryPrice: place + 1 });
const told = async (
  { client }: Member,
  type:
    | 'comment_reply'
    | 'announcement'
    | 'welcome'
    | 'trade_update'
    | 'achievement'
    | 'course_update'
    | 'reminder'
    | 'alert',
) => {
  const { data } = await client.call(listNotifications, { query: { type, limit: 50 } });
  return data;
};
const educator = async (): Promise<Member> => {
  const member = await platform.newMember();
  const promoted = "update identity.user set permissions = array['educator'] where id = $1";
  await platform.database.execute(promoted, [member.id]);
  return member;
};
/** Waits until all notifications have been created. */
const settled = () =>
  until(async () => {
    const found = await platform.database.execute(
      `select 1 from kernel.outbox union all
       select 1 from jobs.job where state in ('created', 'active', 'retry')
         and (name like 'on.%' or name like 'notifications.fan-out%')`,
    );
    return found === 0;
  }, 'all events are through');

test('comments beyond the limit are stored without notifications', async () => {
  const [host, reader] = [await educator(), await platform.newMember()];
  const published = { title: 'News', content: 'The market is open.' };
  const { data: news } = await host.client.call(createAnnouncement, {
    params: { educatorId: host.id },
    body: published,
  });
  const community = (await host.client.call(createCommunity, { body: { name: 'Talk' } })).data.id;
  await reader.client.call(joinCommunity, { params: { communityId: community } });
  const { data: post } = await host.client.call(createPost, {
    params: { communityId: community },
    body: { content: 'Hello' },
  });
  const paths = [`/v1/educators/announcements/${news.id}/comments`, `/v1/posts/${post.id}/comments`];
  for (const path of paths) {
    for (let place = 0; place < 23; place++) {
      const { status, body } = await reader.client.raw('POST', path, { content: `Comment ${place}` });
      assert.equal(status, 201);
      assert.equal(/nobody was notified/.test(body.message), place >= 20, `comment ${place}`);
      // One's own comment notifies nobody in any case.
      assert.equal(
        (await host.client.raw('POST', path, { content: 'Mine' })).body.message,
        'Comment created',
      );
    }
    assert.equal((await host.client.raw('GET', path)).body.pagination?.total, 46);
  }
  await until(async () => (await told(host, 'comment_reply')).length >= 40, 'the notifications');
  await settled();
  assert.equal((await told(host, 'comment_reply')).length, 40);
});

test('what is refused does not count towards the limit', async () => {
  const [host, stranger] = [await educator(), await platform.newMember()];
  const params = {
    communityId: (await host.client.call(createCommunity, { body: { name: 'Oil' } })).data.id,
  };
  const { id: postId } = (await host.client.call(createPost, { params, body: { content: 'Hello' } })).data;
  for (let place = 0; place < 20; place++) {
    const body = { content: 'x' };
    assert.equal((await stranger.client.attempt(createPost, { params, body })).status, 403);
    assert.equal((await stranger.client.attempt(createComment, { params: { postId }, body })).status, 403);
  }
  await stranger.client.call(joinCommunity, { params });
  const post = await stranger.client.call(createPost, { params, body: { content: 'Now' } });
  const comment = await stranger.client.call(createComment, { params: { postId }, body: { content: 'Now' } });
  assert.deepEqual([post.body.message, comment.body.message], ['Post created', 'Comment created']);
});

test('posts and sessions have limits of their own, which are higher for educators', async () => {
  const [host, follower] = [await educator(), await platform.newMember()];
  await follower.client.call(subscribeToTopics, { body: { topics: ['SESSIONS'] } });
  const listener = await LiveClient.open(url, follower.accessToken);
  const community = (await host.client.call(createCommunity, { body: { name: 'Metals' } })).data.id;
  for (let place = 0; place < 62; place++) {
    const { status, body } = await host.client.call(createPost, {
      params: { communityId: community },
      body: { content: 'x' },
    });
    assert.equal(status, 201);
    assert.equal(/nobody was notified/.test(body.message), place >= 60, `post ${place}`);
  }
  for (let place = 0; place < 61; place++) {
    const times = { scheduledStart: '2030-01-01T10:00:00Z', scheduledEnd: '2030-01-01T11:00:00Z' };
    const { data } = await host.client.call(createLivestream, {
      body: { title: `Session ${place}`, ...times },
    });
    const { status, body } = await host.client.call(startLivestream, { params: { livestreamId: data.id } });
    assert.deepEqual([status, body.data.status], [200, 'live']);
    assert.equal(/nobody was notified/.test(body.message), place >= 60, `session ${place}`);
  }
  await settled();
  await until(() => listener.all('session:started').length >= 60, 'sixty sessions live');
  assert.equal(listener.all('post:created').length, 60);
  const { pagination } = (await follower.client.call(listNotifications, { query: { type: 'announcement' } }))
    .body;
  assert.equal(pagination.total, 60);
  listener.close();
});

test('at most twenty trade ideas an hour of one author are announced, and all are stored', async () => {
  const [author, follower] = [await platform.newMember(), await platform.newMember()];
  await follower.client.call(subscribeToTopics, { body: { topics: ['TRADE_IDEAS'] } });
  const listener = await LiveClient.open(url, follower.accessToken);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, place) =>
      untilAvailable(() => author.client.attempt(createTrade, { body: idea(place) })),
    ),
  );
  assert.ok(answers.every(({ status }) => status === 201));
  const quiet = answers.filter(({ body }) => /nobody was notified/.test(body.message));
  assert.equal(quiet.length, 10, 'those beyond the limit say so');
  await settled();
  await until(async () => (await told(follower, 'trade_update')).length >= 20, 'twenty are told');
  assert.equal((await told(follower, 'trade_update')).length, 20);
  await until(() => listener.all('trade:created').length >= 20, 'twenty live');
  const { body } = await follower.client.call(listTrades, { query: { userId: author.id } });
  assert.equal(body.pagination.total, 30);

  const other = await platform.newMember();
  assert.equal((await other.client.attempt(createTrade, { body: idea(1000) })).body.message, 'Trade created');
  await listener.next(({ type, data }) => type === 'trade:created' && data.entryPrice === 1001);
  platform.clock.advance(HOUR_MS);
  assert.equal(listener.all('trade:created').length, 21, 'none of those beyond the limit');
  // Tokens are of a quarter of an hour.
  const { accessToken } = (
    await platform.client.call(refreshToken, { body: { refreshToken: author.refreshToken } })
  ).data;
  const next = await platform.client.as(accessToken).attempt(createTrade, { body: idea(99) });
  assert.equal(next.body.message, 'Trade created', 'the next hour is a new one');
  listener.close();
});

// Lists with cursors: whatever is added or deleted meanwhile, each remaining item is returned exactly once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  banChatMember,
  blockMember,
  createAnnouncement,
  createAnnouncementComment,
  createChatroom,
  createComment,
  createCommunity,
  createLivestream,
  createPost,
  createProduct,
  createStory,
  createTrade,
  deletePost,
  enrollInCourse,
  followEducator,
  joinChatroom,
  joinCommunity,
  listTransactions,
  rateCourse,
  report,
  reportChatMessage,
  sendChatMessage,
  sendNotification,
  startLivestream,
  submitAccessRequest,
  tipEducator,
  trackEvent,
  transferKeys,
  unblockMember,
  unfollowEducator,
  viewStory,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { HOUR_MS } from '../../src/kernel/time/time.ts';
import { describedOperations } from '../support/api-contract.ts';
import { newEmail } from '../support/client.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import { audienceOf } from '../support/descriptions.ts';
import { type Member, startPlatform } from '../support/platform.ts';
import { assertInvalid } from '../support/refused.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const rich = await platform.newMemberWith(10_000);
const ben = await platform.newMember();
const { client } = ada;

const community = (await client.call(createCommunity, { body: { name: 'Metals' } })).data;
const post = (
  await client.call(createPost, { params: { communityId: community.id }, body: { content: 'Gold' } })
).data;
const room = (await client.call(createChatroom, { body: { name: 'Tape', type: 'public' } })).data;
const announcement = (
  await client.call(createAnnouncement, {
    params: { educatorId: ada.id },
    body: { title: 'Tonight', content: 'At eight' },
  })
).data;

const story = (
  await eve.client.call(createStory, {
    params: { educatorId: eve.id },
    body: { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' },
  })
).data;
const product = (await admin.call(createProduct, { body: { name: 'Desk', productType: 'misc' } })).data;
const other = (await client.call(createChatroom, { body: { name: 'Talk', type: 'public' } })).data;
const talk = (await client.call(createCommunity, { body: { name: 'Talk' } })).data;
const { course } = await newCourse(platform, { owner: ada });
/** Has a new student rate the course. */
async function rate(): Promise<unknown> {
  const student = await platform.newMember();
  const params = { courseId: course.id };
  await student.client.call(enrollInCourse, { params });
  return student.client.call(rateCourse, { params, body: { rating: 5 } });
}
/** Has a new message reported. */
async function reportMessage(): Promise<unknown> {
  const params = { chatroomId: other.id };
  const { id } = (await client.call(sendChatMessage, { params, body: { message: 'Hello' } })).data;
  return ben.client.call(reportChatMessage, {
    params: { ...params, messageId: id },
    body: { reason: 'Spam' },
  });
}
/** Has a new post reported. */
async function reportPost(): Promise<unknown> {
  const { id } = (
    await client.call(createPost, { params: { communityId: talk.id }, body: { content: 'Buy now' } })
  ).data;
  return ben.client.call(report, { body: { kind: 'post', subjectId: id, reason: 'Spam' } });
}

/** Members, made as they are needed, of whom each list takes one after the other. */
const crowd: Member[] = [];
interface Queue {
  taken: number;
}
const [blockable, viewers, followers]: [Queue, Queue, Queue] = [{ taken: 0 }, { taken: 0 }, { taken: 0 }];
async function nextOf(queue: Queue): Promise<Member> {
  const place = queue.taken++;
  crowd[place] ??= await platform.newMember();
  return crowd[place];
}
const fan = await platform.newMemberWith(1_000);
const tip = () => fan.client.call(tipEducator, { params: { educatorId: eve.id }, body: { amount: 1 } });
/** Schedules a livestream and starts it. */
async function goLive(): Promise<unknown> {
  const hour = (from: number) => new Date(platform.clock.now() + from * HOUR_MS).toISOString();
  const body = { title: 'Gold', scheduledStart: hour(0), scheduledEnd: hour(1) };
  const { id } = (await eve.client.call(createLivestream, { body })).data;
  return eve.client.call(startLivestream, { params: { livestreamId: id } });
}

interface List {
  reader: typeof client;
  path: string;
  add(): Promise<unknown>;
}

/** Every list with the parameter `before`, by the name of its operation. */
const lists: Record<string, List> = {
  listPosts: {
    reader: ben.client,
    path: `/v1/communities/${community.id}/posts`,
    add: () =>
      client.call(createPost, { params: { communityId: community.id }, body: { content: 'More gold' } }),
  },
  listComments: {
    reader: ben.client,
    path: `/v1/posts/${post.id}/comments`,
    add: () => client.call(createComment, { params: { postId: post.id }, body: { content: 'At last' } }),
  },
  listTrades: {
    reader: ben.client,
    path: '/v1/trades?symbol=GOLD&status=open',
    add: () => client.call(createTrade, { body: { symbol: 'GOLD', direction: 'long', entryPrice: 2_400 } }),
  },
  listChatrooms: {
    reader: client,
    path: '/v1/chatrooms?type=group',
    add: () => client.call(createChatroom, { body: { name: 'Desk', type: 'group' } }),
  },
  listOwnAccessRequests: {
    reader: ben.client,
    path: '/v1/streams/marketplace/access-requests/mine',
    add: () =>
      ben.client.call(submitAccessRequest, {
        body: { productId: product.id, fullName: 'Ben K', email: newEmail() },
      }),
  },
  listChatroomMembers: {
    reader: ben.client,
    path: `/v1/chatrooms/${other.id}/members`,
    add: async () =>
      (await platform.newMember()).client.call(joinChatroom, { params: { chatroomId: other.id } }),
  },
  listChatRestrictions: {
    reader: client,
    path: `/v1/chatrooms/${other.id}/restrictions`,
    add: async () => {
      const { id: userId } = await platform.newMember();
      await client.call(banChatMember, { params: { chatroomId: other.id, userId } });
    },
  },
  listCommunityMembers: {
    reader: ben.client,
    path: `/v1/communities/${talk.id}/members`,
    add: async () =>
      (await platform.newMember()).client.call(joinCommunity, { params: { communityId: talk.id } }),
  },
  listCourseRatings: { reader: ben.client, path: `/v1/courses/${course.id}/ratings`, add: rate },
  listCommunities: {
    reader: ben.client,
    path: '/v1/communities',
    add: () => client.call(createCommunity, { body: { name: 'Energy' } }),
  },
  listReports: {
    reader: admin,
    path: '/v1/moderation/reports?kind=post',
    add: reportPost,
  },
  listChatReports: { reader: admin, path: '/v1/chatrooms/reports', add: reportMessage },
  listTransactions: {
    reader: rich.client,
    path: '/v1/wallets/transactions',
    add: () => rich.client.call(transferKeys, { body: { toUserId: ben.id, amount: 1 } }),
  },
  listNotifications: {
    reader: ben.client,
    path: '/v1/notifications?type=reminder',
    add: () =>
      admin.call(sendNotification, {
        body: { userId: ben.id, type: 'reminder', title: 'Soon', message: 'Live at eight' },
      }),
  },
  listChatMessages: {
    reader: ben.client,
    path: `/v1/chatrooms/${room.id}/messages`,
    add: () => admin.call(sendChatMessage, { params: { chatroomId: room.id }, body: { message: 'Hello' } }),
  },
  listAnnouncements: {
    reader: ben.client,
    path: `/v1/educators/${ada.id}/announcements`,
    add: () =>
      client.call(createAnnouncement, {
        params: { educatorId: ada.id },
        body: { title: 'Again', content: 'At nine' },
      }),
  },
  listAnnouncementComments: {
    reader: ben.client,
    path: `/v1/educators/announcements/${announcement.id}/comments`,
    add: () =>
      client.call(createAnnouncementComment, {
        params: { announcementId: announcement.id },
        body: { content: 'Good' },
      }),
  },
  listOwnEvents: {
    reader: client,
    path: '/v1/analytics/events',
    add: () => client.call(trackEvent, { body: { eventName: 'page.view', eventType: 'navigation' } }),
  },
  listBlocks: {
    reader: client,
    path: '/v1/blocks',
    add: async () => client.call(blockMember, { params: { userId: (await nextOf(blockable)).id } }),
  },
  listSentTips: { reader: fan.client, path: '/v1/educators/tips/sent', add: () => tip() },
  listReceivedTips: { reader: eve.client, path: `/v1/educators/${eve.id}/tips`, add: () => tip() },
  listStoryViewers: {
    reader: eve.client,
    path: `/v1/educators/stories/${story.id}/viewers`,
    add: async () => (await nextOf(viewers)).client.call(viewStory, { params: { storyId: story.id } }),
  },
  listEducatorFollowers: {
    reader: eve.client,
    path: `/v1/educators/${eve.id}/followers`,
    add: async () =>
      (await nextOf(followers)).client.call(followEducator, { params: { educatorId: eve.id } }),
  },
  listFollowedEducators: {
    reader: fan.client,
    path: '/v1/educators/following',
    add: async () => {
      const { id: educatorId } = await newEducator(platform);
      await fan.client.call(followEducator, { params: { educatorId } });
    },
  },
  listLivestreams: { reader: ben.client, path: '/v1/livestreams', add: goLive },
  listLivestreamsOnAir: { reader: ben.client, path: '/v1/livestreams/public/live', add: goLive },
  getAnnouncementFeed: {
    reader: ben.client,
    path: '/v1/educators/announcements/feed',
    add: () => lists.listAnnouncements?.add() as Promise<unknown>,
  },
};
await ben.client.call(followEducator, { params: { educatorId: ada.id } });

/** An item of any of the lists. */
type Item = Record<string, unknown>;

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
const paged = describedOperations().filter(({ is }) => is['x-pagination']?.cursors);
/** The fields that the cursor of a list consists of. */
const fieldsOf = (id: string): string[] =>
  paged.find((one) => one.id === id)?.is['x-pagination']?.cursorOf ?? [];
const cursorOf = (id: string, item: Item): string =>
  fieldsOf(id)
    .map((name) => item[name])
    .join('_');

async function page(id: string, limit: number, last?: Item): Promise<Item[]> {
  const { reader, path } = lists[id] as List;
  const cursor = last ? `&before=${cursorOf(id, last)}` : '';
  const answer = await reader.raw('GET', withQuery(path, `limit=${limit}${cursor}`));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.pagination?.page, 1);
  return answer.data as Item[];
}

test('every list with a cursor is among those of this test, except those of administrators', () => {
  const ofMembers = paged.filter(
    ({ is }) => !audienceOf(is).every((one: string) => ['administrator', 'operator'].includes(one)),
  );
  const ids = ofMembers.map(({ id }) => id);
  assert.deepEqual(ids.sort(), Object.keys(lists).sort());
});

/** Members may send a hundred messages a minute. */
const MOST_ADDED = 80;

for (const [id, { add }] of Object.entries(lists)) {
  test(`${id} skips and repeats nothing while items are added`, async () => {
    let added = 0;
    // At the same instant, so that they cannot be ordered by time alone.
    await Promise.all(Array.from({ length: 9 }, add));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 2)),
        async (limit, additions) => {
          const whole = (await page(id, 50)).map((item) => cursorOf(id, item));
          const seen: string[] = [];
          for (let last: Item | undefined; ; ) {
            const items = await page(id, limit, last);
            seen.push(...items.map((item) => cursorOf(id, item)));
            last = items.at(-1);
            if (items.length < limit) break;
            for (let more = additions.next().value ?? 0; more > 0 && added < MOST_ADDED; more--, added++)
              await add();
          }
          assert.deepEqual(seen.slice(0, whole.length), whole.slice(0, seen.length));
          assert.equal(new Set(seen).size, seen.length);
          assert.ok(whole.length === 50 || seen.length === whole.length);
        },
      ),
      { numRuns: 4 },
    );
  });

  test(`${id} accepts a page or a cursor, and refuses invalid cursors`, async () => {
    const { reader, path } = lists[id] as List;
    const [item] = await page(id, 1);
    const both = await reader.raw('GET', withQuery(path, `page=1&before=${cursorOf(id, item as Item)}`));
    assertInvalid(both);
    assert.deepEqual(both.body.errors, [{ field: 'before', message: 'cannot be combined with page' }]);
    for (const before of ['', 'x', `${cursorOf(id, item as Item)}0`, '%27', '0']) {
      const { status, body } = await reader.raw('GET', withQuery(path, `before=${before}`));
      // A malformed id is 400 everywhere; a cursor of several fields does not count as an id.
      const refusal = fieldsOf(id).length > 1 ? [422, 'VALIDATION_FAILED'] : [400, 'INVALID_ID'];
      assert.deepEqual([status, body.error], refusal, before);
    }
  });
}

test('a list continues after an item that was deleted meanwhile', async () => {
  const [first, second] = (await page('listPosts', 2)) as [Item, Item];
  const rest = await page('listPosts', 3, second);
  await client.call(deletePost, { params: { postId: String(second.id) } });
  assert.deepEqual(await page('listPosts', 3, second), rest);
  assert.deepEqual((await page('listPosts', 3, first))[0], rest[0]);
});

test('a reader who removes each item while reading a list removes all', async () => {
  const readers: [string, (item: Item) => Promise<unknown>][] = [
    ['listBlocks', ({ userId }) => client.call(unblockMember, { params: { userId: String(userId) } })],
    [
      'listFollowedEducators',
      ({ id }) => fan.client.call(unfollowEducator, { params: { educatorId: String(id) } }),
    ],
  ];
  for (const [id, remove] of readers) {
    for (let items = await page(id, 2); items.length > 0; items = await page(id, 2, items.at(-1)))
      for (const item of items) await remove(item);
    assert.deepEqual(await page(id, 50), [], id);
  }
});

test('filters hold after a cursor, and the total is that of the whole list', async () => {
  await rich.client.call(withdrawKeys, { body: { amount: 5 } });
  await ben.client.call(transferKeys, { body: { toUserId: rich.id, amount: 1 } });
  const [newest] = (await rich.client.call(listTransactions)).data;
  const before = newest?.transactionId;
  for (const filter of [
    { type: 'transfer' },
    { type: 'withdrawal' },
    { status: 'completed' },
    { status: 'pending' },
    { type: 'fund' },
  ] as const) {
    const query = { ...filter, limit: 100 };
    const { body: whole } = await rich.client.call(listTransactions, { query });
    const { body: rest } = await rich.client.call(listTransactions, { query: { ...query, before } });
    const [name] = Object.values(filter);
    assert.deepEqual(
      rest.data,
      whole.data.filter((one) => one.transactionId !== before),
      name,
    );
    assert.equal(rest.pagination.total, whole.pagination.total, name);
  }
});

test('a transaction of another wallet is refused as a cursor', async () => {
  const stranger = await platform.newMemberWith(5);
  const [theirs] = (await stranger.client.call(listTransactions)).data;
  const before = theirs?.transactionId;
  for (const reader of [rich, await platform.newMember()])
    assertInvalid(await reader.client.attempt(listTransactions, { query: { before } }));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  createAnnouncement,
  createComment,
  createCommunity,
  createLivestream,
  createPost,
  createTrade,
  createWallet,
  enrollInCourse,
  followEducator,
  getAnnouncementFeed,
  getBalance,
  getEducator,
  getFollowStatus,
  joinCommunity,
  leaveCommunity,
  listNotifications,
  rateCourse,
  reactToPost,
  startLivestream,
  subscribeToAllEducators,
  subscribeToEducator,
  subscribeToTopics,
  takeBackReaction,
  tipEducator,
  unblockMember,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import type { Answer } from '../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { holding } from '../../../test/support/holding.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { blocked, youBlocked } from './contract.ts';

const platform = await startPlatform();
const { admin, database } = platform;
const block = (by: Member, whom: Member) => by.client.call(blockMember, { params: { userId: whom.id } });
const unblock = (by: Member, whom: Member) => by.client.call(unblockMember, { params: { userId: whom.id } });
const of = (educator: Member, path: string): string => `/v1/educators/${educator.id}${path}`;
const titlesOf = async (
  { client }: Member,
  list: typeof listNotifications | typeof getAnnouncementFeed,
): Promise<string[]> => (await client.call(list)).data.map(({ title }) => title);
const streamNow = () => ({
  title: 'Live',
  scheduledStart: new Date(platform.clock.now() - 60_000).toISOString(),
  scheduledEnd: new Date(platform.clock.now() + 3_600_000).toISOString(),
});
/** The notifications of a member, but for the welcome. */
const heardBy = async (one: Member): Promise<string[]> =>
  (await titlesOf(one, listNotifications)).filter((title) => !title.startsWith('Welcome'));
const announce = (by: Member, title: string) =>
  by.client.call(createAnnouncement, { params: { educatorId: by.id }, body: { title, content: 'Now!' } });
const post = (by: Member, community: string, content = 'Hi') =>
  by.client.call(createPost, { params: { communityId: community }, body: { content } });

async function newCommunity(by: Member, members: Member[]): Promise<string> {
  const { id } = (await by.client.call(createCommunity, { body: { name: 'Metals' } })).data;
  for (const { client } of members) await client.call(joinCommunity, { params: { communityId: id } });
  return id;
}

/** Waits until everything announced so far has reached a member who subscribes to everything. */
async function announced(witness: Member, title: string): Promise<void> {
  await until(
    async () => (await titlesOf(witness, listNotifications)).some((one) => one.endsWith(title)),
    `the notification ${title}`,
  );
}

test('an educator blocked by a member neither appears in their feed nor notifies them', async () => {
  const [ada, ben, cat] = [
    await newEducator(platform),
    await platform.newMember(),
    await platform.newMember(),
  ];
  for (const { client } of [ben, cat]) {
    await client.call(subscribeToTopics, { body: { topics: ['TRADE_IDEAS', 'SESSIONS'] } });
    await client.call(subscribeToAllEducators);
    assert.equal((await client.call(followEducator, { params: { educatorId: ada.id } })).status, 201);
  }
  await announce(ada, 'Before');
  await announced(ben, 'Before');
  await block(ben, ada);
  assert.equal(
    (await ben.client.call(getFollowStatus, { params: { educatorId: ada.id } })).data.isFollowing,
    false,
  );
  assert.equal(
    (await ben.client.call(getEducator, { params: { educatorId: ada.id } })).data.followerCount,
    1,
  );
  assert.deepEqual(await titlesOf(ben, getAnnouncementFeed), []);
  assert.deepEqual(await titlesOf(cat, getAnnouncementFeed), ['Before']);
  // Subscribing to everybody again, as after each sign-in, changes nothing.
  await ben.client.call(subscribeToAllEducators);
  for (const path of ['/follow', '/notifications/subscribe'])
    assertRefused(await ben.client.raw('POST', of(ada, path)), youBlocked, path);
  const trade = { symbol: 'GOLD', direction: 'long' as const, entryPrice: 2000 };
  assert.equal((await ada.client.call(createTrade, { body: trade })).status, 201);
  const stream = (await ada.client.call(createLivestream, { body: streamNow() })).data;
  assert.equal((await ada.client.call(startLivestream, { params: { livestreamId: stream.id } })).status, 200);
  await announce(ada, 'After');
  for (const title of ['GOLD, long', 'Live now: Live', 'After']) await announced(cat, title);
  assert.deepEqual(
    (await heardBy(ben)).filter((title) => !title.endsWith('Before')),
    [],
  );
  await unblock(ben, ada);
  assert.equal((await ben.client.call(followEducator, { params: { educatorId: ada.id } })).status, 201);
  await announce(ada, 'Again');
  await announced(ben, 'Again');
});

test('a blocked member cannot subscribe again by any operation', async () => {
  const [ada, ben, cat] = [
    await newEducator(platform),
    await platform.newMember(),
    await platform.newMember(),
  ];
  for (const { client } of [ben, cat])
    await client.call(subscribeToEducator, { params: { educatorId: ada.id } });
  await block(ada, ben);
  assertRefused(await ben.client.attempt(subscribeToEducator, { params: { educatorId: ada.id } }), blocked);
  await ben.client.call(subscribeToAllEducators);
  await announce(ada, 'Not for Ben');
  await announced(cat, 'Not for Ben');
  assert.deepEqual(await heardBy(ben), []);
});

test('two educators who block each other concurrently stop following each other', async () => {
  const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
  for (let round = 0; round < 4; round++) {
    assert.equal((await ada.client.call(followEducator, { params: { educatorId: eve.id } })).status, 201);
    assert.equal((await eve.client.call(followEducator, { params: { educatorId: ada.id } })).status, 201);
    const answers = await Promise.all([block(ada, eve), block(eve, ada)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    for (const [one, other] of [
      [ada, eve],
      [eve, ada],
    ] as const)
      assert.equal(
        (await one.client.call(getFollowStatus, { params: { educatorId: other.id } })).data.isFollowing,
        false,
      );
    await Promise.all([unblock(ada, eve), unblock(eve, ada)]);
  }
});

test('a blocked member cannot write in the community of the blocker, but can remove a reaction', async () => {
  const [ada, ben, cat] = [
    await newEducator(platform),
    await platform.newMember(),
    await platform.newMember(),
  ];
  const community = await newCommunity(ada, [ben, cat]);
  const { id } = (await post(cat, community)).data;
  assert.equal(
    (await ben.client.call(reactToPost, { params: { postId: id }, body: { type: 'like' } })).status,
    200,
  );
  await block(ada, ben);
  for (const refused of [
    await ben.client.attempt(createPost, {
      params: { communityId: community },
      body: { content: 'Hi' },
    }),
    await ben.client.attempt(createComment, { params: { postId: id }, body: { content: 'Hi' } }),
    await ben.client.attempt(reactToPost, { params: { postId: id }, body: { type: 'love' } }),
    await ben.client.attempt(joinCommunity, { params: { communityId: community } }),
  ])
    assertRefused(refused, blocked);
  assert.equal((await ben.client.call(takeBackReaction, { params: { postId: id } })).data.reactionCount, 0);
  assert.equal((await ben.client.call(leaveCommunity, { params: { communityId: community } })).status, 200);
  // Elsewhere the blocker is a member like others.
  const elsewhere = await newCommunity(await newEducator(platform), [ada, ben]);
  assert.equal((await post(ben, elsewhere)).status, 201);
});

const waiting = (): Promise<number> =>
  database.count(
    `select count(*) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
  );

for (const isBlockFirst of [true, false]) {
  test(`a comment that meets a block ${isBlockFirst ? 'is refused after it' : 'is there before it is answered'}`, async () => {
    const [ada, ben] = [await newEducator(platform), await platform.newMember()];
    const community = await newCommunity(ada, [ben]);
    const announcement = (await announce(ada, 'Buy')).data;
    const { id } = (await post(ada, community)).data;
    for (const [path, table] of [
      [`/v1/educators/announcements/${announcement.id}/comments`, 'educators.comment'],
      [`/v1/posts/${id}/comments`, 'community.comment'],
    ] as const) {
      const comment = () => ben.client.raw('POST', path, { content: 'Rude.' });
      let answers: Promise<[Answer, Answer]> | undefined;
      // The first of the two holds the lock of the pair when it waits for this table, and the other one waits for it.
      await holding(database, async (tx) => {
        await tx.execute(`lock table ${isBlockFirst ? 'moderation.block' : table} in exclusive mode`);
        const [first, second] = isBlockFirst
          ? [block(ada, ben), comment]
          : [comment(), () => block(ada, ben)];
        await until(async () => (await waiting()) >= 1, 'the first request at the table');
        const other = second();
        await until(async () => (await waiting()) >= 2, 'the second request');
        answers = Promise.all([first, other]);
      });
      const [first, second] = (await answers) as [Answer, Answer];
      assert.deepEqual([first.status, second.status], isBlockFirst ? [200, 403] : [201, 200], path);
      assert.equal((await admin.raw('GET', path)).body.pagination?.total, isBlockFirst ? 0 : 1);
      await unblock(ada, ben);
    }
  });
}

test('what a member does is broadcast to everybody but those who have blocked them', async () => {
  const [ada, ben, cat] = [
    await newEducator(platform),
    await platform.newMember(),
    await platform.newMember(),
  ];
  const community = await newCommunity(ada, []);
  await block(ben, ada);
  const [blocker, witness] = await Promise.all(
    [ben, cat].map(({ accessToken }) => LiveClient.open(platform.url, accessToken)),
  );
  assert.ok(blocker && witness);
  const doAll = async () => {
    assert.equal((await post(ada, community)).status, 201);
    const trade = { symbol: 'GOLD', direction: 'long' as const, entryPrice: 2000 };
    assert.equal((await ada.client.call(createTrade, { body: trade })).status, 201);
    const stream = (await ada.client.call(createLivestream, { body: streamNow() })).data;
    assert.equal(
      (await ada.client.call(startLivestream, { params: { livestreamId: stream.id } })).status,
      200,
    );
  };
  const types = ['post:created', 'trade:created', 'session:started'] as const;
  const received = (by: LiveClient) => types.map((type) => by.all(type).length);
  await doAll();
  await until(() => received(witness).join() === '1,1,1', 'the broadcasts');
  await unblock(ben, ada);
  await doAll();
  // Messages to one connection keep their order: whatever came before has arrived.
  await until(() => received(blocker).join() === '1,1,1', 'the broadcasts after the block');
  await until(() => received(witness).join() === '2,2,2', 'all broadcasts');
  assert.deepEqual(received(blocker), [1, 1, 1]);
  for (const { socket } of [blocker, witness]) socket.close();
});

test('a blocked member rates a course of the blocker, and writes no review of it', async () => {
  const { owner, course } = await newCourse(platform);
  const ben = await platform.newMember();
  assert.equal((await ben.client.call(enrollInCourse, { params: { courseId: course.id } })).status, 201);
  const rate = (rating: TypesOf<typeof rateCourse>['body']) =>
    ben.client.attempt(rateCourse, { params: { courseId: course.id }, body: rating });
  assert.equal((await rate({ rating: 5, review: 'Good.' })).status, 200);
  await block(owner, ben);
  assertRefused(await rate({ rating: 1, review: 'Rude.' }), blocked);
  assert.equal((await rate({ rating: 2 })).status, 200);
  await unblock(owner, ben);
  assert.equal((await rate({ rating: 5, review: 'Good.' })).status, 200);
});

test('a tip that meets a block is refused after it', async () => {
  const [ada, ben] = [await newEducator(platform), await platform.newMemberWith(10)];
  await ada.client.call(createWallet);
  let answers: Promise<[Answer, Answer]> | undefined;
  await holding(database, async (tx) => {
    // The block holds the lock of the pair when it waits for this table; the tip was admitted before it.
    await tx.execute('lock table moderation.block in share row exclusive mode');
    const first = block(ada, ben);
    await until(async () => (await waiting()) >= 1, 'the block at the table');
    const second = ben.client.attempt(tipEducator, {
      params: { educatorId: ada.id },
      body: { amount: 1, message: 'Rude.' },
    });
    await until(async () => (await waiting()) >= 2, 'the tip');
    answers = Promise.all([first, second]);
  });
  const [first, second] = (await answers) as [Answer, Answer];
  assert.equal(first.status, 200);
  assertRefused(second, blocked);
  assert.equal((await ben.client.call(getBalance)).data.balance, 10);
});

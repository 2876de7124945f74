import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  blockMember,
  createAnnouncement,
  followEducator,
  getEducator,
  getFollowStatus,
  getMember,
  listEducatorFollowers,
  listEducators,
  listFollowedEducators,
  listNotifications,
  subscribeToAllEducators,
  subscribeToEducator,
  unblockMember,
  unfollowEducator,
  unsubscribeFromEducator,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { educatorNotFound } from '../contract.ts';
import { followOneself } from '../failures.ts';

const platform = await startPlatform();
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const ben = await platform.newMember();
const ofAda = { params: { educatorId: ada.id } };
const ofEve = { params: { educatorId: eve.id } };

const countsOf = async ({ id }: Member): Promise<[followers: number, subscribers: number]> => {
  const { data } = await ben.client.call(getEducator, { params: { educatorId: id } });
  return [data.followerCount, data.subscriberCount];
};

test('following is idempotent both ways and counted exactly', async () => {
  const first = await ben.client.call(followEducator, ofAda);
  assert.deepEqual([first.status, first.data.educatorId, first.data.userId], [201, ada.id, ben.id]);
  const again = await ben.client.call(followEducator, ofAda);
  assert.deepEqual([again.status, again.data], [200, first.data]);
  assert.deepEqual(await countsOf(ada), [1, 1]);
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.call(unfollowEducator, ofAda)).data.isFollowing, false);
  assert.deepEqual(await countsOf(ada), [0, 0]);
});

test('a follow shows who follows whom, and since when', async () => {
  const { data: follow } = await ben.client.call(followEducator, ofAda);
  const { data: follower } = await ada.client.call(getMember, { params: { id: ben.id } });
  assert.deepEqual(follow.user, follower);
  const { followedAt } = follow;
  const { data: status } = await ben.client.call(getFollowStatus, ofAda);
  assert.deepEqual(status, { isFollowing: true, followedAt, subscribed: true });
  const { data } = await ben.client.call(listFollowedEducators);
  assert.deepEqual(
    data.map((one) => [one.id, one.followedAt]),
    [[ada.id, followedAt]],
  );
  await ben.client.call(unfollowEducator, ofAda);
});

test('educators cannot follow themselves', async () => {
  assertRefused(await ada.client.attempt(followEducator, ofAda), followOneself);
});

test('concurrent follows are counted exactly', async () => {
  const crowd = await Promise.all(Array.from({ length: 6 }, () => platform.newMember()));
  const isFollowing = new Map<string, boolean>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.integer({ min: 0, max: 5 }), follows: fc.boolean() }), { maxLength: 20 }),
      async (steps) => {
        // Steps of one member are in their order; members go at once.
        await Promise.all(
          crowd.map(async ({ client, id }, place) => {
            for (const { who, follows } of steps) {
              if (who !== place) continue;
              await client.callPatiently(follows ? followEducator : unfollowEducator, ofEve);
              isFollowing.set(id, follows);
            }
          }),
        );
        const expected = [...isFollowing.values()].filter(Boolean).length;
        assert.equal((await countsOf(eve))[0], expected);
      },
    ),
    { numRuns: 8 },
  );
  const { client } = crowd[0] as Member;
  await Promise.all(Array.from({ length: 8 }, () => client.callPatiently(followEducator, ofEve)));
  const stored = await platform.database.count(
    'select count(*) from educators.follow where educator_id = $1',
    [eve.id],
  );
  assert.equal((await countsOf(eve))[0], stored);
});

const announce = ({ client, id }: Member, title: string) =>
  client.call(createAnnouncement, { params: { educatorId: id }, body: { title, content: 'News.' } });
/** The announcements that a member was notified of. */
const heardBy = async ({ client }: Member): Promise<string[]> => {
  const { data } = await client.call(listNotifications, { query: { type: 'announcement' } });
  return data.map(({ title }) => title.replace('Test Member: ', '')).toSorted();
};
const untilHeard = (by: Member, title: string): Promise<void> =>
  until(async () => (await heardBy(by)).includes(title), `the announcement ${title}`);

test('a member who unsubscribed from an educator hears of the others only, also once subscribed to all', async () => {
  const cat = await platform.newMember();
  const { data: subscription } = await cat.client.call(subscribeToEducator, ofAda);
  assert.deepEqual(subscription, { educatorId: ada.id, subscribed: true });
  await announce(ada, 'one');
  await untilHeard(cat, 'one');
  assert.equal((await cat.client.call(unsubscribeFromEducator, ofAda)).data.subscribed, false);
  for (let time = 0; time < 2; time++)
    assert.equal(
      (await cat.client.call(subscribeToAllEducators)).data.count,
      1,
      'without the one who is not heard',
    );
  await announce(ada, 'two');
  await announce(eve, 'three');
  await untilHeard(cat, 'three');
  assert.deepEqual(await heardBy(cat), ['one', 'three']);
});

test('a block that has ended excludes nobody from a later subscription to all, and one that lasts does', async () => {
  const cat = await platform.newMember();
  const theirs = { params: { userId: cat.id } };
  await cat.client.call(unsubscribeFromEducator, ofAda);
  const { count } = (await cat.client.call(subscribeToAllEducators)).data;
  const subscribed = async () =>
    (await cat.client.call(getFollowStatus, { params: { educatorId: eve.id } })).data.subscribed;
  for (const educator of [ada, eve]) await educator.client.call(blockMember, theirs);
  assert.equal((await cat.client.call(subscribeToAllEducators)).data.count, count - 1, 'without eve, too');
  for (const educator of [ada, eve]) await educator.client.call(unblockMember, theirs);
  assert.equal(await subscribed(), false, 'what the block has ended does not come back by itself');
  assert.equal((await cat.client.call(subscribeToAllEducators)).data.count, count, 'without ada alone');
  assert.equal(await subscribed(), true);
});

test('a subscription to all educators does not include those who become educators later', async () => {
  const cat = await platform.newMember();
  await cat.client.call(subscribeToAllEducators);
  const dan = await newEducator(platform);
  await announce(dan, 'four');
  await announce(eve, 'five');
  await untilHeard(cat, 'five');
  assert.deepEqual(await heardBy(cat), ['five']);
});

test('a member who follows an educator is notified of announcements again', async () => {
  const cat = await platform.newMember();
  await cat.client.call(subscribeToEducator, ofAda);
  await cat.client.call(unsubscribeFromEducator, ofAda);
  await cat.client.call(followEducator, ofAda);
  await announce(ada, 'six');
  await untilHeard(cat, 'six');
});

test('an educator and administrators read who follows the educator, newest follow first', async () => {
  const dan = await newEducator(platform);
  const params = { educatorId: dan.id };
  const fans = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
  const follows = [];
  for (const { client } of fans) follows.unshift((await client.call(followEducator, { params })).data);
  const { body } = await dan.client.call(listEducatorFollowers, { params });
  assert.deepEqual([body.data, body.pagination.total], [follows, 3]);
  const [newest, , oldest] = follows;
  const query = { before: `${newest?.followedAt}_${newest?.userId}` };
  await fans[1]?.client.call(unfollowEducator, { params });
  const { data } = await platform.admin.call(listEducatorFollowers, { params, query });
  assert.deepEqual(data, [oldest]);
  for (const { client } of [eve, ben])
    assert.equal((await client.attempt(listEducatorFollowers, { params })).status, 403);
  await dan.client.call(blockMember, { params: { userId: String(oldest?.userId) } });
  assert.deepEqual((await dan.client.call(listEducatorFollowers, { params, query })).data, []);
});

test('an educator, in a list, too, says whether one follows them and is notified of what they publish', async () => {
  const [cat, dan] = [await platform.newMember(), await newEducator(platform)];
  const params = { educatorId: dan.id };
  const { client } = cat;
  /** What a member sees of the educator in four places: whether they follow, and whether they are subscribed. */
  const seen = async () => {
    const { data: listed } = await client.call(listEducators, { query: { limit: 50 } });
    const { data: followed } = await client.call(listFollowedEducators);
    const { data: profile } = await client.call(getEducator, { params });
    const { data: status } = await client.call(getFollowStatus, { params });
    const places = [...listed, ...followed].filter(({ id }) => id === dan.id);
    const all = [...places, profile, status].map(({ isFollowing, subscribed }) => [isFollowing, subscribed]);
    for (const one of all) assert.deepEqual(one, all[0]);
    return all[0];
  };
  assert.deepEqual(await seen(), [false, false]);
  await client.call(followEducator, { params });
  assert.deepEqual(await seen(), [true, true]);
  await client.call(unsubscribeFromEducator, { params });
  assert.deepEqual(await seen(), [true, false]);
  await client.call(subscribeToEducator, { params });
  assert.deepEqual(await seen(), [true, true]);
  await client.call(unfollowEducator, { params });
  assert.deepEqual(await seen(), [false, false]);
  await client.call(subscribeToAllEducators);
  assert.deepEqual(await seen(), [false, false], 'an unfollowed one stays silent');
  const ofEve = (await client.call(getEducator, { params: { educatorId: eve.id } })).data;
  assert.deepEqual([ofEve.isFollowing, ofEve.subscribed], [false, true]);
  const later = await newEducator(platform);
  const ofLater = (await client.call(getEducator, { params: { educatorId: later.id } })).data;
  assert.equal(ofLater.subscribed, false, 'one who became an educator later');
});

test('a deactivated educator can no longer be followed, only left', async () => {
  const [gone, fan, cat] = [
    await newEducator(platform),
    await platform.newMember(),
    await platform.newMember(),
  ];
  const ofGone = { params: { educatorId: gone.id } };
  await fan.client.call(followEducator, ofGone);
  await platform.admin.call(updateUser, { params: { userId: gone.id }, body: { isActive: false } });
  assertRefused(await cat.client.attempt(followEducator, ofGone), educatorNotFound);
  assertRefused(await cat.client.attempt(subscribeToEducator, ofGone), educatorNotFound);
  assert.equal((await fan.client.call(unsubscribeFromEducator, ofGone)).status, 200);
  assert.equal((await fan.client.call(unfollowEducator, ofGone)).status, 200);
});

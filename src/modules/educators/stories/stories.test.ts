import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createStory,
  deleteStory,
  deleteUser,
  followEducator,
  getMember,
  getStory,
  getStoryFeed,
  listNotifications,
  listStories,
  listStoryViewers,
  presignEducatorUpload,
  refreshToken,
  viewStory,
  type wire,
} from '../../../../sdk/src/index.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { SAMPLES } from '../../../../test/support/pictures.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/time.ts';
import { notEducator } from '../../identity/contract.ts';
import { storyNotFound } from '../failures.ts';

const platform = await startPlatform();
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const [ben, cat] = [await platform.newMember(), await platform.newMember()];
const IMAGE: wire.CreateStoryBody = { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' };
const VIDEO: wire.CreateStoryBody = { mediaType: 'video', mediaUrl: 'https://cdn.example.com/a.mp4' };

const publish = async ({ client, id }: Member, body = IMAGE): Promise<wire.Story> =>
  (await client.call(createStory, { params: { educatorId: id }, body })).data;
const view = ({ client }: Member, { id }: wire.Story) =>
  untilAvailable(() => client.attempt(viewStory, { params: { storyId: id } }));

test('stories are grouped by educator, unviewed groups first and oldest stories first', async () => {
  const reader = await platform.newMember();
  for (const { id } of [ada, eve]) await reader.client.call(followEducator, { params: { educatorId: id } });
  const [first, second] = [await publish(ada), await publish(ada, { ...IMAGE, duration: 15 })];
  const third = await publish(eve, VIDEO);
  const shown = async () =>
    (await reader.client.call(getStoryFeed)).data.map(({ educator, stories, hasUnviewed }) => [
      educator.id,
      stories.map(({ id, viewed }) => [id, viewed]),
      hasUnviewed,
    ]);
  const ofAda = [ada.id, [first, second].map(({ id }) => [id, false]), true];
  assert.deepEqual(await shown(), [[eve.id, [[third.id, false]], true], ofAda]);
  await view(reader, third);
  assert.deepEqual(await shown(), [ofAda, [eve.id, [[third.id, true]], false]]);
});

test('followers are notified of stories', async () => {
  const reader = await platform.newMember();
  const dan = await newEducator(platform);
  await reader.client.call(followEducator, { params: { educatorId: dan.id } });
  const stories = [await publish(dan), await publish(dan, VIDEO)];
  await until(async () => {
    const { data } = await reader.client.call(listNotifications, { query: { type: 'announcement' } });
    return stories.every(({ id }) => data.some(({ metadata }) => metadata.storyId === id));
  }, 'the notifications of the follower');
});

test('a view is counted once for each member, and not for the educator', async () => {
  const dan = await newEducator(platform);
  const [first, second] = [await publish(dan), await publish(dan)];
  for (let time = 0; time < 2; time++)
    assert.deepEqual((await view(ben, first)).data, { storyId: first.id, viewed: true, viewCount: 1 });
  assert.equal((await view(dan, second)).data?.viewCount, 0);
  const { data } = await cat.client.call(listStories, { params: { educatorId: dan.id } });
  assert.deepEqual(
    data.map(({ id, viewCount, viewed }) => [id, viewCount, viewed]),
    [
      [first.id, 1, false],
      [second.id, 0, false],
    ],
  );
});

test('the viewers of a story are shown to its educator alone', async () => {
  const story = await publish(ada);
  const params = { storyId: story.id };
  await view(ben, story);
  const { data } = await ada.client.call(listStoryViewers, { params });
  assert.deepEqual(
    data.map(({ userId, user }) => [userId, user.name]),
    [[ben.id, 'Test Member']],
  );
  for (const client of [eve.client, platform.admin])
    assert.equal((await client.attempt(listStoryViewers, { params })).status, 403);
});

test('a viewer whose account is deleted is neither listed nor counted, and others stay', async () => {
  const dan = await newEducator(platform);
  const [story, other, leaving] = [await publish(dan), await publish(dan), await platform.newMember()];
  for (const one of [story, other]) await view(leaving, one);
  await view(ben, story);
  await platform.admin.call(deleteUser, { params: { userId: leaving.id }, body: {} });
  await until(async () => {
    const { data } = await ben.client.call(listStories, { params: { educatorId: dan.id } });
    return data.map(({ viewCount }) => viewCount).join() === '1,0';
  }, 'the views of the deleted member');
  const { data, body } = await dan.client.call(listStoryViewers, { params: { storyId: story.id } });
  assert.deepEqual([data.map(({ userId }) => userId), body.pagination.total], [[ben.id], 1]);
});

test('a story is published and deleted by its educator alone', async () => {
  const story = await publish(ada);
  const params = { storyId: story.id };
  assertRefused(await eve.client.attempt(deleteStory, { params }), insufficientPermissions);
  await ada.client.call(deleteStory, { params });
  assertRefused(await view(ben, story), storyNotFound);
  const hers = { params: { educatorId: ada.id }, body: IMAGE };
  assertRefused(await platform.admin.attempt(createStory, hers), notEducator);
});

test('a story is an image or a video at a public address', async () => {
  for (const wrong of [{ mediaUrl: 'data:text/html,x' }, { mediaType: 'program' }])
    assertInvalid(
      await ada.client.raw('POST', `/v1/educators/${ada.id}/stories`, { ...IMAGE, ...wrong }),
      JSON.stringify(wrong),
    );
});

test('a story is read by its id as in the list, which does not count as a view', async () => {
  const dan = await newEducator(platform);
  const story = await publish(dan);
  const params = { storyId: story.id };
  const read = async ({ client }: Member) => (await client.call(getStory, { params })).data;
  const { viewed, viewCount, educator } = await read(cat);
  assert.deepEqual([viewed, viewCount], [false, 0]);
  assert.deepEqual(educator, (await cat.client.call(getMember, { params: { id: dan.id } })).data);
  assert.deepEqual(story.educator, educator);
  await view(cat, story);
  const { data: listed } = await cat.client.call(listStories, { params: { educatorId: dan.id } });
  assert.deepEqual([await read(cat)], listed);
  assert.deepEqual([(await read(cat)).viewed, (await read(ben)).viewed], [true, false]);
  await dan.client.call(deleteStory, { params });
  assertRefused(await cat.client.attempt(getStory, { params }), storyNotFound);
});

test('concurrent views count each member once', async () => {
  const crowd = await Promise.all(Array.from({ length: 6 }, () => platform.newMember()));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 25 }), async (viewers) => {
      const story = await publish(eve);
      await Promise.all(viewers.map((place) => view(crowd[place] as Member, story)));
      const { data } = await ben.client.call(listStories, { params: { educatorId: eve.id } });
      assert.equal(data.at(-1)?.viewCount, new Set(viewers).size);
    }),
    { numRuns: 8 },
  );
});

/** Has an educator upload a picture, and returns its address. */
async function upload({ client, id }: Member): Promise<string> {
  const { data } = await client.call(presignEducatorUpload, {
    params: { educatorId: id },
    body: { fileName: 'a.png', fileSize: SAMPLES.png.length, contentType: 'image/png' },
  });
  const { method, headers } = data.instructions;
  await fetch(data.uploadUrl, { method, headers, body: new Uint8Array(SAMPLES.png) });
  return data.publicUrl;
}

test('a story shows files that its educator uploaded, and no uploads of others', async () => {
  const mediaUrl = await upload(ada);
  assert.equal((await publish(ada, { ...IMAGE, mediaUrl })).mediaUrl, mediaUrl);
  const hers = { params: { educatorId: eve.id }, body: { ...IMAGE, mediaUrl } };
  assertInvalid(await eve.client.attempt(createStory, hers));
});

/** Renews an access token, which lives for a quarter of an hour. */
async function renew(member: Member): Promise<void> {
  const { data } = await platform.client.call(refreshToken, {
    body: { refreshToken: member.refreshToken },
  });
  member.refreshToken = data.refreshToken;
  member.client = platform.client.as(data.accessToken);
}

test('a story disappears after a day, and its file is removed', async () => {
  await platform.database.execute('delete from educators.story');
  const [reader, dan] = [await platform.newMember(), await newEducator(platform)];
  await reader.client.call(followEducator, { params: { educatorId: dan.id } });
  const feed = async () => (await reader.client.call(getStoryFeed)).data;
  const mediaUrl = await upload(dan);
  const story = await publish(dan, { ...IMAGE, mediaUrl });
  assert.equal(Date.parse(story.expiresAt) - Date.parse(story.createdAt), 24 * HOUR_MS);
  assert.equal((await fetch(mediaUrl)).status, 200);
  platform.clock.advance(Date.parse(story.expiresAt) - platform.clock.now() - MINUTE_MS);
  for (const member of [dan, reader]) await renew(member);
  assert.equal((await feed()).length, 1);
  platform.clock.advance(MINUTE_MS);
  assert.deepEqual(await feed(), []);
  const { data } = await reader.client.call(listStories, { params: { educatorId: dan.id } });
  assert.deepEqual(data, []);
  assertRefused(await view(reader, story), storyNotFound);
  const viewers = { params: { storyId: story.id } };
  assertRefused(await dan.client.attempt(listStoryViewers, viewers), storyNotFound);
  await platform.platform.runJob('educators.remove-expired-stories');
  assert.equal(await platform.database.count('select count(*) from educators.story'), 0);
  await platform.platform.runJob('media.sweep');
  await until(async () => (await fetch(mediaUrl)).status === 404, 'the end of the file');
});

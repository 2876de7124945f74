import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  blockMember,
  createStory,
  deleteStory,
  followEducator,
  getBalance,
  getReceivedTipTotals,
  getSentTipTotals,
  getStoryFeed,
  listNotifications,
  listReceivedTips,
  listSentTips,
  listStories,
  listStoryViewers,
  listTransactions,
  presignEducatorUpload,
  refreshToken,
  tipEducator,
  unassignPermissions,
  viewStory,
} from '../../../../sdk/src/index.ts';
import type { Loose } from '../../../../test/support/client.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { SAMPLES } from '../../../../test/support/pictures.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { keyReused } from '../../../kernel/records/idempotency.ts';
import { notEducator } from '../../identity/contract.ts';
import { blocked } from '../../moderation/contract.ts';
import { storyNotFound, tipOneself } from '../failures.ts';

const platform = await startPlatform();
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const [ben, cat] = [await platform.newMember(), await platform.newMember()];
const HOUR_MS = 3_600_000;
const IMAGE = { mediaType: 'image' as const, mediaUrl: 'https://cdn.example.com/a.png' };

const publish = async (by: Loose, draft: object = IMAGE): Promise<Loose> => {
  const { status, data } = await by.client.call(createStory, { params: { educatorId: by.id }, body: draft });
  assert.equal(status, 201);
  return data;
};
const feed = async () => (await ben.client.call(getStoryFeed)).data;
const view = (by: Loose, { id }: Loose) => by.client.attempt(viewStory, { params: { storyId: id } });
const removeAll = () => platform.database.execute('delete from educators.story');

/** Access tokens live for a quarter of an hour. */
async function renew(member: Member): Promise<void> {
  const { data } = await platform.client.call(refreshToken, {
    body: {
      refreshToken: member.refreshToken,
    },
  });
  member.refreshToken = data.refreshToken;
  member.client = platform.client.as(data.accessToken);
}

test('stories are grouped by educator, unviewed groups first and oldest stories first', async () => {
  for (const { id } of [ada, eve]) await ben.client.call(followEducator, { params: { educatorId: id } });
  const [first, second] = [await publish(ada), await publish(ada, { ...IMAGE, duration: 15 })];
  const third = await publish(eve, { mediaType: 'video', mediaUrl: 'https://cdn.example.com/a.mp4' });
  const shown = async () =>
    (await feed()).map(({ educator, stories, hasUnviewed }) => [
      educator.id,
      stories.map((story) => [story.id, story.viewed]),
      hasUnviewed,
    ]);
  assert.deepEqual(await shown(), [
    [eve.id, [[third.id, false]], true],
    [
      ada.id,
      [
        [first.id, false],
        [second.id, false],
      ],
      true,
    ],
  ]);
  // A story that is deleted before its notice is read notifies nobody.
  await until(
    async () =>
      (await ben.client.call(listNotifications, { query: { type: 'announcement' } })).body.pagination
        .total === 3,
    'the notifications of the follower',
  );
  for (let time = 0; time < 2; time++)
    assert.deepEqual((await view(ben, third)).data, { storyId: third.id, viewed: true, viewCount: 1 });
  await view(ben, first);
  assert.deepEqual(
    (await shown()).map(([id, , hasUnviewed]) => [id, hasUnviewed]),
    [
      [ada.id, true],
      [eve.id, false],
    ],
  );
  assert.equal((await view(ada, second)).data.viewCount, 0);
  const listed = (await cat.client.call(listStories, { params: { educatorId: ada.id } })).data;
  assert.deepEqual(
    listed.map((story) => [story.id, story.viewCount, story.viewed]),
    [
      [first.id, 1, false],
      [second.id, 0, false],
    ],
  );
  assert.deepEqual(
    (await ada.client.call(listStoryViewers, { params: { storyId: first.id } })).data.map((one) => [
      one.userId,
      one.user.name,
    ]),
    [[ben.id, 'Test Member']],
  );
  assert.deepEqual(
    [
      (await eve.client.attempt(listStoryViewers, { params: { storyId: first.id } })).status,
      (await platform.admin.attempt(listStoryViewers, { params: { storyId: first.id } })).status,
    ],
    [403, 403],
  );
  assertRefused(
    await eve.client.attempt(deleteStory, { params: { storyId: first.id } }),
    insufficientPermissions,
  );
  assert.equal((await ada.client.call(deleteStory, { params: { storyId: first.id } })).status, 200);
  assertRefused(await view(ben, first), storyNotFound);
  const path = `/v1/educators/${ada.id}/stories`;
  assertRefused(
    await platform.admin.attempt(createStory, { params: { educatorId: ada.id }, body: IMAGE }),
    notEducator,
  );
  assertInvalid(
    await ada.client.attempt(createStory, {
      params: { educatorId: ada.id },
      body: { ...IMAGE, mediaUrl: 'data:text/html,x' },
    }),
  );
  assertInvalid(await ada.client.post(path, { ...IMAGE, mediaType: 'program' }));
});

test('concurrent views count each member once', async () => {
  const crowd = await Promise.all(Array.from({ length: 6 }, () => platform.newMember()));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 25 }), async (viewers) => {
      const story = await publish(eve);
      await Promise.all(viewers.map((place) => view(crowd[place], story)));
      const { data } = await ben.client.call(listStories, { params: { educatorId: eve.id } });
      assert.equal(data.at(-1)?.viewCount, new Set(viewers).size);
    }),
    { numRuns: 8 },
  );
});

test('a tip is transferred once and appears in both histories and lists', async () => {
  const giver = await platform.newMemberWith(100);
  const path = `/v1/educators/${ada.id}/tip`;
  const body = { amount: 30, message: 'Thank you!' };
  const keyed = giver.client.with({ 'idempotency-key': 'tip-1' });
  const { status, data } = await keyed.call(tipEducator, { params: { educatorId: ada.id }, body });
  assert.deepEqual([status, data.amount, data.educatorId, data.message], [201, 30, ada.id, 'Thank you!']);
  const replayed = await keyed.call(tipEducator, { params: { educatorId: ada.id }, body });
  assert.deepEqual([replayed.headers.get('idempotent-replayed'), replayed.data], ['true', data]);
  assertRefused(await keyed.attempt(tipEducator, { params: { educatorId: eve.id }, body }), keyReused);
  const many = await Promise.all(
    Array.from({ length: 10 }, () =>
      giver.client.attempt(tipEducator, { params: { educatorId: ada.id }, body: { amount: 20 } }),
    ),
  );
  const statuses = many.map((answer) => answer.status).toSorted();
  assert.deepEqual(statuses, [201, 201, 201, ...Array.from({ length: 7 }, () => 400)]);
  assert.equal((await giver.client.call(getBalance)).data.balance, 10);
  for (const [client, entries] of [
    [giver.client, 4],
    [ada.client, 4],
  ] as [Loose, number][]) {
    const history = (await client.call(listTransactions, { query: { type: 'transfer' } })).data;
    assert.equal(history.length, entries);
    assert.deepEqual(history.at(-1).metadata, { gift: true, surface: 'educator' });
  }
  const sent = await giver.client.call(listSentTips);
  assert.deepEqual([sent.body.pagination.total, sent.data.at(-1)?.transactionId], [4, data.transactionId]);
  const received = await ada.client.call(listReceivedTips, { params: { educatorId: ada.id } });
  assert.deepEqual(
    received.data.map((tip) => [tip.amount, tip.userId, tip.other.id]),
    [20, 20, 20, 30].map((amount) => [amount, giver.id, giver.id]),
  );
  assert.deepEqual((await ada.client.call(getReceivedTipTotals, { params: { educatorId: ada.id } })).data, {
    tips: 4,
    keys: 90,
  });
  assert.deepEqual((await giver.client.call(getSentTipTotals)).data, { tips: 4, keys: 90 });
  assert.equal(
    (await platform.database.count(
      `select count(*) from notifications.notification where user_id = $1 and title like 'A gift of 30%'`,
      [ada.id],
    )) <= 1,
    true,
  );
  for (const amount of [0, -1, 1.5, '5', undefined]) {
    const refused = await giver.client.post(path, { amount });
    assert.deepEqual([refused.status, refused.body.message], [400, 'Amount must be a positive whole number']);
  }
  assertRefused(
    await ada.client.attempt(tipEducator, { params: { educatorId: ada.id }, body: { amount: 1 } }),
    tipOneself,
  );
  assertRefused(
    await eve.client.attempt(listReceivedTips, { params: { educatorId: ada.id } }),
    insufficientPermissions,
  );
  assertRefused(
    await giver.client.attempt(listReceivedTips, { params: { educatorId: ada.id } }),
    notEducator,
  );
  const { faults } = await platform.platform.wallet.verify();
  assert.deepEqual(faults, []);
  const { gifts } = platform.platform.wallet;
  const period = { from: new Date(0), to: new Date(platform.clock.now() + 1000) };
  assert.deepEqual(await gifts.sums(period), { giftedKeys: 90, gifts: 4, gifters: 1, giftRecipients: 1 });
  const [best] = await gifts.topRecipients(period, { limit: 5 });
  assert.deepEqual([best?.userId, best?.keys, best?.gifts, best?.counterparties], [ada.id, 90, 4, 1]);
  assert.deepEqual(await gifts.topSenders(period, { limit: 5, except: [giver.id] }), []);
});

test('repeating a tip with its key returns the same answer, even after the educator lost the permission', async () => {
  const giver = await platform.newMemberWith(100);
  const former = await newEducator(platform);
  const keyed = giver.client.with({ 'idempotency-key': 'tip-to-a-former-educator' });
  const first = await keyed.call(tipEducator, { params: { educatorId: former.id }, body: { amount: 30 } });
  assert.equal(first.status, 201, JSON.stringify(first.body));
  await platform.admin.call(unassignPermissions, {
    params: { userId: former.id },
    body: { permissions: ['educator'] },
  });
  assertRefused(
    await giver.client.attempt(tipEducator, { params: { educatorId: former.id }, body: { amount: 30 } }),
    notEducator,
  );
  const again = await keyed.call(tipEducator, { params: { educatorId: former.id }, body: { amount: 30 } });
  assert.deepEqual(
    [again.status, again.headers.get('idempotent-replayed'), again.data],
    [201, 'true', first.data],
  );
  assert.deepEqual(
    [
      (await keyed.attempt(tipEducator, { params: { educatorId: former.id }, body: { amount: 31 } })).body
        .error,
      (await keyed.attempt(tipEducator, { params: { educatorId: former.id }, body: { amount: 0.5 } })).status,
    ],
    ['IDEMPOTENCY_KEY_REUSED', 400],
  );
  assert.equal((await giver.client.call(getBalance)).data.balance, 70);
});

test('a blocked member cannot tip the educator and keeps the Keys', async () => {
  const giver = await platform.newMemberWith(10);
  assert.equal((await ada.client.call(blockMember, { params: { userId: giver.id } })).status, 200);
  const refused = await giver.client.attempt(tipEducator, {
    params: { educatorId: ada.id },
    body: { amount: 5, message: 'Read this' },
  });
  assertRefused(refused, blocked);
  assert.equal((await giver.client.call(getBalance)).data.balance, 10);
  assert.equal(
    (await giver.client.call(tipEducator, { params: { educatorId: eve.id }, body: { amount: 5 } })).status,
    201,
  );
});

test('a story disappears after a day, and its file is removed', async () => {
  await removeAll();
  const ticket = (
    await ada.client.call(presignEducatorUpload, {
      params: { educatorId: ada.id },
      body: {
        fileName: 'a.png',
        fileSize: SAMPLES.png.length,
        contentType: 'image/png',
      },
    })
  ).data;
  const { method, headers } = ticket.instructions;
  await fetch(ticket.uploadUrl, { method, headers, body: new Uint8Array(SAMPLES.png) });
  assertInvalid(
    await eve.client.attempt(createStory, {
      params: { educatorId: eve.id },
      body: { ...IMAGE, mediaUrl: ticket.publicUrl },
    }),
  );
  const story = await publish(ada, { ...IMAGE, mediaUrl: ticket.publicUrl });
  assert.equal(Date.parse(story.expiresAt) - Date.parse(story.createdAt), 24 * HOUR_MS);
  assert.equal((await fetch(ticket.publicUrl)).status, 200);
  const left = Date.parse(story.expiresAt) - platform.clock.now();
  platform.clock.advance(left - 60_000);
  for (const member of [ada, ben]) await renew(member);
  assert.equal((await feed()).length, 1);
  platform.clock.advance(60_000);
  assert.deepEqual(await feed(), []);
  assert.deepEqual((await ben.client.call(listStories, { params: { educatorId: ada.id } })).data, []);
  assertRefused(await view(ben, story), storyNotFound);
  assertRefused(await ada.client.attempt(listStoryViewers, { params: { storyId: story.id } }), storyNotFound);
  await platform.platform.runJob('educators.remove-expired-stories');
  assert.equal(await platform.database.count('select count(*) from educators.story'), 0);
  await platform.platform.runJob('media.sweep');
  await until(async () => (await fetch(ticket.publicUrl)).status === 404, 'the end of the file');
});

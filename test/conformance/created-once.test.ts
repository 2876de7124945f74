// Part 3: an `Idempotency-Key` on every POST that creates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCommunity,
  createIndicator,
  createPost,
  createProduct,
  createWebhookEndpoint,
  enrollInCourse,
  joinCommunity,
  putQuiz,
} from '../../sdk/src/index.ts';
import { announce } from '../support/announcements.ts';
import { newRoom, say } from '../support/chatrooms.ts';
import type { Client } from '../support/client.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, newMember } = platform;
const ada = await newEducator(platform);
const eve = await newMember();
const { course, module, lessons } = await newCourse(platform, { owner: ada });
const lessonId = lessons[0].id;
const communityId = (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data.id;
await eve.client.call(joinCommunity, { params: { communityId } });
const post = async () =>
  (await ada.client.call(createPost, { params: { communityId }, body: { content: 'Gold!' } })).data.id;
const inAnHour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
await ada.client.call(putQuiz, {
  params: { lessonId },
  body: { passingScore: 50, questions: [{ text: 'Two?', options: ['1', '2'], correct: [1] }] },
});
await eve.client.call(enrollInCourse, { params: { courseId: course.id } });
const room = await newRoom(ada);
const product = async () =>
  (await admin.call(createProduct, { body: { name: 'A talk', productType: 'misc' } })).data.id;
const indicator = async () => (await admin.call(createIndicator, { body: { name: 'Trend' } })).data.id;

interface Creation {
  /** The table that counts what was created, perhaps with a condition. */
  table: string;
  by: Client;
  path: string;
  body?: object;
}

const made = (table: string, by: Client, path: string, body?: object): Creation => ({
  table,
  by,
  path,
  ...(body && { body }),
});

/** A request for each operation, by its id. */
const CREATIONS: Record<string, () => Promise<Creation> | Creation> = {
  createUser: () =>
    made('identity.user', admin, '/v1/admin/auth/users', {
      firstName: 'A',
      lastName: 'Friend',
      email: 'friend@example.com',
      password: 'correct horse 42',
    }),
  issueFundingKey: async () =>
    made('identity.funding_key', admin, `/v1/admin/auth/users/${(await newMember()).id}/funding-key`),
  recordPurchase: () =>
    made('identity.purchase', admin, `/v1/admin/auth/users/${eve.id}/purchases`, {
      sku: 'APP',
      product_name: 'The app',
      last_purchased_date: '2026-01-01',
    }),
  createChatroom: () => made('chat.room', eve.client, '/v1/chatrooms', { name: 'Oil', type: 'public' }),
  addChatroomMember: async () =>
    made('chat.member', ada.client, `/v1/chatrooms/${await newRoom(ada, 'private')}/members`, {
      userId: eve.id,
    }),
  sendChatMessage: () =>
    made('chat.message', eve.client, `/v1/chatrooms/${room}/messages`, { message: 'Good morning' }),
  reportChatMessage: async () =>
    made(
      'moderation.report',
      eve.client,
      `/v1/chatrooms/${room}/messages/${(await say(ada, room, 'Buy now!')).id}/report`,
      { reason: 'Spam' },
    ),
  report: async () =>
    made('moderation.report', eve.client, '/v1/reports', {
      kind: 'post',
      subjectId: await post(),
      reason: 'Spam',
    }),
  createCommunity: () => made('community.community', ada.client, '/v1/communities', { name: 'Energy' }),
  createPost: () =>
    made('community.post', eve.client, `/v1/communities/${communityId}/posts`, { content: 'Silver!' }),
  createComment: async () =>
    made('community.comment', eve.client, `/v1/posts/${await post()}/comments`, { content: 'Indeed' }),
  createCourse: () => made('education.course', ada.client, '/v1/courses', { title: 'Basics' }),
  createCourseModule: () =>
    made('education.module', ada.client, `/v1/courses/${course.id}/modules`, { title: 'More', order: 1 }),
  createLesson: () =>
    made('education.lesson', ada.client, '/v1/lessons', { moduleId: module.id, title: 'First', order: 1 }),
  attemptQuiz: () =>
    made('education.quiz_attempt', eve.client, `/v1/lessons/${lessonId}/quiz/attempts`, { answers: [[1]] }),
  enrollInCourse: async () =>
    made(
      'education.enrolment',
      eve.client,
      `/v1/courses/${(await newCourse(platform, { owner: ada })).course.id}/enroll`,
    ),
  followEducator: async () =>
    made('educators.follow', eve.client, `/v1/educators/${(await newEducator(platform)).id}/follow`),
  createAnnouncement: () =>
    made('educators.announcement', ada.client, `/v1/educators/${ada.id}/announcements`, {
      title: 'News',
      content: 'Today.',
    }),
  likeAnnouncement: async () =>
    made(
      'educators.announcement_like',
      eve.client,
      `/v1/educators/announcements/${(await announce(ada)).id}/like`,
    ),
  createAnnouncementComment: async () =>
    made(
      'educators.comment',
      eve.client,
      `/v1/educators/announcements/${(await announce(ada)).id}/comments`,
      { content: 'Indeed' },
    ),
  createStory: () =>
    made('educators.story', ada.client, `/v1/educators/${ada.id}/stories`, {
      mediaUrl: 'https://cdn.example.com/a.jpg',
      mediaType: 'image',
    }),
  createLivestream: () =>
    made('livestreams.livestream', ada.client, '/v1/livestreams', {
      title: 'Open hour',
      scheduledStart: inAnHour(1),
      scheduledEnd: inAnHour(2),
    }),
  createTrade: () =>
    made('trades.trade', eve.client, '/v1/trades', {
      symbol: 'XAUUSD',
      direction: 'long',
      entryPrice: 2_300.5,
    }),
  startWatchSession: () =>
    made('watching.session', eve.client, '/v1/watch-sessions', {
      contentType: 'livestream',
      contentId: course.id,
      platform: 'web',
    }),
  registerDevice: () =>
    made('notifications.device', eve.client, '/push-notifications/register', {
      token: `token-${Math.random()}`,
      platform: 'android',
    }),
  sendNotification: () =>
    made("notifications.notification where title = 'Once'", admin, '/v1/notifications/send', {
      userId: ada.id,
      type: 'welcome',
      title: 'Once',
      message: 'And no more.',
    }),
  testNotification: () =>
    made("notifications.notification where title like 'Test of%'", admin, '/v1/notifications/test', {
      channel: 'email',
      type: 'welcome',
    }),
  testWebhookEndpoint: async () => {
    const url = `${platform.sandboxUrl}/webhooks`;
    const { id } = (await admin.call(createWebhookEndpoint, { body: { url } })).data;
    const table = "kernel.audit_entry where action = 'webhook-endpoint.tested'";
    return { table, by: admin, path: `/v1/webhook-endpoints/${id}/test` };
  },
  sendBulkNotification: () => ({
    table: 'notifications.bulk',
    by: admin,
    path: '/v1/notifications/send-bulk',
    body: {
      userIds: [eve.id],
      notification: { type: 'welcome', title: 'Hello', message: 'There.' },
    },
  }),
  createProduct: () =>
    made('marketplace.product', admin, '/v1/streams/marketplace/products', {
      name: 'A book',
      productType: 'misc',
    }),
  submitAccessRequest: async () =>
    made('marketplace.access_request', eve.client, '/v1/streams/marketplace/access-requests', {
      productId: await product(),
      fullName: 'Eve Lang',
      email: eve.email,
    }),
  createIndicator: () => made('indicators.indicator', admin, '/v1/streams/scanners', { name: 'Momentum' }),
  grantIndicatorAccess: async () =>
    made('indicators.access', admin, `/v1/streams/scanners/${await indicator()}/access`, {
      userId: eve.id,
      chartingUsername: 'eve_lang',
    }),
};

/** What takes no key, and why. */
const WITHOUT_KEY: Record<string, string> = {
  signUp: 'nobody is signed in yet whose key it could be, and an address has one account',
  presignProductImage: 'a link that has expired would be answered again, and an unused one is harmless',
  presignEducatorUpload: 'as above',
};

/** Where the others that take a key are repeated under it. */
const TESTED_ELSEWHERE: Record<string, string[]> = {
  'test/conformance/idempotency.test.ts': [
    ...[
      'createWallet',
      'buyKeys',
      'transferKeys',
      'withdrawKeys',
      'createWalletAsAdmin',
      'fundWalletAsAdmin',
    ],
    ...['debitWallet', 'reverseTransaction', 'createApiKey', 'rollApiKey', 'setExchangeRate'],
  ],
  'src/modules/wallet/withdrawals/remaining-keys.test.ts': ['payOutRemainingKeys'],
  'src/modules/educators/tips/tips.test.ts': ['tipEducator'],
  'src/modules/webhooks/sending/sending.test.ts': ['createWebhookEndpoint'],
  'src/modules/identity/step-up/step-up.test.ts': ['enrollAuthenticator'],
  'nowhere: a challenge serves once, so that a repetition could not add another one': ['addPasskey'],
};

const countOf = async (table: string): Promise<number> =>
  (await database.all<{ count: number }>(`select count(*) from ${table}`))[0]?.count ?? 0;

test('every POST that creates accepts an Idempotency-Key, but for the named exceptions', () => {
  const creating = platform.platform.operations.filter(
    ({ id, method, success, deprecated }) =>
      method === 'POST' && (success.status === 201 || id in CREATIONS) && !deprecated,
  );
  const without = creating.filter(({ idempotent }) => !idempotent).map(({ id }) => id);
  assert.deepEqual(without.sort(), Object.keys(WITHOUT_KEY).sort());
  const keyed = creating.filter(({ idempotent }) => idempotent).map(({ id }) => id);
  assert.deepEqual(
    keyed.sort(),
    [...Object.keys(CREATIONS), ...Object.values(TESTED_ELSEWHERE).flat()].sort(),
  );
});

for (const [id, make] of Object.entries(CREATIONS))
  test(`${id}: requests under one key create once, and all are answered alike`, async () => {
    const operation = platform.platform.operations.find((one) => one.id === id);
    assert.ok(operation?.idempotent, `${id} takes no key`);
    const { table, by, path, body } = await make();
    const before = await countOf(table);
    const keyed = by.with({ 'idempotency-key': `once-${id}` });
    const answers = await Promise.all(Array.from({ length: 8 }, () => keyed.raw('POST', path, body)));
    const done = answers.filter(({ status }) => status !== 409);
    for (const { status, body } of answers)
      if (status === 409) assert.equal(body.error, 'REQUEST_IN_PROGRESS');
    done.push(await keyed.raw('POST', path, body));
    for (const { status, body } of done) {
      assert.equal(status, operation.success.status, JSON.stringify(body));
      assert.deepEqual([body.data, body.message], [done[0]?.body.data, done[0]?.body.message]);
    }
    assert.equal(done.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
    assert.equal(await countOf(table), before + 1);
    const other = await keyed.raw('POST', path, { ...body, reason: 'another request' });
    assert.ok(other.status === 422 || other.headers.get('idempotent-replayed') === 'true');
  });

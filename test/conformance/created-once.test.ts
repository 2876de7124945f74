// Part 3: an `Idempotency-Key` on every POST that creates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attemptQuiz,
  createCommunity,
  createCourseModule,
  createIndicator,
  createPost,
  createProduct,
  enrollInCourse,
  joinCommunity,
  putQuiz,
  sendChatMessage,
} from '../../sdk/src/index.ts';
import { digestOf } from '../../src/kernel/secrets.ts';
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

/** A request for each operation, by its id. */
const CREATIONS: Record<string, () => Promise<Creation> | Creation> = {
  createUser: () => ({
    table: 'identity.user',
    by: admin,
    path: '/v1/admin/auth/users',
    body: {
      firstName: 'A',
      lastName: 'Friend',
      email: 'friend@example.com',
      password: 'correct horse 42 staple',
    },
  }),
  issueFundingKey: async () => ({
    table: 'identity.funding_key',
    by: admin,
    path: `/v1/admin/auth/users/${(await newMember()).id}/funding-key`,
  }),
  recordPurchase: () => ({
    table: 'identity.purchase',
    by: admin,
    path: `/v1/admin/auth/users/${eve.id}/purchases`,
    body: { sku: 'APP', product_name: 'The app', last_purchased_date: '2026-01-01' },
  }),
  createChatroom: () => ({
    table: 'chat.room',
    by: eve.client,
    path: '/v1/chatrooms',
    body: { name: 'Oil', type: 'public' },
  }),
  addChatroomMember: async () => ({
    table: 'chat.member',
    by: ada.client,
    path: `/v1/chatrooms/${await newRoom(ada, 'private')}/members`,
    body: { userId: eve.id },
  }),
  sendChatMessage: () => ({
    table: 'chat.message',
    by: eve.client,
    path: `/v1/chatrooms/${room}/messages`,
    body: { message: 'Good morning' },
  }),
  reportChatMessage: async () => ({
    table: 'moderation.report',
    by: eve.client,
    path: `/v1/chatrooms/${room}/messages/${(await say(ada, room, 'Buy now!')).id}/report`,
    body: { reason: 'Spam' },
  }),
  report: async () => ({
    table: 'moderation.report',
    by: eve.client,
    path: '/v1/reports',
    body: { kind: 'post', subjectId: await post(), reason: 'Spam' },
  }),
  createCommunity: () => ({
    table: 'community.community',
    by: ada.client,
    path: '/v1/communities',
    body: { name: 'Energy' },
  }),
  createPost: () => ({
    table: 'community.post',
    by: eve.client,
    path: `/v1/communities/${communityId}/posts`,
    body: { content: 'Silver!' },
  }),
  createComment: async () => ({
    table: 'community.comment',
    by: eve.client,
    path: `/v1/posts/${await post()}/comments`,
    body: { content: 'Indeed' },
  }),
  createCourse: () => ({
    table: 'education.course',
    by: ada.client,
    path: '/v1/courses',
    body: { title: 'Basics' },
  }),
  createCourseModule: () => ({
    table: 'education.module',
    by: ada.client,
    path: `/v1/courses/${course.id}/modules`,
    body: { title: 'More', order: 1 },
  }),
  createLesson: () => ({
    table: 'education.lesson',
    by: ada.client,
    path: '/v1/lessons',
    body: { moduleId: module.id, title: 'First', order: 1 },
  }),
  attemptQuiz: () => ({
    table: 'education.quiz_attempt',
    by: eve.client,
    path: `/v1/lessons/${lessonId}/quiz/attempts`,
    body: { answers: [[1]] },
  }),
  enrollInCourse: async () => ({
    table: 'education.enrolment',
    by: eve.client,
    path: `/v1/courses/${(await newCourse(platform, { owner: ada })).course.id}/enroll`,
  }),
  followEducator: async () => ({
    table: 'educators.follow',
    by: eve.client,
    path: `/v1/educators/${(await newEducator(platform)).id}/follow`,
  }),
  createAnnouncement: () => ({
    table: 'educators.announcement',
    by: ada.client,
    path: `/v1/educators/${ada.id}/announcements`,
    body: { title: 'News', content: 'Today.' },
  }),
  likeAnnouncement: async () => ({
    table: 'educators.announcement_like',
    by: eve.client,
    path: `/v1/educators/announcements/${(await announce(ada)).id}/like`,
  }),
  createAnnouncementComment: async () => ({
    table: 'educators.comment',
    by: eve.client,
    path: `/v1/educators/announcements/${(await announce(ada)).id}/comments`,
    body: { content: 'Indeed' },
  }),
  createStory: () => ({
    table: 'educators.story',
    by: ada.client,
    path: `/v1/educators/${ada.id}/stories`,
    body: { mediaUrl: 'https://cdn.example.com/a.jpg', mediaType: 'image' },
  }),
  createLivestream: () => ({
    table: 'livestreams.livestream',
    by: ada.client,
    path: '/v1/livestreams',
    body: { title: 'Open hour', scheduledStart: inAnHour(1), scheduledEnd: inAnHour(2) },
  }),
  createTrade: () => ({
    table: 'trades.trade',
    by: eve.client,
    path: '/v1/trades',
    body: { symbol: 'XAUUSD', direction: 'long', entryPrice: 2_300.5 },
  }),
  startWatchSession: () => ({
    table: 'watching.session',
    by: eve.client,
    path: '/v1/watch-sessions',
    body: { contentType: 'livestream', contentId: course.id, platform: 'web' },
  }),
  registerDevice: () => ({
    table: 'notifications.device',
    by: eve.client,
    path: '/push-notifications/register',
    body: { token: `token-${Math.random()}`, platform: 'android' },
  }),
  sendNotification: () => ({
    table: "notifications.notification where title = 'Once'",
    by: admin,
    path: '/v1/notifications/send',
    body: { userId: ada.id, type: 'welcome', title: 'Once', message: 'And no more.' },
  }),
  sendBulkNotification: () => ({
    table: 'notifications.bulk',
    by: admin,
    path: '/v1/notifications/send-bulk',
    body: {
      userIds: [eve.id],
      notification: { type: 'welcome', title: 'Hello', message: 'There.' },
    },
  }),
  createProduct: () => ({
    table: 'marketplace.product',
    by: admin,
    path: '/v1/streams/marketplace/products',
    body: { name: 'A book', productType: 'misc' },
  }),
  submitAccessRequest: async () => ({
    table: 'marketplace.access_request',
    by: eve.client,
    path: '/v1/streams/marketplace/access-requests',
    body: { productId: await product(), fullName: 'Eve Lang', email: eve.email },
  }),
  createIndicator: () => ({
    table: 'indicators.indicator',
    by: admin,
    path: '/v1/streams/scanners',
    body: { name: 'Momentum' },
  }),
  grantIndicatorAccess: async () => ({
    table: 'indicators.access',
    by: admin,
    path: `/v1/streams/scanners/${await indicator()}/access`,
    body: { userId: eve.id, chartingUsername: 'eve_lang' },
  }),
};

/** What takes no key, and why. */
const WITHOUT_KEY: Record<string, string> = {
  signUp: 'nobody is signed in yet whose key it could be, and an address has one account',
  presignProductImage: 'a link that has expired would be answered again, and an unused one is harmless',
  presignEducatorUpload: 'as above',
};

const countOf = async (table: string): Promise<number> =>
  (await database.all<{ count: number }>(`select count(*) from ${table}`))[0]?.count ?? 0;

test('every POST that creates accepts an Idempotency-Key, but for the named exceptions', () => {
  const creating = platform.platform.operations.filter(
    ({ method, success, deprecated }) => method === 'POST' && success.status === 201 && !deprecated,
  );
  const without = creating.filter(({ idempotent }) => !idempotent).map(({ id }) => id);
  assert.deepEqual(without.sort(), Object.keys(WITHOUT_KEY).sort());
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
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual([body.data, body.message], [done[0]?.body.data, done[0]?.body.message]);
    }
    assert.equal(done.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
    assert.equal(await countOf(table), before + 1);
    const other = await keyed.raw('POST', path, { ...body, reason: 'another request' });
    assert.ok(other.status === 422 || other.headers.get('idempotent-replayed') === 'true');
  });

test('without a key the same request creates again', async () => {
  const before = await countOf('trades.trade');
  const { by, path, body } = await (CREATIONS.createTrade as () => Creation)();
  const [first, second] = [await by.raw('POST', path, body), await by.raw('POST', path, body)];
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.equal(await countOf('trades.trade'), before + 2);
});

test('a chat message is sent again under a key that is a day old, and another text under the key is refused before', async () => {
  const params = { chatroomId: room };
  const keyed = eve.client.with({ 'idempotency-key': 'chat-tomorrow' });
  const first = await keyed.call(sendChatMessage, { params, body: { message: 'Today' } });
  const reused = await keyed.attempt(sendChatMessage, { params, body: { message: 'Tomorrow' } });
  assert.deepEqual([reused.status, reused.body.error], [422, 'IDEMPOTENCY_KEY_REUSED']);
  await database.execute(
    `update kernel.idempotency_key set created_at = created_at - interval '25 hours' where key = 'chat-tomorrow'`,
  );
  const next = await keyed.call(sendChatMessage, { params, body: { message: 'Tomorrow' } });
  assert.notEqual(next.data.id, first.data.id);
  assert.equal(next.data.message, 'Tomorrow');
});

test('what is kept under a key is what was sent, and no digest that a password could be guessed from', async () => {
  const rows = await database.all<{ key: string; answer: { data?: Record<string, unknown> } }>(
    'select key, answer from kernel.idempotency_key',
  );
  const dataOf = (id: string) => rows.find(({ key }) => key === `once-${id}`)?.answer.data ?? {};
  assert.ok('id' in dataOf('report'));
  for (const hidden of ['text', 'authorId', 'reportedBy']) assert.ok(!(hidden in dataOf('report')), hidden);
  assert.ok(!('keys' in dataOf('registerDevice')));
  const { body } = await (CREATIONS.createUser as () => Creation)();
  const fields = JSON.stringify(Object.fromEntries(Object.entries(body as object).sort()));
  const guess = digestOf(`["createUser",{},{},${fields}]`);
  const [{ count } = { count: 1 }] = await database.all<{ count: number }>(
    'select count(*) from kernel.idempotency_key where fingerprint = $1',
    [guess],
  );
  assert.equal(count, 0);
});

test('an answer is sent again as it was, although the shape has gained a field since', async () => {
  const keyed = ada.client.with({ 'idempotency-key': 'former-shape' });
  const body = { name: 'Of a former version' };
  const { joined: _, ...former } = (await keyed.call(createCommunity, { body })).data;
  await database.execute(
    `update kernel.idempotency_key set answer = (answer::jsonb #- '{data,joined}')::json where key = 'former-shape'`,
  );
  // Not by the client of the tests, which compares answers with the shape of today.
  const headers = { ...keyed.headers, 'content-type': 'application/json' } as Record<string, string>;
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const again = await fetch(`${platform.url}/v1/communities`, request);
  const { data } = (await again.json()) as { data: unknown };
  assert.deepEqual([again.status, data], [201, former]);
});

test('what is wrong with a request today may be right tomorrow, under the same key', async () => {
  const keyed = eve.client.with({ 'idempotency-key': 'answers' });
  const attempt = () => keyed.attempt(attemptQuiz, { params: { lessonId }, body: { answers: [[1], [0]] } });
  assert.equal((await attempt()).status, 422);
  const question = { text: 'Two?', options: ['1', '2'], correct: [1] };
  const body = { passingScore: 50, questions: [question, question] };
  await ada.client.call(putQuiz, { params: { lessonId }, body });
  assert.equal((await attempt()).status, 201);
});

test('a module that was created first under a key is answered with the place that it had', async () => {
  const params = { courseId: course.id };
  const keyed = ada.client.with({ 'idempotency-key': 'placed' });
  const body = { title: 'Ahead', order: 1 };
  const { data: first } = await keyed.call(createCourseModule, { params, body });
  await ada.client.call(createCourseModule, { params, body: { title: 'Further ahead', order: 1 } });
  assert.deepEqual((await keyed.call(createCourseModule, { params, body })).data, first);
});

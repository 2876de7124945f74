// What is kept under an `Idempotency-Key`, for how long, and what of it is sent again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  attemptQuiz,
  blockMember,
  createCommunity,
  createCourseModule,
  createPost,
  createUser,
  enrollInCourse,
  joinCommunity,
  putQuiz,
  registerDevice,
  report,
  sendChatMessage,
  unblockMember,
} from '../../sdk/src/index.ts';
import { requestInProgress, userScope } from '../../src/kernel/records/idempotency.ts';
import { digestOf } from '../../src/kernel/secrets.ts';
import { newRoom } from '../support/chatrooms.ts';
import type { Client } from '../support/client.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import { holding } from '../support/holding.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const ada = await newEducator(platform);
const eve = await platform.newMember();
const { course, lessons } = await newCourse(platform, { owner: ada });
const lessonId = lessons[0].id;
const room = await newRoom(ada);
const withKey = (client: Client, key: string) => client.with({ 'idempotency-key': key });

/** Returns what is kept under a key. */
async function kept(key: string): Promise<Record<string, unknown>> {
  const [row] = await database.all<{ answer: { data: Record<string, unknown> } }>(
    'select answer from kernel.idempotency_key where key = $1',
    [key],
  );
  assert.ok(row, `nothing is kept under ${key}`);
  return row.answer.data;
}

/** Returns the subscription of a browser at the stand-in of a push service. */
async function newBrowser(): Promise<{ endpoint: string; keys: { p256dh: string; auth: string } }> {
  const response = await fetch(`${platform.sandboxUrl}/control/web-push`, { method: 'POST' });
  return (await response.json()) as Awaited<ReturnType<typeof newBrowser>>;
}

test('without a key the same request creates again', async () => {
  const create = () => ada.client.call(createCommunity, { body: { name: 'Twice' } });
  const [first, second] = [await create(), await create()];
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.notEqual(first.data.id, second.data.id);
});

test('a chat message is sent again under a key that is a day old, and another text under the key is refused before', async () => {
  const params = { chatroomId: room };
  const keyed = withKey(eve.client, 'chat-tomorrow');
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

test('of an answer, what was sent is kept: neither a copy of what somebody else wrote nor the keys of a browser', async () => {
  const params = {
    communityId: (await ada.client.call(createCommunity, { body: { name: 'Talk' } })).data.id,
  };
  await eve.client.call(joinCommunity, { params });
  const { id } = (await ada.client.call(createPost, { params, body: { content: 'Buy now!' } })).data;
  const body = { kind: 'post', subjectId: id, reason: 'Spam' } as const;
  const sent = await withKey(eve.client, 'reported').call(report, { body });
  assert.deepEqual(await kept('reported'), sent.data);
  for (const hidden of ['text', 'authorId', 'reportedBy']) assert.ok(!(hidden in sent.data), hidden);

  const subscription = await newBrowser();
  const device = { body: { platform: 'web', subscription } } as const;
  const registered = await withKey(eve.client, 'browser').call(registerDevice, device);
  assert.deepEqual(await kept('browser'), registered.data);
  assert.ok(!JSON.stringify(registered.data).includes(subscription.keys.auth));
});

test('a password could not be guessed from what is kept of a request', async () => {
  /** Counts the rows whose fingerprint is the plain digest of a request with this body, as somebody would guess it. */
  const guessed = (operation: string, body: object) => {
    const sorted = JSON.stringify(Object.fromEntries(Object.entries(body).sort()));
    const digest = digestOf(`["${operation}",{},{},${sorted}]`);
    return database.count('select count(*) from kernel.idempotency_key where fingerprint = $1', [digest]);
  };
  const community = { name: 'Silver', description: '' };
  await withKey(ada.client, 'plain').call(createCommunity, { body: community });
  assert.equal(await guessed('createCommunity', community), 1, 'this is how one would guess');
  const user = {
    firstName: 'A',
    lastName: 'Friend',
    email: 'friend@example.com',
    password: 'correct horse 42',
  };
  await withKey(admin, 'secret').call(createUser, { body: user });
  assert.equal((await kept('secret')).email, user.email);
  assert.equal(await guessed('createUser', user), 0);
});

test('an answer is sent again as it was, although the shape has gained a field since', async () => {
  const keyed = withKey(ada.client, 'former-shape');
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
  const keyed = withKey(eve.client, 'answers');
  const question = { text: 'Two?', options: ['1', '2'], correct: [1] };
  const setQuiz = (...questions: (typeof question)[]) =>
    ada.client.call(putQuiz, { params: { lessonId }, body: { passingScore: 50, questions } });
  await setQuiz(question);
  await eve.client.call(enrollInCourse, { params: { courseId: course.id } });
  const attempt = () => keyed.attempt(attemptQuiz, { params: { lessonId }, body: { answers: [[1], [0]] } });
  assert.equal((await attempt()).status, 422);
  await setQuiz(question, question);
  assert.equal((await attempt()).status, 201);
});

test('what is wrong with the registration of a browser can be corrected under its key', async () => {
  const keyed = withKey(eve.client, 'corrected-browser');
  const subscription = await newBrowser();
  const register = (browser: object) =>
    keyed.raw('POST', '/push-notifications/register', { platform: 'web', subscription: browser });
  const unknown = { ...subscription, endpoint: 'https://unknown.example.com/x' };
  for (const [browser, status] of [
    [unknown, 422],
    [unknown, 422],
    [subscription, 201],
  ] as const)
    assert.equal((await register(browser)).status, status);
});

test('a module that was created first under a key is answered with the place that it had', async () => {
  const params = { courseId: course.id };
  const keyed = withKey(ada.client, 'placed');
  const body = { title: 'Ahead', order: 1 };
  const { data: first } = await keyed.call(createCourseModule, { params, body });
  await ada.client.call(createCourseModule, { params, body: { title: 'Further ahead', order: 1 } });
  assert.deepEqual((await keyed.call(createCourseModule, { params, body })).data, first);
});

test('while a request that is idempotent by nature takes effect, no other can have its key in another process', async () => {
  const chatroomId = await newRoom(ada, 'private');
  const lockers = `select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
  const requests: Promise<{ status: number }>[] = [];
  const saved = await holding(database, async (tx) => {
    await tx.all('select id from chat.room where id = $1 for update', [chatroomId]);
    const keyed = withKey(ada.client, 'key-of-two');
    requests.push(keyed.attempt(addChatroomMember, { params: { chatroomId }, body: { userId: eve.id } }));
    await until(async () => (await database.count(lockers)) > 0, 'the request at the lock');
    // As the other process saves the answer of another request.
    return database.execute(
      `insert into kernel.idempotency_key (scope, key, fingerprint, answer, created_at)
       values ($1, 'key-of-two', 'another request', '{}', now()) on conflict do nothing`,
      [userScope(ada.id)],
    );
  });
  assert.deepEqual([saved, (await requests[0])?.status], [0, 201]);
});

test('a claim is what an earlier release, to which operators may go back, answers as a request that is still running', async () => {
  const chatroomId = await newRoom(ada, 'private');
  await eve.client.call(blockMember, { params: { userId: ada.id } });
  const keyed = withKey(ada.client, 'refused-after-the-claim');
  const add = (userId: string) =>
    keyed.attempt(addChatroomMember, { params: { chatroomId }, body: { userId } });
  assert.equal((await add(eve.id)).status, 403);
  const claim = await database.first<{ answer: unknown }>(
    `select answer from kernel.idempotency_key where key = 'refused-after-the-claim'`,
  );
  const { status, code, message } = requestInProgress();
  assert.deepEqual(claim?.answer, { refusal: { status, code, message, details: {} }, isClaim: true });
  assert.equal((await add(ada.id)).status, 422, 'the key belongs to the other request');
  await eve.client.call(unblockMember, { params: { userId: ada.id } });
  assert.equal((await add(eve.id)).status, 201);
});

// The declarations of notices, and the notifications that result.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import {
  blockMember,
  createComment,
  createCommunity,
  createLesson,
  createPost,
  enrollInCourse,
  joinCommunity,
  listNotifications,
  sendNotification,
} from '../../../sdk/src/index.ts';
import { newCourse } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Event, eventKind } from '../../kernel/messaging/events.ts';
import { ALERT, IsQuiet, type Notice, notice, noticeAction, REMINDER } from './contract.ts';
import { noticeSubscriptions } from './notices.ts';
import { vocabularyOf } from './vocabulary.model.ts';

const platform = await startPlatform({ LOG_LEVEL: 'error' });

const happened = eventKind('test.happened', {
  version: 1,
  data: Type.Object({ thingId: Type.String(), isQuiet: IsQuiet }),
});
const openThing = noticeAction('open-thing', {
  opens: 'the thing',
  path: '/v1/things/{thingId}',
  ids: ['thingId'],
});
const eventOf = (thingId: string, isQuiet = false): Event<object> => ({
  id: `event-${thingId}`,
  name: happened.name,
  version: 1,
  occurredAt: '',
  data: { thingId, isQuiet },
});

/** Delivers events to a notice and returns the resulting notifications. */
async function deliver(one: Notice, events: Event<object>[]): Promise<unknown[]> {
  const sent: unknown[] = [];
  const notify = async (_tx: Transaction, all: unknown[]) => {
    sent.push(...all);
    return [];
  };
  const [subscription] = noticeSubscriptions([one], { notify, notifyTopics: async () => undefined });
  await subscription?.handle?.(events, {} as Transaction);
  return sent;
}

test("a batch of events is read by one query, and events beyond their author's limit are left out", async () => {
  const reads: unknown[] = [];
  const reading = notice(happened, {
    type: REMINDER,
    action: openThing,
    read: async (all) => {
      reads.push(all.map(({ thingId }) => thingId));
      return new Map([
        ['a', 'Alpha'],
        ['c', 'Gamma'],
      ]);
    },
    write: ({ thingId }, names) => {
      const title = names.get(thingId);
      return title ? [{ to: 'ada', title, message: '', ids: { thingId } }] : [];
    },
  });
  const sent = await deliver(reading, [eventOf('a'), eventOf('b'), eventOf('q', true), eventOf('c')]);
  assert.deepEqual(reads, [['a', 'b', 'c']]);
  const expected = (thingId: string, title: string) => ({
    to: 'ada',
    userId: 'ada',
    title,
    message: '',
    type: 'reminder',
    metadata: { thingId, action: 'open-thing' },
    subject: `test.happened:event-${thingId}`,
  });
  assert.deepEqual(sent, [expected('a', 'Alpha'), expected('c', 'Gamma')]);
  assert.deepEqual(await deliver(reading, [eventOf('q', true)]), []);
  assert.equal(reads.length, 1, 'nothing is read for quiet events');
});

test('a notice cannot omit an id of its action, nor write another action', async () => {
  const message = { to: 'ada', title: 'A thing', message: '' };
  // @ts-expect-error: the action promises an id
  const without = notice(happened, { type: REMINDER, action: openThing, write: () => [message] });
  await assert.rejects(
    deliver(without, [eventOf('a')]),
    /test.happened lacks thingId of the action open-thing/,
  );
  const other = notice(happened, {
    type: REMINDER,
    action: openThing,
    // @ts-expect-error: another id
    write: () => [{ ...message, ids: { otherId: 'a' } }],
  });
  await assert.rejects(deliver(other, [eventOf('a')]), /lacks thingId/);
  const overwriting = notice(happened, {
    type: REMINDER,
    action: openThing,
    write: () => [{ ...message, ids: { thingId: 'a' }, details: { action: 'open-other', thingId: 'b' } }],
  });
  const [sent] = (await deliver(overwriting, [eventOf('a')])) as [{ metadata: object }];
  assert.deepEqual(sent.metadata, { action: 'open-thing', thingId: 'a' });
});

test('one name for two types, or for two actions, is refused', () => {
  const declare = (parts: Pick<Notice, 'type'> & { action?: Notice['action'] }): Notice => ({
    kind: happened,
    write: () => [],
    action: undefined,
    ...parts,
  });
  assert.throws(() => vocabularyOf([declare({ type: { ...ALERT, priority: 'low' } })]), /called alert/);
  const twin = noticeAction('open-thing', { opens: 'something else', path: '/v1/things' });
  const both = [declare({ type: ALERT, action: openThing }), declare({ type: ALERT, action: twin })];
  assert.throws(() => vocabularyOf(both), /called open-thing/);
});

const { admin, newMember } = platform;
const repliesTo = async ({ client }: Member) =>
  (await client.call(listNotifications, { query: { type: 'comment_reply' } })).data;

test('administrators send the listed actions, with their ids and further fields', async () => {
  const { id: userId } = await newMember();
  const message = { userId, type: 'reminder', title: 'Soon', message: 'It begins.' } as const;
  const send = (metadata: object) => admin.raw('POST', '/v1/notifications/send', { ...message, metadata });
  const sendAll = (metadata: object) =>
    admin.raw('POST', '/v1/notifications/send-bulk', {
      userIds: [userId],
      notification: { ...message, metadata },
    });
  const full = { action: 'open-lesson', courseId: userId, lessonId: userId, campaign: 'spring' };
  for (const metadata of [full, { campaign: 'spring' }, { action: 'open-notifications' }, {}])
    assert.equal((await send(metadata)).status, 201);
  assert.equal((await sendAll(full)).status, 201);
  const fields = async (answer: ReturnType<typeof send>) => {
    const { status, body } = await answer;
    assert.equal(status, 422);
    return body.errors?.map(({ field }) => field);
  };
  assert.deepEqual(await fields(send({ action: 'open-gossip' })), ['metadata.action']);
  assert.deepEqual(await fields(send({ ...full, lessonId: undefined })), ['metadata.lessonId']);
  assert.deepEqual(await fields(send({ action: 'open-lesson' })), ['metadata.courseId', 'metadata.lessonId']);
  assert.deepEqual(await fields(send({ ...full, lessonId: null })), ['metadata.lessonId']);
  assert.deepEqual(await fields(send({ ...full, lessonId: 7 })), ['metadata.lessonId']);
  assert.deepEqual(await fields(sendAll({ action: 'open-lesson', courseId: 'x' })), [
    'notification.metadata.lessonId',
  ]);
  const untitled = { ...message, title: undefined, metadata: { action: 'open-lesson', courseId: 'x' } };
  for (const [path, body, found] of [
    ['send', untitled, ['title', 'metadata.lessonId']],
    [
      'send-bulk',
      { userIds: [], notification: { ...untitled, title: 'Soon' } },
      ['userIds', 'notification.metadata.lessonId'],
    ],
  ] as const)
    assert.deepEqual(await fields(admin.raw('POST', `/v1/notifications/${path}`, body)), found);
  for (const action of [7, ['open-lesson'], 'constructor', '__proto__', ''])
    assertInvalid(await send({ action }));
  await admin.call(sendNotification, { body: { ...message, metadata: { icon: 'a', badge: 3 } } });
});

test('a member is not notified of a comment by somebody whom they have blocked meanwhile', async () => {
  const [ada, ben, cat] = [await newMember(), await newMember(), await newMember()];
  const { data: community } = await admin.call(createCommunity, { body: { name: 'All' } });
  for (const { client } of [ada, ben, cat])
    await client.call(joinCommunity, { params: { communityId: community.id } });
  const params = { communityId: community.id };
  const { data: post } = await ada.client.call(createPost, { params, body: { content: 'Hello' } });
  const comment = ({ client }: Member, content: string) =>
    client.call(createComment, { params: { postId: post.id }, body: { content } });
  const { data: late } = await comment(ben, 'Before the block');
  await until(async () => (await repliesTo(ada)).length === 1, 'the first notification');
  await ada.client.call(blockMember, { params: { userId: ben.id } });
  // Another event of the comment, as if the relay had been late with it.
  const event = {
    id: 'f'.repeat(24),
    name: 'community.post-commented',
    version: 2,
    occurredAt: new Date().toISOString(),
    data: { postId: post.id, postUserId: ada.id, commentId: late.id, userId: ben.id, isQuiet: false },
  };
  await platform.database.execute('insert into kernel.outbox (event, events) values ($1, $2)', [
    event.name,
    JSON.stringify([event]),
  ]);
  await comment(cat, 'Another');
  await until(async () => (await repliesTo(ada)).length === 2, 'the notification of the other comment');
  await until(
    async () =>
      (await platform.database.count(
        "select (select count(*) from kernel.outbox) + (select count(*) from jobs.job where name like 'on.community.%' and state <> 'completed')",
      )) === 0,
    'all events to be delivered',
  );
  assert.deepEqual(
    (await repliesTo(ada)).map(({ message }) => message),
    ['Another', 'Before the block'],
  );
});

test('students who blocked the owner of a course are not notified of its lessons', async () => {
  const { owner, course, module } = await newCourse(platform);
  const [ada, ben] = [await newMember(), await newMember()];
  for (const { client } of [ada, ben]) await client.call(enrollInCourse, { params: { courseId: course.id } });
  await ada.client.call(blockMember, { params: { userId: owner.id } });
  await owner.client.call(createLesson, {
    body: { moduleId: module.id, title: 'Addressed to you', status: 'published' },
  });
  const toldTo = async ({ client }: Member) =>
    (await client.call(listNotifications, { query: { type: 'course_update' } })).data.map(
      ({ message }) => message,
    );
  await until(
    async () => (await toldTo(ben)).includes('Addressed to you'),
    'the other student to be notified',
  );
  assert.deepEqual(await toldTo(ada), []);
});

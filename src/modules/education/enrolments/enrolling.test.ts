// Enrolling, leaving and what a student sees of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLesson,
  deleteCourse,
  deleteCourseRating,
  enrollInCourse,
  getBalance,
  getCourse,
  leaveCourse,
  listCourses,
  listEnrolledCourses,
  listNotifications,
  listTransactions,
  rateCourse,
  setExchangeRate,
  updateCourse,
} from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { settled } from '../../../../test/support/events.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientBalance, noExchangeRate } from '../../wallet/contract.ts';
import { courseNotFound, topicOfCourse } from '../contract.ts';
import { courseNotOpen, notEnrolled, priceChanged } from '../failures.ts';

const platform = await startPlatform();
const { admin, database } = platform;

type Client = Pick<Member, 'client'>;
const enrol = ({ client }: Client, courseId: string, maxKeys?: number) =>
  client.attempt(enrollInCourse, { params: { courseId }, query: maxKeys === undefined ? {} : { maxKeys } });
const leave = ({ client }: Client, courseId: string) => client.attempt(leaveCourse, { params: { courseId } });
const setStatus = ({ client }: Client, courseId: string, status: 'draft' | 'published' | 'archived') =>
  client.call(updateCourse, { params: { courseId }, body: { status } });
const balanceOf = async ({ client }: Client) => (await client.call(getBalance)).data.balance;
const enrolledIn = async ({ client }: Client) =>
  (await client.call(listEnrolledCourses)).data.map(({ id }) => id);
const subscribersOf = async (courseId: string) =>
  (
    await database.all<{ userId: string }>(
      'select user_id from notifications.topic_subscription where topic = $1 order by 1',
      [topicOfCourse(courseId)],
    )
  ).map(({ userId }) => userId);

test('only who is enrolled leaves a course, once', async () => {
  const { course } = await newCourse(platform);
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  await enrol(ben, course.id);
  assertRefused(await leave(ada, course.id), notEnrolled, 'never enrolled');
  await enrol(ada, course.id);
  const { status, data } = await leave(ada, course.id);
  assert.deepEqual([status, data?.courseId], [200, course.id]);
  assertRefused(await leave(ada, course.id), notEnrolled, 'left before');
  const { enrolledCount } = (await ben.client.call(getCourse, { params: { courseId: course.id } })).data;
  assert.equal(enrolledCount, 1, 'another student stays');
  assert.deepEqual([await enrolledIn(ada), await enrolledIn(ben)], [[], [course.id]]);
});

test('who leaves a course is no longer notified of its lessons, and others are', async () => {
  const { owner, course, module } = await newCourse(platform);
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  for (const one of [ada, ben]) await enrol(one, course.id);
  await leave(ada, course.id);
  assert.deepEqual(await subscribersOf(course.id), [ben.id]);
  await owner.client.call(createLesson, {
    body: { moduleId: module.id, title: 'Offers', status: 'published' },
  });
  const noticesOf = async ({ client }: Client) =>
    (await client.call(listNotifications, { query: { type: 'course_update' } })).data.length;
  await until(async () => (await noticesOf(ben)) === 1, 'the notification');
  await settled(database);
  assert.equal(await noticesOf(ada), 0);
});

test('a member is subscribed as soon as the enrolment is answered, so that the next lesson is announced to them', async () => {
  const { course } = await newCourse(platform, { course: { price: 1 } });
  const [ada, ben] = [await platform.newMemberWith(1), await platform.newMemberWith(2)];
  for (const one of [ada, ben]) {
    await enrol(one, course.id);
    assert.ok((await subscribersOf(course.id)).includes(one.id), 'a paid enrolment');
  }
  await leave(ben, course.id);
  await enrol(ben, course.id);
  assert.deepEqual(await subscribersOf(course.id), [ada.id, ben.id], 'enrolled again');
});

test('a member who leaves at once is not subscribed', async () => {
  const { course } = await newCourse(platform);
  const ada = await platform.newMember();
  await enrol(ada, course.id);
  await leave(ada, course.id);
  await settled(database);
  assert.deepEqual(await subscribersOf(course.id), []);
});

test('the repair job removes subscriptions of members who have left, however many there are', async () => {
  const [{ course }, { course: other }] = [await newCourse(platform), await newCourse(platform)];
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  await enrol(ada, course.id);
  await enrol(ben, other.id);
  // More than are looked at in one step, in two courses.
  for (const [id, from] of [
    [course.id, 1],
    [other.id, 501],
  ] as const) {
    await database.execute(
      `insert into education.enrolment (course_id, user_id, enrolled_at, left_at)
       select $1, 'f' || lpad(to_hex(n), 23, '0'), now(), now() from generate_series($2::int, $2::int + 499) n`,
      [id, from],
    );
    await database.execute(
      `insert into notifications.topic_subscription (topic, user_id, created_at)
       select $1, 'f' || lpad(to_hex(n), 23, '0'), now() from generate_series($2::int, $2::int + 499) n`,
      [topicOfCourse(id), from],
    );
  }
  await platform.platform.runJob('education.repair');
  assert.deepEqual(await subscribersOf(course.id), [ada.id]);
  assert.deepEqual(await subscribersOf(other.id), [ben.id]);
});

test('a course costs at most what the member agreed to, and is free for those who manage it', async () => {
  const { owner, course } = await newCourse(platform, { course: { price: 10 } });
  const ada = await platform.newMemberWith(20);
  const params = { courseId: course.id };
  const inBody = await ada.client.attempt(enrollInCourse, { params, body: { maxKeys: 9 } });
  assertRefused(inBody, () => priceChanged(10));
  const dearer = await enrol(ada, course.id, 9);
  assertRefused(dearer, () => priceChanged(10));
  assert.equal((dearer.body.meta as { priceKeys?: number }).priceKeys, 10);
  assert.equal(await balanceOf(ada), 20);
  for (const manager of [owner, { client: admin }]) {
    const enrolled = await enrol(manager, course.id, 0);
    assert.deepEqual(
      [enrolled.status, enrolled.data?.paidKeys, enrolled.data?.transactionId],
      [201, 0, null],
    );
  }
  const enrolled = await enrol(ada, course.id, 10);
  assert.deepEqual([enrolled.status, enrolled.data?.paidKeys], [201, 10]);
  const [payment] = (await ada.client.call(listTransactions)).data;
  assert.deepEqual([payment?.description, payment?.metadata], [course.title, { courseId: course.id }]);
  assert.equal((await enrol(ada, course.id, 0)).status, 200, 'they are enrolled already');
  await leave(ada, course.id);
  const back = await enrol(ada, course.id, 0);
  assert.deepEqual([back.status, back.data?.paidKeys], [201, 10], 'what was paid once counts');
  assert.equal(back.data?.transactionId, enrolled.data?.transactionId);
});

test('a course in money says what it costs in Keys, and costs that', async () => {
  await admin.call(setExchangeRate, { body: { rate: 1.5, currency: 'CHF' } });
  const { course } = await newCourse(platform, { course: { price: 10, currency: 'CHF' } });
  const ada = await platform.newMemberWith(20);
  const { priceKeys } = (await ada.client.call(getCourse, { params: { courseId: course.id } })).data;
  assert.equal(priceKeys, 7, 'rounded up');
  assert.equal((await enrol(ada, course.id, 7)).data?.paidKeys, 7);
});

test('lists of courses say what each costs in Keys, and null without a rate', async () => {
  await admin.call(setExchangeRate, { body: { rate: 3, currency: 'DKK' } });
  const owner = await newEducator(platform);
  const ada = await platform.newMember();
  const expected = [];
  for (const [price, currency, priceKeys] of [
    [10, 'Keys', 10],
    [10, 'DKK', 4],
    [10, 'HUF', null],
    [0, 'DKK', 0],
  ] as const) {
    const { course } = await newCourse(platform, { owner, course: { price, currency } });
    expected.unshift([course.id, priceKeys]);
    assert.equal(course.priceKeys, priceKeys);
    if (priceKeys === 0) await enrol(ada, course.id);
  }
  const query = { instructorId: owner.id };
  const { data } = await ada.client.call(listCourses, { query });
  assert.deepEqual(
    data.map(({ id, priceKeys }) => [id, priceKeys]),
    expected,
  );
  const enrolled = (await ada.client.call(listEnrolledCourses)).data;
  assert.deepEqual(
    enrolled.map(({ priceKeys }) => priceKeys),
    [0],
  );
});

test('a price in a currency without a rate, or beyond all Keys, cannot be paid', async () => {
  const ada = await platform.newMemberWith(20);
  const { course } = await newCourse(platform, { course: { price: 5, currency: 'GBP' } });
  const priceOf = async (courseId: string) =>
    (await ada.client.call(getCourse, { params: { courseId } })).data.priceKeys;
  assertRefused(await enrol(ada, course.id), noExchangeRate);
  assert.equal(await priceOf(course.id), null);
  await admin.call(setExchangeRate, { body: { rate: 1e-10, currency: 'GBP' } });
  assertRefused(await enrol(ada, course.id), insufficientBalance, '50 thousand million Keys');
  const { course: dear } = await newCourse(platform, { course: { price: 1_000_000, currency: 'GBP' } });
  assertRefused(await enrol(ada, dear.id), insufficientBalance, 'more Keys than can be counted');
  assert.equal(await balanceOf(ada), 20);
});

test('a free course in a currency without a rate costs no Keys, and can be joined', async () => {
  const ada = await platform.newMember();
  const { course } = await newCourse(platform, { course: { price: 0, currency: 'CHF' } });
  const params = { courseId: course.id };
  assert.equal((await ada.client.call(getCourse, { params })).data.priceKeys, 0);
  assert.equal((await enrol(ada, course.id)).status, 201);
});

test('drafts and archived courses take nobody in, and keep their students', async () => {
  const { owner, course } = await newCourse(platform);
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  await enrol(ada, course.id);
  await setStatus(owner, course.id, 'archived');
  assertRefused(await enrol(ben, course.id), courseNotFound);
  assert.equal((await enrol(ada, course.id)).status, 200);
  assertRefused(await enrol(owner, course.id), courseNotOpen);
  assert.deepEqual(await enrolledIn(ada), [course.id]);
  await setStatus(owner, course.id, 'draft');
  assertRefused(await enrol(ben, course.id), courseNotFound);
  assert.deepEqual(await enrolledIn(ada), [], 'a draft is not listed');
  assert.equal((await leave(ada, course.id)).status, 200, 'and can be left');
  assertRefused(await enrol(ada, course.id), courseNotFound, 'its former students, too');
});

test('who left a priced course returns for free once it is archived, and may take back what they said of it', async () => {
  const { owner, course } = await newCourse(platform, { course: { price: 10 } });
  const params = { courseId: course.id };
  const ada = await platform.newMemberWith(10);
  await enrol(ada, course.id);
  await ada.client.call(rateCourse, { params, body: { rating: 1, review: 'In anger' } });
  await leave(ada, course.id);
  await owner.client.call(deleteCourse, { params });
  assertRefused(await ada.client.attempt(deleteCourseRating, { params }), courseNotFound);
  const { status, data } = await enrol(ada, course.id);
  assert.deepEqual([status, data?.paidKeys], [201, 10], 'nothing is added to what they paid');
  assert.equal((await ada.client.attempt(deleteCourseRating, { params })).status, 200);
});

test('enrolments are listed newest first, with drafts of the member and, to administrators, of all', async () => {
  const { owner, course: own } = await newCourse(platform);
  const others = [(await newCourse(platform)).course, (await newCourse(platform)).course];
  await enrol(owner, own.id);
  for (const { id } of others) {
    platform.clock.advance(1_000);
    await enrol(owner, id);
    await enrol({ client: admin }, id);
  }
  const [older, newer] = others.map(({ id }) => id) as [string, string];
  assert.deepEqual(await enrolledIn(owner), [newer, older, own.id]);
  await setStatus({ client: admin }, newer, 'draft');
  await setStatus(owner, own.id, 'draft');
  assert.deepEqual(await enrolledIn(owner), [older, own.id]);
  assert.deepEqual((await enrolledIn({ client: admin })).slice(0, 2), [newer, older]);
  const { data, body } = await owner.client.call(listEnrolledCourses, { query: { limit: 1, page: 2 } });
  assert.deepEqual([data.map(({ id }) => id), body.pagination.total], [[own.id], 2]);
});

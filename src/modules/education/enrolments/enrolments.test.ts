import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLesson,
  deleteUser,
  enrollInCourse,
  getBalance,
  getCourse,
  getCourseProgress,
  leaveCourse,
  listLessons,
  listNotifications,
  listTransactions,
  rateCourse,
  setExchangeRate,
  updateLesson,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { notEnrolled } from '../failures.ts';

const platform = await startPlatform();
const { admin, database } = platform;

const balanceOf = async ({ client }: Member): Promise<number> => (await client.call(getBalance)).data.balance;
const enrol = ({ client }: Member, courseId: string) =>
  client.attempt(enrollInCourse, { params: { courseId } });
const countEnrolled = async ({ client }: Member, courseId: string): Promise<number> =>
  (await client.call(getCourse, { params: { courseId } })).data.enrolledCount;

test('a priced course is paid once from the wallet of the student to that of the instructor', async () => {
  const { owner, course } = await newCourse(platform, { course: { price: 25 } });
  const member = await platform.newMemberWith(100);
  const first = await enrol(member, course.id);
  assert.deepEqual([first.status, first.data?.paidKeys], [201, 25]);
  const again = await enrol(member, course.id);
  assert.deepEqual([again.status, again.data?.transactionId], [200, first.data?.transactionId]);
  assert.deepEqual([await balanceOf(member), await balanceOf(owner)], [75, 25]);
  const [newest] = (await owner.client.call(listTransactions)).data;
  assert.deepEqual(
    [newest?.metadata.courseId, newest?.transactionId],
    [course.id, first.data?.transactionId],
  );
});

test('a student who paid leaves a course and comes back without paying again', async () => {
  const { course } = await newCourse(platform, { course: { price: 25 } });
  const member = await platform.newMemberWith(100);
  await enrol(member, course.id);
  assert.equal(await countEnrolled(member, course.id), 1);
  await member.client.call(leaveCourse, { params: { courseId: course.id } });
  assert.equal(await countEnrolled(member, course.id), 0);
  const back = await enrol(member, course.id);
  assert.deepEqual([back.status, await balanceOf(member)], [201, 75]);
});

test('enrolment without enough Keys or a wallet is refused without effect', async () => {
  const { owner, course } = await newCourse(platform, { course: { price: 25 } });
  const [poor, none] = [await platform.newMemberWith(24), await platform.newMember()];
  assert.deepEqual(
    [await enrol(poor, course.id), await enrol(none, course.id)].map(({ status, body }) => [
      status,
      body.message,
    ]),
    [
      [400, 'Insufficient balance'],
      [404, 'Wallet not found'],
    ],
  );
  assertRefused(
    await poor.client.attempt(getCourseProgress, { params: { courseId: course.id } }),
    notEnrolled,
  );
  assert.equal((await enrol(owner, course.id)).data?.paidKeys, 0);
  assert.equal((await admin.call(enrollInCourse, { params: { courseId: course.id } })).data.paidKeys, 0);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('twenty concurrent enrolments pay once', async () => {
  const { owner, course } = await newCourse(platform, { course: { price: 10 } });
  const member = await platform.newMemberWith(100);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => untilAvailable(() => enrol(member, course.id))),
  );
  assert.ok(answers.every(({ status }) => status === 200 || status === 201));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.deepEqual([await balanceOf(member), await balanceOf(owner)], [90, 10]);
  assert.equal(await countEnrolled(member, course.id), 1);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('a price in money is converted at the current rate, rounded up to whole Keys', async () => {
  await admin.call(setExchangeRate, { body: { rate: 0.3, currency: 'USD' } });
  const { course } = await newCourse(platform, { course: { price: 1, currency: 'USD' } });
  const member = await platform.newMemberWith(10);
  assert.equal((await enrol(member, course.id)).data?.paidKeys, 4, '1.00 at 0.30 is 3.33');
  await admin.call(setExchangeRate, { body: { rate: 1, currency: 'USD' } });
});

test('files of a priced course are for its students, those of previews for everybody', async () => {
  const lesson = {
    downloadUrl: 'https://example.com/a.zip',
    resources: [{ url: 'https://example.com/a.pdf', type: 'pdf' as const }],
  };
  const { owner, course, module, lessons } = await newCourse(platform, { course: { price: 5 }, lesson });
  const [stranger, student] = [await platform.newMember(), await platform.newMemberWith(5)];
  await enrol(student, course.id);
  const seenBy = async ({ client }: Pick<Member, 'client'>) => {
    const [only] = (await client.call(listLessons, { query: { moduleId: module.id } })).data;
    return [only?.downloadUrl, only?.resources.length];
  };
  assert.deepEqual(await seenBy(stranger), [null, 0]);
  for (const one of [student, owner, { client: admin }])
    assert.deepEqual(await seenBy(one), [lesson.downloadUrl, 1]);
  await owner.client.call(updateLesson, { params: { lessonId: lessons[0]?.id }, body: { preview: true } });
  assert.deepEqual(await seenBy(stranger), [lesson.downloadUrl, 1]);
});

test('students are notified of a new lesson', async () => {
  const { owner, course, module } = await newCourse(platform);
  const member = await platform.newMember();
  await enrol(member, course.id);
  const subscribed = 'select 1 from notifications.topic_subscription where topic = $1';
  await until(
    async () => (await database.all(subscribed, [`course:${course.id}`])).length === 1,
    'the subscription',
  );
  await owner.client.call(createLesson, {
    body: { moduleId: module.id, title: 'Offers', status: 'published' },
  });
  await until(
    async () =>
      (await member.client.call(listNotifications, { query: { type: 'course_update' } })).data.length === 1,
    'the notification',
  );
});

test('deleted members count neither as students nor in the rating', async () => {
  const { owner, course } = await newCourse(platform);
  const member = await platform.newMember();
  const params = { courseId: course.id };
  await enrol(member, course.id);
  await member.client.call(rateCourse, { params, body: { rating: 5 } });
  await admin.call(deleteUser, { params: { userId: member.id } });
  await until(async () => {
    const { enrolledCount, rating } = (await owner.client.call(getCourse, { params })).data;
    return enrolledCount === 0 && rating === 0;
  }, 'the erasure');
});

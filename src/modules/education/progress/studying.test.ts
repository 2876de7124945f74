import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  attemptQuiz,
  createLesson,
  deleteCourseRating,
  deleteUser,
  enrollInCourse,
  getBalance,
  getCourse,
  getCourseCertificate,
  getCourseProgress,
  getQuiz,
  leaveCourse,
  listLessons,
  listNotifications,
  listTransactions,
  putQuiz,
  rateCourse,
  setExchangeRate,
  updateCourse,
  updateLesson,
  updateLessonProgress,
  verifyCertificate,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { courseNotCompleted, notEnrolled, ratingNotFound } from '../failures.ts';
import { marked } from '../quizzes/quizzes.ts';
import { summaryOf } from './progress.ts';

const platform = await startPlatform();
const { admin, database } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const balanceOf = async ({ client }: Member): Promise<number> => (await client.call(getBalance)).data.balance;
const enrol = ({ client }: Member, courseId: string) =>
  client.attempt(enrollInCourse, { params: { courseId } });

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
  assert.equal(
    (await member.client.call(getCourse, { params: { courseId: course.id } })).data.enrolledCount,
    1,
  );
  assert.equal((await member.client.call(leaveCourse, { params: { courseId: course.id } })).status, 200);
  assert.equal(
    (await member.client.call(getCourse, { params: { courseId: course.id } })).data.enrolledCount,
    0,
  );
  const back = await enrol(member, course.id);
  assert.deepEqual([back.status, await balanceOf(member)], [201, 75], 'whoever paid comes back for nothing');
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
  const answers = await Promise.all(Array.from({ length: 20 }, () => enrol(member, course.id)));
  assert.ok(answers.every(({ status }) => status === 200 || status === 201));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.deepEqual([await balanceOf(member), await balanceOf(owner)], [90, 10]);
  assert.equal(
    (await member.client.call(getCourse, { params: { courseId: course.id } })).data.enrolledCount,
    1,
  );
  assert.deepEqual(await ledgerFaults(database), []);
});

test('a price in money is converted at the current rate, rounded up to whole Keys', async () => {
  await admin.call(setExchangeRate, { body: { rate: 0.3, currency: 'USD' } });
  const { course } = await newCourse(platform, { course: { price: 1, currency: 'USD' } });
  const member = await platform.newMemberWith(10);
  assert.equal((await enrol(member, course.id)).data?.paidKeys, 4, '1.00 at 0.30 is 3.33');
  await admin.call(setExchangeRate, { body: { rate: 1, currency: 'USD' } });
});

test('files and quizzes of a priced course are for its students, those of previews for everybody', async () => {
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

test('completed lessons and a passed quiz give a certificate that everybody can verify', async () => {
  const { owner, course, lessons } = await newCourse(platform, { lessons: 2 });
  const questions = [
    { text: 'A bid?', options: ['To buy', 'To sell'], correct: [0] },
    { text: 'Which are futures?', options: ['ES', 'EURUSD', 'CL'], correct: [0, 2] },
  ];
  assert.equal(
    (
      await owner.client.call(putQuiz, {
        params: { lessonId: lessons[1]?.id as string },
        body: { passingScore: 100, questions },
      })
    ).status,
    200,
  );
  const member = await platform.newMember();
  const { client } = member;
  assertRefused(
    await client.attempt(getQuiz, { params: { lessonId: lessons[1]?.id as string } }),
    notEnrolled,
  );
  await enrol(member, course.id);
  const shown = (await client.call(getQuiz, { params: { lessonId: lessons[1]?.id as string } })).data;
  assert.ok(!JSON.stringify(shown).includes('correct'));
  const progress = (place: number, body: { positionSeconds: number; completed?: boolean }) =>
    client.call(updateLessonProgress, { params: { lessonId: lessons[place]?.id as string }, body });
  await progress(0, { positionSeconds: 30 });
  await progress(0, { positionSeconds: 60, completed: true });
  const kept = await progress(0, { positionSeconds: 5, completed: false });
  assert.deepEqual([kept.data.positionSeconds, kept.data.completed], [5, true]);
  const half = (await client.call(getCourseProgress, { params: { courseId: course.id } })).data;
  assert.deepEqual(
    [half.lessonsCompleted, half.lessonCount, half.percentage, half.completedAt],
    [1, 2, 50, null],
  );
  await progress(1, { positionSeconds: 60, completed: true });
  assertRefused(
    await client.attempt(getCourseCertificate, { params: { courseId: course.id } }),
    courseNotCompleted,
  );
  const attempt = (answers: number[][]) =>
    client.attempt(attemptQuiz, { params: { lessonId: lessons[1]?.id as string }, body: { answers } });
  const failed = await attempt([[0], [0]]);
  assert.deepEqual(failed.data, { score: 50, passed: false, attempt: 1, correct: [true, false] });
  assertInvalid(await attempt([[0]]));
  const passed = await attempt([[0], [2, 0]]);
  assert.deepEqual([passed.status, passed.data?.score, passed.data?.attempt], [201, 100, 2]);
  const issued = (await client.call(getCourseCertificate, { params: { courseId: course.id } })).data;
  assert.equal(issued.courseTitle, course.title);
  await owner.client.call(updateCourse, {
    params: { courseId: course.id },
    body: { title: 'Another title' },
  });
  assert.deepEqual(
    (await client.call(getCourseCertificate, { params: { courseId: course.id } })).data,
    issued,
    'it stays as it was issued',
  );
  const verified = await platform.client.call(verifyCertificate, {
    params: { certificateId: issued.certificateId },
  });
  assert.deepEqual(verified.data, issued);
  const page = await fetch(issued.verifyUrl);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /This certificate is genuine[\s\S]*Test Member/);
  assert.equal((await fetch(`${platform.url}/certificates/${'f'.repeat(24)}`)).status, 404);
  await until(
    async () => (await client.call(listNotifications, { query: { type: 'achievement' } })).data.length === 1,
    'the notification',
  );
});

test('certificate ids are unpredictable', async () => {
  const { course, lessons } = await newCourse(platform);
  const parts: string[][] = [];
  for (let number = 1; number <= 3; number++) {
    const { client } = await platform.newMember();
    await client.call(enrollInCourse, { params: { courseId: course.id } });
    await client.call(updateLessonProgress, {
      params: { lessonId: lessons[0]?.id },
      body: { positionSeconds: 1, completed: true },
    });
    const { certificateId } = (await client.call(getCourseCertificate, { params: { courseId: course.id } }))
      .data;
    parts.push(certificateId.slice(8).match(/.{8}/g) ?? []);
  }
  for (const place of [0, 1])
    assert.equal(new Set(parts.map((part) => part[place])).size, 3, `32 bits, part ${place}`);
});

test('look-ups of certificates are limited by address', async () => {
  const { key } = await platform.newKey('mobile');
  const stranger = platform.client.with({ 'x-api-key': key });
  const left = async () =>
    Number(
      (await stranger.attempt(verifyCertificate, { params: { certificateId: 'f'.repeat(24) } })).headers.get(
        'x-ratelimit-remaining',
      ),
    );
  const first = await left();
  assert.equal(await left(), first - 1);
});

test('each student rates a course once, and its rating is the mean to one decimal', async () => {
  const { course } = await newCourse(platform);
  const [a, b, c] = await Promise.all([1, 2, 3].map(() => platform.newMember()));
  const rate = (member: Member | undefined, rating: number) =>
    (member as Member).client.attempt(rateCourse, { params: { courseId: course.id }, body: { rating } });
  assertRefused(await rate(a, 5), notEnrolled);
  for (const member of [a, b, c]) await enrol(member as Member, course.id);
  await Promise.all([rate(a, 5), rate(b, 4), rate(c, 4)]);
  const ratingNow = async () =>
    (await (a as Member).client.call(getCourse, { params: { courseId: course.id } })).data.rating;
  assert.equal(await ratingNow(), 4.3);
  await rate(a, 1);
  assert.equal(await ratingNow(), 3);
  await (a as Member).client.call(deleteCourseRating, { params: { courseId: course.id } });
  assert.equal(await ratingNow(), 4);
  assertRefused(
    await (a as Member).client.attempt(deleteCourseRating, { params: { courseId: course.id } }),
    ratingNotFound,
  );
  assertInvalid(await rate(b, 6));
});

test('students are notified of a new lesson, and deleted members are not counted', async () => {
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
  await member.client.call(rateCourse, { params: { courseId: course.id }, body: { rating: 5 } });
  await admin.call(deleteUser, { params: { userId: member.id } });
  await until(async () => {
    const { enrolledCount, rating } = (
      await owner.client.call(getCourse, { params: { courseId: course.id } })
    ).data;
    return enrolledCount === 0 && rating === 0;
  }, 'the erasure');
});

test('progress shows 100 only when all lessons are complete, and a quiz counts exact answers only', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ completed: fc.boolean() }), { maxLength: 400 }), (lessons) => {
      const { lessonsCompleted, lessonCount, percentage } = summaryOf(lessons);
      assert.ok(percentage >= 0 && percentage <= 100);
      assert.equal(percentage === 100, lessonCount > 0 && lessonsCompleted === lessonCount);
    }),
  );
  const correct = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(correct, fc.array(fc.nat(6))), { minLength: 1, maxLength: 20 }),
      (pairs) => {
        const result = marked(
          pairs.map(([expected]) => ({ correct: expected })),
          pairs.map(([, given]) => given),
        );
        const naive = pairs.map(
          ([expected, given]) => [...new Set(given)].sort().join() === [...expected].sort().join(),
        );
        assert.deepEqual(result.correct, naive);
        assert.equal(result.score === 100, naive.every(Boolean));
      },
    ),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteCourse,
  deleteLesson,
  deleteUser,
  enrollInCourse,
  getCourseCertificate,
  leaveCourse,
  listNotifications,
  listOwnCertificates,
  updateCourse,
  updateLessonProgress,
  verifyCertificate,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { courseNotCompleted } from '../failures.ts';
import { certificateStore } from './certificates.store.ts';

const platform = await startPlatform();
const { database } = platform;

/** A new member who has completed a course, with their certificate. */
async function graduate({ course, lessons }: Awaited<ReturnType<typeof newCourse>>) {
  const { client } = await platform.newMember();
  const params = { courseId: course.id };
  await client.call(enrollInCourse, { params });
  for (const { id } of lessons)
    await client.call(updateLessonProgress, {
      params: { lessonId: id },
      body: { positionSeconds: 1, completed: true },
    });
  return { client, params, certificate: (await client.call(getCourseCertificate, { params })).data };
}

test('a certificate is issued once all lessons are completed', async () => {
  const { course, lessons } = await newCourse(platform, { lessons: 2 });
  const { client } = await platform.newMember();
  const params = { courseId: course.id };
  await client.call(enrollInCourse, { params });
  for (const { id } of lessons) {
    assertRefused(await client.attempt(getCourseCertificate, { params }), courseNotCompleted);
    await client.call(updateLessonProgress, {
      params: { lessonId: id },
      body: { positionSeconds: 60, completed: true },
    });
  }
  assert.equal((await client.call(getCourseCertificate, { params })).data.courseTitle, course.title);
});

test('a certificate stays as it was issued', async () => {
  const made = await newCourse(platform);
  const { client, params, certificate } = await graduate(made);
  await made.owner.client.call(updateCourse, { params, body: { title: 'Another title' } });
  assert.deepEqual((await client.call(getCourseCertificate, { params })).data, certificate);
});

test('everybody can verify a certificate, by its id and on its page', async () => {
  const { certificate } = await graduate(await newCourse(platform));
  const { certificateId, verifyUrl } = certificate;
  const verified = await platform.client.call(verifyCertificate, { params: { certificateId } });
  assert.deepEqual(verified.data, certificate);
  const page = await fetch(verifyUrl);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /This certificate is genuine[\s\S]*Test Member/);
  assert.equal((await fetch(`${platform.url}/certificates/${'f'.repeat(24)}`)).status, 404);
});

test('a member who completes a course is notified', async () => {
  const { client } = await graduate(await newCourse(platform));
  await until(
    async () => (await client.call(listNotifications, { query: { type: 'achievement' } })).data.length === 1,
    'the notification',
  );
});

test('certificate ids are unpredictable', async () => {
  const made = await newCourse(platform);
  const parts: string[][] = [];
  for (let number = 1; number <= 3; number++) {
    const { certificateId } = (await graduate(made)).certificate;
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

test('members list their own certificates, newest completion first, also those that were not retrieved yet', async () => {
  const { client, certificate } = await graduate(await newCourse(platform));
  const [later, unfinished] = [await newCourse(platform), await newCourse(platform, { lessons: 2 })];
  for (const { course, lessons } of [later, unfinished]) {
    await client.call(enrollInCourse, { params: { courseId: course.id } });
    platform.clock.advance(60_000);
    await client.call(updateLessonProgress, {
      params: { lessonId: lessons[0].id },
      body: { positionSeconds: 1, completed: true },
    });
  }
  const { data, body } = await client.call(listOwnCertificates);
  assert.deepEqual(
    data.map(({ courseTitle }) => courseTitle),
    [later.course.title, certificate.courseTitle],
  );
  assert.deepEqual([data[1], body.pagination.total], [certificate, 2]);
  const { data: asked } = await client.call(getCourseCertificate, { params: { courseId: later.course.id } });
  assert.deepEqual(data[0], asked, 'it was issued, and stays');
  const before = `${data[0]?.completedAt}_${data[0]?.certificateId}`;
  assert.deepEqual((await client.call(listOwnCertificates, { query: { before } })).data, [certificate]);
  await client.call(leaveCourse, { params: { courseId: later.course.id } });
  assert.equal((await client.call(listOwnCertificates)).data.length, 2, 'what was issued stays');
  const stranger = await platform.newMember();
  assert.deepEqual((await stranger.client.call(listOwnCertificates)).data, []);
});

/** A member who has completed one of two lessons of a course, with the removal of the other one. */
async function halfDone() {
  const { course, lessons, owner } = await newCourse(platform, { lessons: 2 });
  const { client } = await platform.newMember();
  await client.call(enrollInCourse, { params: { courseId: course.id } });
  await client.call(updateLessonProgress, {
    params: { lessonId: lessons[0].id },
    body: { positionSeconds: 1, completed: true },
  });
  const removeTheOther = () =>
    owner.client.call(deleteLesson, { params: { lessonId: lessons[1]?.id ?? '' } });
  return { client, course, removeTheOther };
}

test('a course of which the last open lesson was removed is among the certificates, without a look at its progress', async () => {
  const { client, course, removeTheOther } = await halfDone();
  assert.deepEqual((await client.call(listOwnCertificates)).data, []);
  await removeTheOther();
  assert.deepEqual(
    (await client.call(listOwnCertificates)).data.map(({ courseTitle }) => courseTitle),
    [course.title],
  );
});

test('a course that has nothing left to do is among the certificates beside a hundred newer ones under way', async () => {
  const { client, course, removeTheOther } = await halfDone();
  await removeTheOther();
  const copy = (table: string, key: string) =>
    platform.database.execute(
      `insert into education.${table}
       select (jsonb_populate_record(one, jsonb_build_object(
         'id', copied, '${key}', copied, 'position', 1 + n, 'enrolled_at', now() + interval '1 day'))).*
       from education.${table} one, generate_series(1, 100) n, lpad(to_hex(n), 24, '0') copied
       where one.${key} = $1`,
      [course.id],
    );
  await copy('course', 'id');
  await copy('lesson', 'course_id');
  await copy('enrolment', 'course_id');
  assert.equal((await client.call(listOwnCertificates)).data.length, 1);
});

/** Removes a certificate, as if the course had been completed before completing it issued one. */
const unissue = (certificateId: string) =>
  database.execute('delete from education.certificate where id = $1', [certificateId]);

test('a certificate bears the title that the course had when it was completed', async () => {
  const { owner, course, lessons } = await newCourse(platform);
  const params = { courseId: course.id };
  const { client } = await platform.newMember();
  await client.call(enrollInCourse, { params });
  await client.call(updateLessonProgress, {
    params: { lessonId: lessons[0].id },
    body: { positionSeconds: 1, completed: true },
  });
  await owner.client.call(updateCourse, { params, body: { title: 'Another title' } });
  assert.equal((await client.call(getCourseCertificate, { params })).data.courseTitle, course.title);
});

/** What may become of a course, or of somebody in it, after it was completed. */
const ENDINGS: Record<string, (made: Made, student: Student) => Promise<unknown>> = {
  'the course is taken back to draft': ({ owner }, { params }) =>
    owner.client.call(updateCourse, { params, body: { status: 'draft' } }),
  'the member leaves': (_, { client, params }) => client.call(leaveCourse, { params }),
  'the member leaves and the course is archived': async ({ owner }, { client, params }) => {
    await client.call(leaveCourse, { params });
    await owner.client.call(deleteCourse, { params });
  },
};
type Made = Awaited<ReturnType<typeof newCourse>>;
type Student = Awaited<ReturnType<typeof graduate>>;

for (const [what, end] of Object.entries(ENDINGS))
  test(`a certificate is not lost when ${what}`, async () => {
    const made = await newCourse(platform);
    const student = await graduate(made);
    const { client, params, certificate } = student;
    const ofCourse = async () => (await client.call(getCourseCertificate, { params })).data;
    const listed = async () => (await client.call(listOwnCertificates)).data;
    await end(made, student);
    assert.deepEqual([await ofCourse(), await listed()], [certificate, [certificate]]);

    await unissue(certificate.certificateId);
    const issued = await ofCourse();
    assert.equal(issued.completedAt, certificate.completedAt, 'a look at the course issues it');
    await unissue(issued.certificateId);
    assert.equal((await listed())[0]?.completedAt, certificate.completedAt, 'so does a look at the list');
  });

test('the erasure of a member waits for a certificate that is being issued, and so finds it', async () => {
  const { client, certificate } = await graduate(await newCourse(platform));
  const { userId, certificateId } = certificate;
  const isErasable = () =>
    database
      .transaction((tx) =>
        tx.all('select from education.enrolment where user_id = $1 for update nowait', [userId]),
      )
      .then(
        () => true,
        () => false,
      );
  const issuing = () =>
    database.transaction(async (tx) => {
      await certificateStore(database).keepEarned(tx, { userId, courseId: undefined, limit: 1 });
      return isErasable();
    });
  await until(issuing, 'none is missing, and nothing else holds the enrolment');
  await unissue(certificateId);
  assert.equal(await issuing(), false);
  await client.call(listOwnCertificates);
  await platform.admin.call(deleteUser, { params: { userId } });
  const left = () =>
    database.count('select count(*) from education.certificate where user_id = $1', [userId]);
  await until(async () => (await left()) === 0, 'the erasure');
});

test('concurrent lists issue each certificate once', async () => {
  const { client, certificate } = await graduate(await newCourse(platform));
  await unissue(certificate.certificateId);
  const lists = await Promise.all(
    Array.from({ length: 5 }, async () => (await client.call(listOwnCertificates)).data),
  );
  const ids = lists.flat().map(({ certificateId }) => certificateId);
  assert.deepEqual([ids.length, new Set(ids).size], [5, 1]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  enrollInCourse,
  getCourseCertificate,
  listNotifications,
  updateCourse,
  updateLessonProgress,
  verifyCertificate,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { courseNotCompleted } from '../failures.ts';

const platform = await startPlatform();

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

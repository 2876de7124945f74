import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCourseCertificate, listCourses } from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { educationSeed } from './education.seed.ts';
import { courseNotCompleted } from './failures.ts';

const platform = await startPlatform();
const { client } = platform;

test('seeding twice creates the courses once, with enrolled members and one certificate', async () => {
  const educator = await newEducator(platform);
  const members = await Promise.all([1, 2, 3].map(() => platform.newMemberWith(100)));
  const call = async (method: string, path: string, body?: unknown, token = '') => {
    const { status, data } = await client.as(token).raw(method, path, body);
    assert.ok(status < 400, `${method} ${path}: ${status}`);
    return data;
  };
  const toSeed = ({ id, accessToken: token }: (typeof members)[number]) => ({ id, token });
  const stage = { call, admin: '', educator: toSeed(educator), members: members.map(toSeed) };
  const what = '2 courses, in which the others are enrolled';
  assert.deepEqual(await educationSeed.small?.(stage), { what, isNew: true });
  assert.deepEqual(await educationSeed.small?.(stage), { what, isNew: false });
  const { data } = await client.as(educator.accessToken).call(listCourses);
  assert.equal(data.length, 2);
  for (const { id, lessonCount, enrolledCount, rating } of data) {
    assert.ok(lessonCount >= 4);
    assert.equal(enrolledCount, 3);
    assert.equal(rating, 4);
    const [first, second] = members;
    const certificate = { params: { courseId: id } };
    assert.equal((await first?.client.call(getCourseCertificate, certificate))?.status, 200);
    assertRefused(
      await (second as Member).client.attempt(getCourseCertificate, certificate),
      courseNotCompleted,
    );
  }
});

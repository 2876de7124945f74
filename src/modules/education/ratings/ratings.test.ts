import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteCourseRating, enrollInCourse, getCourse, rateCourse } from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { notEnrolled, ratingNotFound } from '../failures.ts';

const platform = await startPlatform();

test('each student rates a course once, and its rating is the mean to one decimal', async () => {
  const { course } = await newCourse(platform);
  const params = { courseId: course.id };
  const [a, b, c] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
  const rate = ({ client }: Member, rating: number) =>
    client.attempt(rateCourse, { params, body: { rating } });
  const ratingNow = async () => (await a.client.call(getCourse, { params })).data.rating;
  assertRefused(await rate(a, 5), notEnrolled);
  for (const { client } of [a, b, c]) await client.call(enrollInCourse, { params });
  await Promise.all([rate(a, 5), rate(b, 4), rate(c, 4)]);
  assert.equal(await ratingNow(), 4.3);
  const own = async () => (await a.client.call(getCourse, { params })).data.ownRating;
  assert.deepEqual(await own(), { rating: 5, review: null });
  await a.client.call(rateCourse, { params, body: { rating: 1, review: 'Too short' } });
  assert.equal(await ratingNow(), 3);
  assert.deepEqual(await own(), { rating: 1, review: 'Too short' });
  await a.client.call(deleteCourseRating, { params });
  assert.equal(await ratingNow(), 4);
  assert.equal(await own(), null);
  assertRefused(await a.client.attempt(deleteCourseRating, { params }), ratingNotFound);
  assertInvalid(await rate(b, 6));
});

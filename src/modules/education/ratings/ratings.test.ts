import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteCourseRating,
  deleteUser,
  enrollInCourse,
  getCourse,
  listCourseRatings,
  listCourses,
  listReports,
  rateCourse,
  report,
  resolveReport,
  updateCourse,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { alreadyReported } from '../../moderation/contract.ts';
import { courseNotFound } from '../contract.ts';
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

/** Enrols a new member and has them rate the course, a minute after those before. */
async function rated(courseId: string, body: { rating: number; review?: string }): Promise<Member> {
  const student = await platform.newMember();
  const params = { courseId };
  await student.client.call(enrollInCourse, { params });
  platform.clock.advance(60_000);
  await student.client.call(rateCourse, { params, body });
  return student;
}

test('members who may see a course read its reviews, newest first, with their authors', async () => {
  const { owner, course } = await newCourse(platform);
  const params = { courseId: course.id };
  const ada = await rated(course.id, { rating: 5, review: 'All of it' });
  const ben = await rated(course.id, { rating: 2 });
  const eve = await rated(course.id, { rating: 4, review: 'Good' });
  // A changed rating keeps its place.
  await ada.client.call(rateCourse, { params, body: { rating: 3, review: 'Some of it' } });
  const stranger = await platform.newMember();
  const { data, body } = await stranger.client.call(listCourseRatings, { params });
  assert.deepEqual(
    data.map(({ userId, user, rating, review }) => [userId, user.id, rating, review]),
    [
      [eve.id, eve.id, 4, 'Good'],
      [ben.id, ben.id, 2, null],
      [ada.id, ada.id, 3, 'Some of it'],
    ],
  );
  const [, , first] = data;
  assert.ok(first && first.updatedAt > first.createdAt);
  assert.deepEqual(Object.keys(data[0]?.user ?? {}).sort(), [
    'avatar',
    'id',
    'isEducator',
    'name',
    'username',
  ]);
  assert.equal(body.pagination.total, 3);
  const { data: second } = await stranger.client.call(listCourseRatings, {
    params,
    query: { limit: 1, page: 2 },
  });
  assert.deepEqual(second, data.slice(1, 2));

  await owner.client.call(updateCourse, { params, body: { status: 'archived' } });
  assertRefused(await stranger.client.attempt(listCourseRatings, { params }), courseNotFound);
  assert.equal((await ben.client.call(listCourseRatings, { params })).data.length, 3);
});

test('a review is reported by those who may see it, and removed without its stars', async () => {
  const { owner, course } = await newCourse(platform);
  const params = { courseId: course.id };
  const ada = await rated(course.id, { rating: 1, review: 'Insults' });
  const ben = await rated(course.id, { rating: 5 });
  const reviewOf = async ({ id }: Member) => {
    const { data } = await ben.client.call(listCourseRatings, { params });
    const found = data.find(({ userId }) => userId === id);
    assert.ok(found);
    return found;
  };
  const bodyOf = ({ id }: { id: string }) => ({
    kind: 'review' as const,
    subjectId: id,
    reason: 'Rude',
  });
  const body = bodyOf(await reviewOf(ada));
  assertRefused(
    await ada.client.attempt(report, { body: bodyOf(await reviewOf(ben)) }),
    ratingNotFound,
    'stars alone say nothing',
  );
  await owner.client.call(updateCourse, { params, body: { status: 'archived' } });
  const stranger = await platform.newMember();
  assertRefused(await stranger.client.attempt(report, { body }), courseNotFound);
  await ben.client.call(report, { body });

  const { data: reports } = await platform.admin.call(listReports, { query: { kind: 'review' } });
  assert.deepEqual(
    reports.map(({ subjectId, authorId, text, containerId }) => [subjectId, authorId, text, containerId]),
    [[body.subjectId, ada.id, 'Insults', course.id]],
  );
  await platform.admin.call(resolveReport, {
    params: { reportId: reports[0]?.id as string },
    body: { outcome: 'removed' },
  });
  const { rating, review, id } = await reviewOf(ada);
  assert.deepEqual([id, rating, review], [body.subjectId, 1, null]);
  await ada.client.call(rateCourse, { params, body: { rating: 2, review: 'Politely' } });
  assert.equal((await reviewOf(ada)).id, body.subjectId, 'a changed rating keeps its id');
  await ada.client.call(deleteCourseRating, { params });
  await ada.client.call(rateCourse, { params, body: { rating: 2, review: 'Insults' } });
  assert.equal((await reviewOf(ada)).id, body.subjectId, 'so does one that is given again');
  await ben.client.call(report, { body });
  assertRefused(await ben.client.attempt(report, { body }), alreadyReported, 'what is back, once');
});

test('a cursor without a real time is refused', async () => {
  const { owner, course } = await newCourse(platform);
  const query = { before: `2026-13-01T00:00:00.000Z_${owner.id}` };
  assertInvalid(await owner.client.attempt(listCourseRatings, { params: { courseId: course.id }, query }));
});

test('the rating and review of an erased member go, and no longer count', async () => {
  const { course } = await newCourse(platform);
  const params = { courseId: course.id };
  const ada = await rated(course.id, { rating: 1, review: 'By Ada' });
  const ben = await rated(course.id, { rating: 5 });
  const shown = async () => {
    const { rating, ratingCount, enrolledCount } = (await ben.client.call(getCourse, { params })).data;
    return [rating, ratingCount, enrolledCount];
  };
  assert.deepEqual(await shown(), [3, 2, 2]);
  await platform.admin.call(deleteUser, { params: { userId: ada.id } });
  await until(async () => (await shown())[2] === 1, 'the erasure');
  assert.deepEqual(await shown(), [5, 1, 1]);
  const { data, body } = await ben.client.call(listCourseRatings, { params });
  assert.deepEqual([data.map(({ userId }) => userId), body.pagination.total], [[ben.id], 1]);
  const listed = (await ben.client.call(listCourses, { query: { limit: 100 } })).data;
  assert.equal(listed.find(({ id }) => id === course.id)?.ratingCount, 1);
});

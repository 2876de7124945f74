import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepsFromChange } from '../../../../test/support/locked-rows.ts';
import { ownDatabase } from '../../../../test/support/own-database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { idMaker } from '../../../kernel/ids.ts';
import { systemClock } from '../../../kernel/time/time.ts';
import { enrolmentStore } from './enrolments.store.ts';

// What the statements about enrolments read and write, without a platform around them.

const { database } = await ownDatabase();
const store = enrolmentStore(database);
const within = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(work);
const newId = idMaker(systemClock);
const AT = new Date('2026-03-01T12:00:00Z');
const [ADA, BEN] = [newId(), newId()];

async function newCourse(
  fields: { status?: string; deletedAt?: Date; ownerId?: string } = {},
): Promise<string> {
  const { status = 'published', deletedAt = null, ownerId = newId() } = fields;
  const id = newId();
  await database.execute(
    `insert into education.course (id, owner_id, title, level, status, deleted_at, created_at, updated_at)
     values ($1, $2, 'Gold', 'beginner', $3, $4, now(), now())`,
    [id, ownerId, status, deletedAt],
  );
  return id;
}
const begin = (courseId: string, userId = ADA, paidKeys = 0, transactionId: string | null = null) =>
  within((tx) => store.begin(tx, { courseId, userId, paidKeys, transactionId, enrolledAt: AT }));
const end = (courseId: string, userId = ADA) => within((tx) => store.end(tx, courseId, userId, AT));
const countOf = (courseId: string) =>
  database.count('select enrolled_count from education.course where id = $1', [courseId]);

test('an enrolment begins and ends once, and each of it is counted in its course alone', async () => {
  const [course, other] = [await newCourse(), await newCourse()];
  await begin(other);
  assert.equal((await begin(course, ADA, 10, 't1'))?.paidKeys, 10);
  assert.equal(await begin(course), undefined, 'it is active');
  await begin(course, BEN);
  assert.equal(await countOf(course), 2);
  assert.deepEqual([await end(course), await end(course), await end(other, BEN)], [true, false, false]);
  assert.deepEqual([await countOf(course), await countOf(other)], [1, 1]);
  const again = await begin(course);
  assert.deepEqual([again?.paidKeys, again?.transactionId, again?.leftAt], [10, 't1', null]);
  await end(course);
  const more = await begin(course, ADA, 5, 't2');
  assert.deepEqual([more?.paidKeys, more?.transactionId], [15, 't2']);
  assert.equal((await store.find(course, BEN))?.userId, BEN);
  assert.equal(await store.find(other, BEN), undefined);
});

test('only an active enrolment is locked as such', async () => {
  const course = await newCourse();
  const lock = (userId: string) => within((tx) => store.lock(tx, course, userId));
  await begin(course);
  assert.deepEqual([await lock(ADA), await lock(BEN)], [true, false]);
  await end(course);
  assert.equal(await lock(ADA), false);
});

test('a course is completed once, by somebody who is in it', async () => {
  const course = await newCourse();
  const complete = (userId = ADA) => within((tx) => store.complete(tx, course, userId, AT));
  await begin(course);
  await begin(course, BEN);
  assert.deepEqual([await complete(), await complete()], [true, false]);
  assert.equal((await store.find(course, BEN))?.completedAt, null);
  await end(course, BEN);
  assert.equal(await complete(BEN), false);
});

test('ended enrolments are read in portions, in the order of courses and members', async () => {
  const courses = [await newCourse(), await newCourse()].toSorted();
  for (const course of courses)
    for (const member of [ADA, BEN]) {
      await begin(course, member);
      await end(course, member);
    }
  const active = await newCourse();
  await begin(active);
  const [first, second] = courses as [string, string];
  const read = async (after: { courseId: string; userId: string }, limit: number) =>
    (await within((tx) => store.lockLeft(tx, after, limit)))
      .filter(({ courseId }) => [first, second, active].includes(courseId))
      .map(({ courseId, userId }) => [courseId, userId]);
  const [one, two] = [ADA, BEN].toSorted() as [string, string];
  assert.deepEqual(await read({ courseId: first, userId: one }, 2), [
    [first, two],
    [second, one],
  ]);
  assert.deepEqual(await read({ courseId: second, userId: one }, 9), [[second, two]]);
});

test('a member is counted in active courses, and searches those that are neither drafts nor deleted', async () => {
  const cat = newId();
  const courses = [
    await newCourse(),
    await newCourse({ status: 'archived' }),
    await newCourse({ status: 'draft' }),
    await newCourse({ deletedAt: AT }),
    await newCourse(),
  ];
  for (const course of courses) await begin(course, cat);
  await end(courses[4] as string, cat);
  await begin(courses[4] as string, BEN);
  assert.deepEqual((await store.coursesOf(cat)).toSorted(), courses.slice(0, 2).toSorted());
  await database.execute(
    `with module as (
       insert into education.module (id, course_id, title, position) values ($1, $2, 'M', 1) returning id),
     lesson as (
       insert into education.lesson (id, module_id, course_id, title, position, status, created_at, updated_at)
       select lesson_id, id, $2, 'L', place, 'published', now(), now()
       from module, unnest($3::text[]) with ordinality as l (lesson_id, place) returning id, position)
     insert into education.lesson_progress
       (user_id, lesson_id, course_id, position_seconds, started_at, updated_at, completed_at)
     select $4, id, $2, 0, now(), now(), case when position < 3 then now() end from lesson`,
    [newId(), courses[0], [newId(), newId(), newId()], cat],
  );
  assert.deepEqual(await store.figuresOf(cat), { coursesEnrolled: 4, lessonsCompleted: 2 });
  assert.deepEqual(await store.figuresOf(newId()), { coursesEnrolled: 0, lessonsCompleted: 0 });
});

test('enrolments are listed newest first, without drafts of other owners unless they are to be seen', async () => {
  const dan = newId();
  const [old, own, draft, left] = [
    await newCourse(),
    await newCourse({ status: 'draft', ownerId: dan }),
    await newCourse({ status: 'draft' }),
    await newCourse(),
  ];
  for (const [place, course] of [old, own, draft, left].entries())
    await within((tx) =>
      store.begin(tx, {
        courseId: course,
        userId: dan,
        paidKeys: 0,
        transactionId: null,
        enrolledAt: new Date(AT.getTime() + place),
      }),
    );
  await end(left, dan);
  await begin(left, ADA);
  const list = async (seesDrafts: boolean) => {
    const { items, total } = await store.pageOf(dan, seesDrafts, { page: 1, limit: 9 });
    return [items.map(({ courseId }) => courseId), total];
  };
  assert.deepEqual(await list(false), [[own, old], 2]);
  assert.deepEqual(await list(true), [[draft, own, old], 3]);
});

test('an enrolment that is locked, also among those that ended, is not changed by others meanwhile', async () => {
  const course = await newCourse();
  await begin(course);
  const keeps = (work: Parameters<typeof keepsFromChange>[1]) =>
    keepsFromChange(database, work, 'education.enrolment where course_id = $1 and user_id = $2', [
      course,
      ADA,
    ]);
  assert.equal(await keeps((tx) => store.lock(tx, course, ADA)), true);
  const first = { courseId: course, userId: '' };
  assert.equal(await keeps((tx) => store.lockLeft(tx, first, 1)), false, 'it has not ended');
  await end(course);
  assert.equal(await keeps((tx) => store.lockLeft(tx, first, 1)), true);
});

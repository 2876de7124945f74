// Courses of educators who may not teach any longer: neither listed, found nor sold, and read by their students as before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createCourse,
  deleteUser,
  enrollInCourse,
  getBalance,
  getCourse,
  getCourseCertificate,
  leaveCourse,
  listCourses,
  listEnrolledCourses,
  listLessons,
  search as searchOperation,
  unassignPermissions,
  updateLessonProgress,
  updateUser,
} from '../../../../sdk/src/index.ts';
import type { Client } from '../../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { settled } from '../../../../test/support/events.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { courseNotFound } from '../contract.ts';
import { courseNotOpen, moduleNotFound, tooManyCourses } from '../failures.ts';

const platform = await startPlatform();
const { admin, database } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const EDUCATOR = { permissions: ['educator'] };
const demote = ({ id }: Member) =>
  admin.call(unassignPermissions, { params: { userId: id }, body: EDUCATOR });
const promote = ({ id }: Member) => admin.call(assignPermissions, { params: { userId: id }, body: EDUCATOR });
const setActive = ({ id }: Member, isActive: boolean) =>
  admin.call(updateUser, { params: { userId: id }, body: { isActive } });
const enrol = ({ client }: Pick<Member, 'client'>, courseId: string) =>
  client.attempt(enrollInCourse, { params: { courseId } });

/** Returns in which lists and by which searches a caller finds a course. */
async function findings(
  client: Client,
  { id, title, category }: { id: string; title: string; category: string },
  instructorId: string,
): Promise<string[]> {
  const lists = {
    all: (await client.call(listCourses, { query: { limit: 100 } })).data,
    category: (await client.call(listCourses, { query: { category } })).data,
    instructor: (await client.call(listCourses, { query: { instructorId } })).data,
    search: (await client.call(searchOperation, { query: { type: 'course', q: title } })).data.results,
    enrolled: (await client.call(listEnrolledCourses)).data,
  };
  return Object.entries(lists)
    .filter(([, list]) => list.some((one) => one.id === id))
    .map(([name]) => name);
}

let number = 0;
/** Creates a priced course with a unique word in its title and category, and one student. */
async function newTaughtCourse() {
  number += 1;
  const course = { title: `Zyx${'abcdefghij'[number]}wvutsr`, category: `own${number}`, price: 10 };
  const made = await newCourse(platform, { course });
  const student = await platform.newMemberWith(10);
  assert.equal((await enrol(student, made.course.id)).status, 201);
  return { ...made, student, stranger: await platform.newMemberWith(10) };
}

const WAYS = {
  demoted: { end: demote, restore: promote },
  deactivated: {
    end: (owner: Member) => setActive(owner, false),
    restore: (owner: Member) => setActive(owner, true),
  },
  deleted: {
    end: ({ id }: Member) =>
      admin.call(deleteUser, { params: { userId: id }, body: { remainingKeys: 'forfeit' } }),
    restore: undefined,
  },
};

for (const [way, { end, restore }] of Object.entries(WAYS))
  test(`courses of an educator who was ${way} are neither listed, found nor sold; students read them`, async () => {
    const { owner, course, module, lessons, student, stranger } = await newTaughtCourse();
    assert.deepEqual(await findings(stranger.client, course, owner.id), [
      ...['all', 'category', 'instructor', 'search'],
    ]);
    assert.equal((await end(owner)).status, 200);
    assert.deepEqual(await findings(stranger.client, course, owner.id), []);
    assertRefused(
      await stranger.client.attempt(getCourse, { params: { courseId: course.id } }),
      courseNotFound,
    );
    assertRefused(
      await stranger.client.attempt(listLessons, { query: { moduleId: module.id } }),
      moduleNotFound,
    );
    const refused = await enrol(stranger, course.id);
    assertRefused(refused, courseNotOpen);
    assert.equal((await stranger.client.call(getBalance)).data.balance, 10);
    assert.deepEqual(await findings(student.client, course, owner.id), ['search', 'enrolled']);
    assert.equal(
      (await student.client.call(getCourse, { params: { courseId: course.id } })).data.enrolled,
      true,
    );
    assert.equal((await student.client.call(listLessons, { query: { moduleId: module.id } })).data.length, 1);
    assert.equal((await enrol(student, course.id)).status, 200);
    const progress = { positionSeconds: 1, completed: true };
    assert.equal(
      (
        await student.client.call(updateLessonProgress, {
          params: { lessonId: lessons[0]?.id },
          body: progress,
        })
      ).status,
      200,
    );
    assert.equal(
      (await student.client.call(getCourseCertificate, { params: { courseId: course.id } })).status,
      200,
    );
    assert.deepEqual(await findings(admin, course, owner.id), ['instructor', 'search']);
    if (!restore) return;
    assert.equal((await restore(owner)).status, 200);
    assert.equal((await findings(stranger.client, course, owner.id)).length, 4);
    assert.equal((await enrol(stranger, course.id)).status, 201);
  });

test('a member who left such a course may return to it, and nobody else enrols', async () => {
  const { owner, course, student } = await newTaughtCourse();
  await demote(owner);
  assert.equal((await student.client.call(leaveCourse, { params: { courseId: course.id } })).status, 200);
  assertRefused(await enrol(await platform.newMember(), course.id), courseNotOpen);
  const { status, data } = await enrol(student, course.id);
  assert.deepEqual([status, data?.paidKeys], [201, 10]);
});

test('courses of administrators are open without the educator permission', async () => {
  const { owner, course, stranger } = await newTaughtCourse();
  await admin.call(assignPermissions, { params: { userId: owner.id }, body: { permissions: ['admin'] } });
  await demote(owner);
  assert.equal((await stranger.client.call(getCourse, { params: { courseId: course.id } })).status, 200);
  await admin.call(unassignPermissions, { params: { userId: owner.id }, body: { permissions: ['admin'] } });
  assertRefused(
    await stranger.client.attempt(getCourse, { params: { courseId: course.id } }),
    courseNotFound,
  );
});

test('nobody pays for a course once its educator has lost the permission, also concurrently', async () => {
  for (let round = 1; round <= 5; round++) {
    const { owner, course } = await newCourse(platform, { course: { price: 10 } });
    const members = await Promise.all([1, 2, 3, 4, 5, 6].map(() => platform.newMemberWith(10)));
    const [early, late] = [members.slice(0, 4), members.slice(4)];
    const started = early.map((member) => enrol(member, course.id));
    assert.equal((await demote(owner)).status, 200);
    const answers = await Promise.all([...started, ...late.map((member) => enrol(member, course.id))]);
    const outcomes = answers.map(({ status, body }) => (status === 201 ? 'enrolled' : body.error));
    assert.ok(
      outcomes.slice(4).every((outcome) => outcome === 'COURSE_NOT_OPEN'),
      outcomes.join(),
    );
    assert.ok(outcomes.every((outcome) => outcome === 'enrolled' || outcome === 'COURSE_NOT_OPEN'));
    const enrolled = outcomes.filter((outcome) => outcome === 'enrolled').length;
    const paid = 'select coalesce(sum(paid_keys), 0) from education.enrolment where course_id = $1';
    assert.equal(await database.count(paid, [course.id]), 10 * enrolled);
  }
  assert.deepEqual(await ledgerFaults(database), []);
});

test('a course created while its educator loses the permission is not open, even if an administrator publishes it', async () => {
  for (let round = 1; round <= 5; round++) {
    const owner = await newEducator(platform);
    const drafts = [1, 2, 3, 4].map(() =>
      owner.client.attempt(createCourse, { body: { title: 'T', description: 'D' } }),
    );
    await demote(owner);
    await Promise.all(drafts);
    const open = 'select count(*) from education.course where owner_id = $1 and owner_teaches';
    assert.equal(await database.count(open, [owner.id]), 0);
  }
});

test('the repair job follows permissions that were changed in the database', async () => {
  const { owner, course, stranger } = await newTaughtCourse();
  const set = (permissions: string[]) =>
    database.execute('update identity.user set permissions = $2 where id = $1', [owner.id, permissions]);
  await set([]);
  await platform.platform.runJob('education.repair');
  assert.deepEqual(await findings(stranger.client, course, owner.id), []);
  await set(['educator']);
  await platform.platform.runJob('education.repair');
  assert.equal((await findings(stranger.client, course, owner.id)).length, 4);
});

test('an educator has at most 1,000 courses, which are all closed at once and leave search', async () => {
  const { owner, course, stranger } = await newTaughtCourse();
  await database.execute(
    `insert into education.course (id, owner_id, title, level, status, lesson_count, created_at, updated_at)
     select 'c0' || lpad(to_hex(n), 6, '0') || right($1, 16), $1, 'Hoarded ' || n, 'beginner', 'published', 1, now(), now()
     from generate_series(1, 998) n`,
    [owner.id],
  );
  const create = () => owner.client.attempt(createCourse, { body: { title: 'One more' } });
  assert.equal((await create()).status, 201);
  const refused = await create();
  assertRefused(refused, tooManyCourses);
  await platform.platform.runJob('search.rebuild');
  assert.equal(
    (await stranger.client.call(searchOperation, { query: { type: 'course', q: 'hoarded', limit: 1 } })).data
      .totalResults,
    998,
  );
  assert.equal((await demote(owner)).status, 200);
  assert.equal(
    (await stranger.client.call(listCourses, { query: { instructorId: owner.id } })).body.pagination.total,
    0,
  );
  await settled(database);
  await until(
    async () =>
      (await stranger.client.call(searchOperation, { query: { type: 'course', q: 'hoarded', limit: 1 } }))
        .data.totalResults === 0,
    'the searches',
  );
  assert.deepEqual(await findings(stranger.client, course, owner.id), []);
});

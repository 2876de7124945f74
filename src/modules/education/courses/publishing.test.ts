// Whom the publication of a lesson notifies, what students see of a course that was taken back, and how they leave it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLesson,
  enrollInCourse,
  getBalance,
  getCourse,
  leaveCourse,
  listEnrolledCourses,
  updateCourse,
  updateLesson,
} from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { settled } from '../../../../test/support/events.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { courseNotFound } from '../contract.ts';

const platform = await startPlatform();
const { database } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const isSubscribed = async ({ id }: Member, courseId: string): Promise<boolean> =>
  (await database.count(
    'select count(*) from notifications.topic_subscription where topic = $1 and user_id = $2',
    [`course:${courseId}`, id],
  )) > 0;

/** Enrols a new member and waits until they will be notified of new lessons. */
async function newStudent(courseId: string): Promise<Member> {
  const student = await platform.newMember();
  await student.client.call(enrollInCourse, { params: { courseId } });
  await until(() => isSubscribed(student, courseId), 'the subscription');
  return student;
}

/** Returns the titles of the lessons that a member was notified of, once everything published has been handled. */
async function noticesOf({ id }: Member): Promise<string[]> {
  await settled(database);
  const rows = await database.all<{ message: string }>(
    `select message from notifications.notification where user_id = $1 and type = 'course_update' order by message`,
    [id],
  );
  return rows.map(({ message }) => message);
}

test('only the first publication of a lesson notifies the students', async () => {
  const { owner, course, module } = await newCourse(platform);
  const student = await newStudent(course.id);
  const lesson = { moduleId: module.id, title: 'Offers' };
  const { id } = (await owner.client.call(createLesson, { body: { ...lesson, status: 'published' } })).data;
  // A lesson that is a draft when its notice is read notifies nobody.
  assert.deepEqual(await noticesOf(student), ['Offers']);
  for (const status of ['draft', 'published', 'draft', 'published'] as const)
    assert.equal(
      (await owner.client.call(updateLesson, { params: { lessonId: id }, body: { status } })).status,
      200,
    );
  const draft = (await owner.client.call(createLesson, { body: { ...lesson, title: 'Bids' } })).data;
  await owner.client.call(updateLesson, { params: { lessonId: draft.id }, body: { status: 'published' } });
  await until(
    async () => (await noticesOf(student)).join() === 'Bids',
    'the notification of the lesson that was hidden to go, and none to come when it was shown again',
  );
});

test('hiding and showing a lesson again notifies nobody', async () => {
  const { owner, course, lessons } = await newCourse(platform, { lessons: 2 });
  const student = await newStudent(course.id);
  for (const status of ['draft', 'published'] as const)
    await owner.client.call(updateLesson, {
      params: { lessonId: lessons[1]?.id as string },
      body: { status },
    });
  assert.deepEqual(await noticesOf(student), []);
});

test('lessons published beyond the hourly limit notify nobody, and the response says so', async () => {
  const { owner, course, module } = await newCourse(platform);
  const student = await newStudent(course.id);
  const publish = (title: string) =>
    owner.client.call(createLesson, { body: { moduleId: module.id, title, status: 'published' } });
  for (let number = 1; number <= 60; number++) await publish(`Lesson ${number}`);
  const quiet = await publish('Quiet');
  assert.deepEqual([quiet.status, quiet.data.status], [201, 'published']);
  assert.match(quiet.body.message, /nobody was notified/);
  const draft = (await owner.client.call(createLesson, { body: { moduleId: module.id, title: 'Later' } }))
    .data;
  const later = await owner.client.call(updateLesson, {
    params: { lessonId: draft.id },
    body: { status: 'published' },
  });
  assert.match(later.body.message, /nobody was notified/);
  const known = await noticesOf(student);
  assert.deepEqual([known.length, known.includes('Quiet'), known.includes('Later')], [60, false, false]);
});

test('a student who leaves is no longer notified of the course', async () => {
  const { owner, course, module } = await newCourse(platform);
  const [left, stayed] = [await newStudent(course.id), await newStudent(course.id)];
  assert.equal((await left.client.call(leaveCourse, { params: { courseId: course.id } })).status, 200);
  assert.equal(await isSubscribed(left, course.id), false);
  await owner.client.call(createLesson, {
    body: { moduleId: module.id, title: 'Offers', status: 'published' },
  });
  assert.deepEqual([await noticesOf(left), await noticesOf(stayed)], [[], ['Offers']]);
});

test('a student who leaves loses the subscription, and one who returns has it again', async () => {
  const { course } = await newCourse(platform);
  const student = await platform.newMember();
  for (let round = 1; round <= 3; round++) {
    await student.client.call(enrollInCourse, { params: { courseId: course.id } });
    await student.client.call(leaveCourse, { params: { courseId: course.id } });
  }
  await settled(database);
  assert.equal(await isSubscribed(student, course.id), false);
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  await until(() => isSubscribed(student, course.id), 'the subscription');
});

test('a migration job removes subscriptions of members who left earlier', async () => {
  const { course } = await newCourse(platform);
  const student = await newStudent(course.id);
  await database.execute('update education.enrolment set left_at = now() where user_id = $1', [student.id]);
  await platform.platform.runJob('education.repair');
  await until(async () => !(await isSubscribed(student, course.id)), 'the repair');
});

test('a course returned to draft is not listed for its students, who can still leave it', async () => {
  const { owner, course } = await newCourse(platform);
  const other = await newCourse(platform, { owner });
  const [student, stranger] = [await newStudent(course.id), await platform.newMember()];
  for (const member of [student, owner])
    await member.client.call(enrollInCourse, { params: { courseId: other.course.id } });
  await owner.client.call(enrollInCourse, { params: { courseId: course.id } });
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status: 'draft' } });
  const listed = async ({ client }: Pick<Member, 'client'>) => {
    const { data, pagination } = (await client.call(listEnrolledCourses)).body;
    return { ids: data.map(({ id }: { id: string }) => id), total: pagination.total };
  };
  assert.deepEqual(await listed(student), { ids: [other.course.id], total: 1 });
  assert.deepEqual(await listed(owner), { ids: [course.id, other.course.id], total: 2 }, 'owners see drafts');
  assertRefused(await student.client.attempt(getCourse, { params: { courseId: course.id } }), courseNotFound);
  assertRefused(
    await stranger.client.attempt(leaveCourse, { params: { courseId: course.id } }),
    courseNotFound,
  );
  assert.equal((await student.client.call(leaveCourse, { params: { courseId: course.id } })).status, 200);
  assertRefused(
    await student.client.attempt(leaveCourse, { params: { courseId: course.id } }),
    courseNotFound,
    'it is hidden from them now',
  );
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status: 'published' } });
  assert.equal(
    (await student.client.call(getCourse, { params: { courseId: course.id } })).data.enrolled,
    false,
  );
});

test('three concurrent enrolments with exactly the price enrol once, and all succeed', async () => {
  const owner = await newEducator(platform);
  for (let round = 1; round <= 10; round++) {
    const { course } = await newCourse(platform, { owner, course: { price: 25 } });
    const member = await platform.newMemberWith(25);
    const answers = await Promise.all(
      [1, 2, 3].map(() => member.client.callPatiently(enrollInCourse, { params: { courseId: course.id } })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 201]);
    assert.equal((await member.client.call(getBalance)).data.balance, 0);
  }
});

test('a member who leaves between two enrolments has paid once', async () => {
  const owner = await newEducator(platform);
  for (let round = 1; round <= 12; round++) {
    const { course } = await newCourse(platform, { owner, course: { price: 25 } });
    const member = await platform.newMemberWith(75);
    const enrol = () => member.client.call(enrollInCourse, { params: { courseId: course.id } });
    const leave = () => member.client.attempt(leaveCourse, { params: { courseId: course.id } });
    const presses = await Promise.all([
      enrol(),
      enrol().then((answer) => leave().then(() => answer)),
      enrol(),
    ]);
    await leave();
    assert.ok(presses.every(({ status }) => [200, 201].includes(status)));
    assert.equal((await member.client.call(getBalance)).data.balance, 50);
  }
});

test('a lesson that several requests publish at once is announced and counted once', async () => {
  const { owner, module } = await newCourse(platform);
  const draft = async (place: number): Promise<string> =>
    (await owner.client.call(createLesson, { body: { moduleId: module.id, title: `Draft ${place}` } })).data
      .id;
  const publish = (id: string) =>
    owner.client.attempt(updateLesson, { params: { lessonId: id }, body: { status: 'published' } });
  for (let place = 0; place < 15; place++) {
    const id = await draft(place);
    const answers = await Promise.all(Array.from({ length: 6 }, () => publish(id)));
    for (const { status, body } of answers) assert.deepEqual([status, body.message], [200, 'Lesson updated']);
  }
  // Six times fifteen would have used up the sixty of an hour.
  assert.equal((await publish(await draft(15))).body.message, 'Lesson updated');
});

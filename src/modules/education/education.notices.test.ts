// What educators are told of their videos, and what becomes of the notifications of a lesson that is taken away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCourse,
  createCourseModule,
  createLesson,
  deleteCourse,
  deleteCourseModule,
  deleteLesson,
  enrollInCourse,
  updateCourse,
  updateLesson,
} from '../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { formerEvents } from '../../../test/support/former-events.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker } from '../../kernel/ids.ts';
import { videoCompleted, videoFailed } from '../media/contract.ts';

const platform = await startPlatform();
const { queued, settled, newestOf, notificationsOf } = formerEvents(platform);
const newId = idMaker(platform.clock);

test('an educator whose video is ready is told who can watch it, or what to publish first', async () => {
  const { owner, course, lessons } = await newCourse(platform, { lessons: 2 });
  const params = { lessonId: lessons[0].id };
  const told = async () => {
    const data = { videoId: newId(), subjectId: params.lessonId, ownerId: owner.id, duration: 8 };
    await queued(videoCompleted.name, data);
    return (await newestOf(owner)).message;
  };
  assert.equal(await told(), 'Members can watch it now.');
  await owner.client.call(updateLesson, { params, body: { status: 'draft' } });
  assert.equal(await told(), 'Publish the lesson so that members can watch it.');
  const body = { status: 'draft' } as const;
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body });
  assert.equal(await told(), 'Publish the lesson and the course so that members can watch it.');
  await owner.client.call(updateLesson, { params, body: { status: 'published' } });
  assert.equal(await told(), 'Publish the course so that members can watch it.');
});

type Made = Awaited<ReturnType<typeof newCourse>>;
const TAKEN: Record<string, (made: Made, lessonId: string) => Promise<unknown>> = {
  deleted: ({ owner }, lessonId) => owner.client.call(deleteLesson, { params: { lessonId } }),
  'taken back to draft': ({ owner }, lessonId) =>
    owner.client.call(updateLesson, { params: { lessonId }, body: { status: 'draft' } }),
  'deleted with its module': async ({ owner, course }, lessonId) => {
    const ofCourse = { courseId: course.id };
    const body = { title: 'Module 2' };
    const { data: module } = await owner.client.call(createCourseModule, { params: ofCourse, body });
    await owner.client.call(updateLesson, { params: { lessonId }, body: { moduleId: module.id } });
    await owner.client.call(deleteCourseModule, { params: { ...ofCourse, moduleId: module.id } });
  },
};

for (const [how, take] of Object.entries(TAKEN))
  test(`the notification of a lesson goes when the lesson is ${how}`, async () => {
    const made = await newCourse(platform);
    const student = await platform.newMember();
    await student.client.call(enrollInCourse, { params: { courseId: made.course.id } });
    const publish = async (title: string) => {
      const body = { moduleId: made.module.id, title, status: 'published' } as const;
      return (await made.owner.client.call(createLesson, { body })).data.id;
    };
    await publish('Kept');
    const taken = await publish('Taken');
    await settled();
    const told = async () =>
      (await notificationsOf(student))
        .filter(({ type }) => type === 'course_update')
        .map(({ message }) => message)
        .toSorted();
    assert.deepEqual(await told(), ['Kept', 'Taken']);
    await take(made, taken);
    await until(async () => (await told()).join() === 'Kept', 'the other one to be left');
  });

test('an educator keeps the notifications of videos until the lesson is deleted', async () => {
  const { owner, lessons } = await newCourse(platform, { lessons: 2 });
  const params = { lessonId: lessons[1]?.id ?? '' };
  const data = { videoId: newId(), subjectId: params.lessonId, ownerId: owner.id };
  await queued(videoFailed.name, { ...data, code: 'DAMAGED', message: 'It ends early' });
  await queued(videoCompleted.name, { ...data, duration: 8 });
  const titles = async () =>
    (await notificationsOf(owner)).map(({ title }) => title).filter((title) => title.includes('video'));
  assert.equal((await titles()).length, 2);
  await owner.client.call(updateLesson, { params, body: { status: 'draft' } });
  await settled();
  assert.equal((await titles()).length, 2, 'they still open the draft');
  await owner.client.call(deleteLesson, { params });
  await until(async () => (await titles()).length === 0, 'none to be left');
});

/** A course without students whose only lesson has a video that somebody uploaded, who was told that it is ready. */
async function uploaded() {
  const { client } = await newEducator(platform);
  const { data: course } = await client.call(createCourse, { body: { title: 'Course' } });
  const ofCourse = { params: { courseId: course.id } };
  const { data: module } = await client.call(createCourseModule, { ...ofCourse, body: { title: 'Module' } });
  const { data: lesson } = await client.call(createLesson, {
    body: { moduleId: module.id, title: 'Lesson' },
  });
  const uploader = await platform.newMember();
  const videoId = newId();
  await platform.database.execute(
    `insert into media.video (id, subject_id, owner_id, source_key, source_etag, source_bytes, status, created_at,
       duration_ms, renditions, poster, completed_at)
     values ($1, $2, $3, 'uploads/x.mp4', '"x"', 1, 'complete', now(), 8000, '{360p}', '1/poster.jpg', now())`,
    [videoId, lesson.id, uploader.id],
  );
  const data = { videoId, subjectId: lesson.id, ownerId: uploader.id, duration: 8 };
  await queued(videoCompleted.name, data);
  const told = async () =>
    (await notificationsOf(uploader)).filter(({ title }) => title === 'Your video is ready').length;
  assert.equal(await told(), 1);
  const params = { ...ofCourse.params, moduleId: module.id, lessonId: lesson.id };
  return { client, params, told };
}

const DELETIONS = { lesson: deleteLesson, module: deleteCourseModule, course: deleteCourse };
for (const [what, deletion] of Object.entries(DELETIONS))
  test(`the notification of a video goes with the ${what}, whoever uploaded it`, async () => {
    const { client, params, told } = await uploaded();
    await client.call(deletion, { params });
    await until(async () => (await told()) === 0, 'none to be left');
  });

test('deleting lessons of which nobody was told looks for no notifications', async () => {
  const { owner, course } = await newCourse(platform);
  const ofCourse = { courseId: course.id };
  const { data: module } = await owner.client.call(createCourseModule, {
    params: ofCourse,
    body: { title: 'Drafts' },
  });
  for (const title of ['One', 'Another'])
    await owner.client.call(createLesson, { body: { moduleId: module.id, title } });
  await settled();
  const looks = () =>
    platform.database.count(`select count(*) from jobs.job where name = 'notifications.withdraw'`);
  const before = await looks();
  await owner.client.call(deleteCourseModule, { params: { ...ofCourse, moduleId: module.id } });
  assert.equal(await looks(), before);
});

// What educators are told of their videos, and what becomes of the notifications of a lesson that is taken away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateCourse, updateLesson } from '../../../sdk/src/index.ts';
import { newCourse } from '../../../test/support/courses.ts';
import { formerEvents } from '../../../test/support/former-events.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker } from '../../kernel/ids.ts';
import { videoCompleted } from '../media/contract.ts';

const platform = await startPlatform();
const { queued, newestOf } = formerEvents(platform);
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeCourseOwner,
  createWallet,
  enrollInCourse,
  getBalance,
  getCourse,
  listAudit,
  listCourses,
  updateCourse,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { notEducator, userNotFound } from '../../identity/contract.ts';
import { courseNotFound } from '../contract.ts';

const platform = await startPlatform();
const { admin } = platform;
const reason = 'They left';

const passOn = (courseId: string, userId: string) =>
  admin.attempt(changeCourseOwner, { params: { courseId }, body: { userId, reason } });
const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
async function newTeacher(): Promise<Member> {
  const member = await newEducator(platform);
  await member.client.call(createWallet);
  return member;
}

test('the new owner of a course manages it and is paid from then on', async () => {
  const [ada, ben] = [await newTeacher(), await newTeacher()];
  const { course } = await newCourse(platform, { owner: ada, course: { price: 10 } });
  const params = { courseId: course.id };
  const first = await platform.newMemberWith(10);
  await first.client.call(enrollInCourse, { params });
  const { status, data } = await passOn(course.id, ben.id);
  assert.deepEqual([status, data?.id, data?.instructor.id], [200, course.id, ben.id]);
  const second = await platform.newMemberWith(10);
  await second.client.call(enrollInCourse, { params });
  assert.deepEqual([await balanceOf(ada), await balanceOf(ben)], [10, 10]);
  assertRefused(
    await ada.client.attempt(updateCourse, { params, body: { title: 'Mine' } }),
    insufficientPermissions,
  );
  await ben.client.call(updateCourse, { params, body: { title: 'Ours' } });
  assert.equal((await first.client.call(getCourse, { params })).data.title, 'Ours', 'students stay');
  const of = async (instructorId: string) =>
    (await first.client.call(listCourses, { query: { instructorId } })).data.map(({ id }) => id);
  assert.deepEqual([await of(ada.id), await of(ben.id)], [[], [course.id]]);
  const [entry] = (await admin.call(listAudit, { query: { target: course.id } })).data;
  assert.deepEqual(
    [entry?.action, entry?.reason, entry?.targetName, entry?.changes],
    ['course.owner-changed', reason, course.title, { ownerId: [ada.id, ben.id] }],
  );
});

test('each enrolment during the change is paid to exactly one owner', async () => {
  const [ada, ben] = [await newTeacher(), await newTeacher()];
  const { course } = await newCourse(platform, { owner: ada, course: { price: 1 } });
  const students = await Promise.all(Array.from({ length: 8 }, () => platform.newMemberWith(1)));
  const enrolling = students.map(({ client }) =>
    untilAvailable(() => client.attempt(enrollInCourse, { params: { courseId: course.id } })),
  );
  const [changed, ...enrolled] = await Promise.all([
    untilAvailable(() => passOn(course.id, ben.id)),
    ...enrolling,
  ]);
  assert.equal(changed.status, 200);
  assert.ok(enrolled.every(({ status }) => status === 201));
  assert.equal((await balanceOf(ada)) + (await balanceOf(ben)), students.length);
});

test('passing a course to its owner changes nothing', async () => {
  const ada = await newTeacher();
  const { course } = await newCourse(platform, { owner: ada });
  assert.equal((await passOn(course.id, ada.id)).status, 200);
  assert.deepEqual((await admin.call(listAudit, { query: { target: course.id } })).data, []);
});

test('only active educators become owners, and only administrators pass courses on', async () => {
  const [ada, ben] = [await newTeacher(), await newTeacher()];
  const { course } = await newCourse(platform, { owner: ada });
  assertRefused(await passOn(course.id, (await platform.newMember()).id), notEducator);
  await admin.call(updateUser, { params: { userId: ben.id }, body: { isActive: false } });
  assertRefused(await passOn(course.id, ben.id), notEducator);
  assertRefused(await passOn(course.id, 'f'.repeat(24)), userNotFound);
  assertRefused(await passOn('f'.repeat(24), ada.id), courseNotFound);
  const params = { courseId: course.id };
  assert.equal(
    (await ada.client.attempt(changeCourseOwner, { params, body: { userId: ada.id } })).status,
    403,
  );
  assertInvalid(await admin.raw('PUT', `/v1/courses/${course.id}/owner`, {}));
});

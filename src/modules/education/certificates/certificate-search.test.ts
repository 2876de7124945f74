// Members find their own certificates by the title of the course.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteCourse,
  deleteUser,
  enrollInCourse,
  getCourseCertificate,
  search,
  updateCourse,
  updateLessonProgress,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, newMember, database } = platform;

const found = async (client: Pick<Member['client'], 'call'>, q: string) =>
  (await client.call(search, { query: { q, type: 'certificate' } })).data.results;

/** Makes a course that the member has completed. */
async function completed({ client }: Member, title: string) {
  const taught = await newCourse(platform, { course: { title } });
  await client.call(enrollInCourse, { params: { courseId: taught.course.id }, body: {} });
  for (const { id } of taught.lessons)
    await client.call(updateLessonProgress, {
      params: { lessonId: id },
      body: { positionSeconds: 1, completed: true },
    });
  return taught;
}

const certificateOf = async ({ client }: Member, courseId: string) =>
  (await client.call(getCourseCertificate, { params: { courseId } })).data;

/** Completes a course of this title and returns it with the certificate. */
async function certified(member: Member, title: string) {
  const taught = await completed(member, title);
  return { ...taught, certificate: await certificateOf(member, taught.course.id) };
}

test('members find their own certificates, and nobody finds those of others', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const { owner, certificate } = await certified(ada, 'Xenotime');
  const own = await found(ada.client, 'xenotime');
  assert.deepEqual(
    own.map(({ id, title, url }) => [id, title, url]),
    [[certificate.certificateId, 'Xenotime', `/certificates/${certificate.certificateId}`]],
  );
  for (const client of [ben.client, owner.client, admin])
    assert.deepEqual(await found(client, 'xenotime'), []);
});

test('a certificate is found under the title that it bears, also once the course has another or is deleted', async () => {
  const ada = await newMember();
  const { owner, course, certificate } = await certified(ada, 'Monazite');
  const params = { courseId: course.id };
  await owner.client.call(updateCourse, { params, body: { title: 'Allanite' } });
  await owner.client.call(deleteCourse, { params });
  assert.deepEqual(
    (await found(ada.client, 'monazite')).map(({ id }) => id),
    [certificate.certificateId],
  );
  assert.deepEqual(await found(ada.client, 'allanite'), []);
});

test('two concurrent first requests issue one certificate, which is found once', async () => {
  const ada = await newMember();
  const { course } = await completed(ada, 'Thorianite');
  const issued = await Promise.all(Array.from({ length: 5 }, () => certificateOf(ada, course.id)));
  assert.equal(new Set(issued.map(({ certificateId }) => certificateId)).size, 1);
  assert.equal((await found(ada.client, 'thorianite')).length, 1);
});

test('the certificates of a deleted member leave the index, with their words', async () => {
  const ada = await newMember();
  await certified(ada, 'Euxenite');
  await admin.call(deleteUser, { params: { userId: ada.id } });
  const left = async () =>
    await database.count(
      `select (select count(*) from search.document where type = 'certificate' and audiences::text like $1)
         + (select count(*) from search.word where audience = $2)`,
      [`%${ada.id}%`, `user:${ada.id}`],
    );
  await until(async () => (await left()) === 0, 'the certificate is forgotten');
});

test('a rebuild indexes certificates that exist already', async () => {
  const ada = await newMember();
  const { certificate } = await certified(ada, 'Samarskite');
  await database.execute('delete from search.document where id = $1', [certificate.certificateId]);
  assert.deepEqual(await found(ada.client, 'samarskite'), []);
  await platform.platform.runJob('search.rebuild');
  assert.equal((await found(ada.client, 'samarskite')).length, 1);
});

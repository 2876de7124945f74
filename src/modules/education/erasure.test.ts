import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteUser, enrollInCourse, getCourse, leaveCourse } from '../../../sdk/src/index.ts';
import { newCourse } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { eraseActivity } from './erasure.store.ts';

const platform = await startPlatform();
const { database } = platform;
const ATTEMPTS = 12_000;

/** Makes a member attempt a quiz very often, by rows. */
const attempt = (userId: string, lessonId: string) =>
  database.execute(
    `insert into education.quiz_attempt (user_id, lesson_id, attempt, answers, score, passed, created_at)
     select $1, $2, n, '[[0]]', 0, false, now() from generate_series(1, ${ATTEMPTS}) n`,
    [userId, lessonId],
  );
const attemptsOf = (userId: string) =>
  database.count('select count(*) from education.quiz_attempt where user_id = $1', [userId]);

test('the attempts of a deleted member go in portions, those of others stay', async () => {
  const { lessons } = await newCourse(platform);
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  for (const { id } of [ada, ben]) await attempt(id, lessons[0].id);
  await database.execute('create table portion (deleted integer)');
  await database.execute(
    `create function note_portion() returns trigger language plpgsql as $$
     begin insert into public.portion select count(*) from gone; return null; end $$`,
  );
  await database.execute(
    `create trigger portions after delete on education.quiz_attempt referencing old table as gone
     for each statement execute function note_portion()`,
  );
  await platform.admin.call(deleteUser, { params: { userId: ada.id } });
  await until(async () => (await attemptsOf(ada.id)) === 0, 'the erasure');
  assert.equal(await attemptsOf(ben.id), ATTEMPTS);
  const portions = await database.all<{ deleted: number }>('select deleted from portion where deleted > 0');
  const sizes = portions.map(({ deleted }) => deleted);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    ATTEMPTS,
  );
  assert.ok(Math.max(...sizes) <= 5_000, `${sizes}`);
});

test('an erasure that is repeated counts nobody twice', async () => {
  const { owner, course } = await newCourse(platform);
  const params = { courseId: course.id };
  const [ada, ben, eve] = [
    await platform.newMember(),
    await platform.newMember(),
    await platform.newMember(),
  ];
  for (const { client } of [ada, ben, eve]) await client.call(enrollInCourse, { params });
  await ben.client.call(leaveCourse, { params });
  for (const { id } of [ada, ben, ada, ben]) await eraseActivity(database, id);
  assert.equal((await owner.client.call(getCourse, { params })).data.enrolledCount, 1);
});

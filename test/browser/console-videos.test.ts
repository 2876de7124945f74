// Videos of lessons that could not be prepared: from the overview to another attempt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAudit } from '../../sdk/src/index.ts';
import { idMaker } from '../../src/kernel/ids.ts';
import { perform } from '../support/console-operator.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { newCourse } from '../support/courses.ts';
import { ADMIN, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform();
const { admin, clock, database, url } = platform;
const newId = idMaker(clock);

test('an operator follows the failed videos of the overview, sees why, and has one prepared again', {
  skip,
}, async () => {
  const { course, lessons } = await newCourse(platform, { lessons: 1 });
  const lessonId = lessons[0]?.id ?? '';
  const key = `uploads/${lessonId}.mp4`;
  await database.execute(
    `insert into media.video (id, subject_id, owner_id, source_key, source_etag, source_bytes, status, error_code,
       error_message, created_at)
     values ($1, $2, $2, $3, '"x"', 1, 'failed', 'PROCESSING_TIMEOUT', 'The processing took too long', now())`,
    [newId(), lessonId, key],
  );
  const removal = `insert into media.cleanup (prefix, due_at) values ($1, now() + interval '2 days')`;
  await database.execute(removal, [key]);
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, '/');
  await perform(page, [{ open: /Failed videos/ }]);
  const row = page.getByRole('row').filter({ hasText: course.title });
  await row.getByText('The processing took too long').waitFor();
  await perform(page, [{ press: 'Retry', row: course.title }]);
  await page.getByText('is being prepared again.').first().waitFor();
  const [entry] = (await admin.call(listAudit, { query: { target: lessonId } })).data;
  assert.equal(entry?.action, 'lesson.video-retried');
  assert.deepEqual(complaints, []);
});

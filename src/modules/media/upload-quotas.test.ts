import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStory } from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { publicUploads } from '../../../test/support/public-uploads.ts';

const platform = await startPlatform();
const { database } = platform;
const { sweepIn, presign, tryToPresign } = publicUploads(platform);

const FILM = { fileName: 'x.mp4', fileSize: 200 * 1024 ** 2, contentType: 'video/mp4' as const };

test('unused uploads of a member are limited to one gigabyte', async () => {
  const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
  const first = await presign(ada, FILM);
  for (let count = 0; count < 4; count++) await presign(ada, FILM);
  const refused = await tryToPresign(ada, FILM);
  assert.deepEqual([refused.status, refused.body.error], [429, 'UPLOAD_QUOTA_EXCEEDED']);
  const retryAfter = Number(refused.headers.get('retry-after'));
  assert.ok(retryAfter > 23 * 3600 && retryAfter <= 24 * 3600, `${retryAfter}`);
  await presign(ada);
  await presign(eve, FILM);
  await ada.client.call(createStory, {
    params: { educatorId: ada.id },
    body: { mediaType: 'video', mediaUrl: first.publicUrl },
  });
  await presign(ada, FILM);
  assert.equal((await tryToPresign(ada, FILM)).status, 429);
  await sweepIn(25);
  await presign(ada, FILM);
});

test('concurrent requests cannot exceed the upload quota, and files per day are limited', async () => {
  const ada = await newEducator(platform);
  const many = await Promise.all(Array.from({ length: 12 }, () => tryToPresign(ada, FILM)));
  assert.equal(many.filter(({ status }) => status === 201).length, 5);
  await database.execute(
    'update kernel.public_file set is_used = true, bytes = 2 * 1024::bigint ^ 3 where owner_id = $1',
    [ada.id],
  );
  assert.deepEqual([(await tryToPresign(ada)).status, (await tryToPresign(ada, FILM)).status], [429, 429]);
});

test('a member has at most five hundred unused files', async () => {
  const ada = await newEducator(platform);
  await database.execute(
    `insert into kernel.public_file (key, owner_id, bytes, created_at, removable_at)
     select 'files/image/' || $1 || '/' || lpad(n::text, 24, '0') || '.png', $1, 1, now(), now() + interval '1 day'
     from generate_series(1, 500) n`,
    [ada.id],
  );
  assert.equal((await tryToPresign(ada)).body.error, 'UPLOAD_QUOTA_EXCEEDED');
});

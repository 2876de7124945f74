// What may be uploaded, what counts as arrived, and what is removed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time.ts';

const { platform, database, clock } = await startPlatform();
const { media } = platform;
const newId = idMaker(systemClock);
const upload = (contentType: string, fileSize: number) => ({ fileName: 'x', fileSize, contentType });

test('uploads are refused by type and size, and their completion by what arrived', async () => {
  const subjectId = newId();
  for (const [contentType, fileSize] of [
    ['video/x-msvideo', 10],
    ['text/html', 10],
    ['toString', 10],
    ['video/mp4', 5 * 1024 ** 3 + 1],
  ] as const)
    await assert.rejects(media.requestVideoUpload(subjectId, subjectId, upload(contentType, fileSize)), {
      status: 422,
    });
  const ticket = await media.requestVideoUpload(subjectId, subjectId, upload('video/mp4', 10));
  assert.equal(ticket.expiresIn, 3600);
  assert.match(ticket.fileKey, /^uploads\/[0-9a-f]{24}\.mp4$/);
  assert.equal((await media.videoStatus(subjectId, subjectId)).status, 'uploading');
  await assert.rejects(media.completeVideoUpload(subjectId, ticket.fileKey), { code: 'UPLOAD_NOT_FOUND' });
  await assert.rejects(media.completeVideoUpload(newId(), ticket.fileKey), { status: 404 });
  await assert.rejects(media.completeVideoUpload(subjectId, 'uploads/unknown.mp4'), { status: 404 });
  const put = (body: string, type: string) =>
    fetch(ticket.uploadUrl, { method: 'PUT', headers: { 'content-type': type }, body });
  assert.equal((await put('0123456789x', 'video/mp4')).status, 403);
  assert.equal((await put('0123456789', 'text/html')).status, 403);
  assert.equal((await put('0123456789', 'video/mp4')).status, 200);
  await Promise.all([1, 2, 3].map(() => media.completeVideoUpload(subjectId, ticket.fileKey)));
  const count = await database.count('select count(*) from media.video where subject_id = $1', [subjectId]);
  assert.equal(count, 1);
});

test('an upload that nobody completes is removed', async () => {
  const subjectId = newId();
  const ticket = await media.requestVideoUpload(subjectId, subjectId, upload('video/mp4', 10));
  await fetch(ticket.uploadUrl, { method: 'PUT', headers: ticket.instructions.headers, body: '0123456789' });
  clock.advance(26 * 3600 * 1000);
  await platform.runJob('media.sweep');
  clock.advance(-26 * 3600 * 1000);
  await assert.rejects(media.completeVideoUpload(subjectId, ticket.fileKey), { code: 'UPLOAD_NOT_FOUND' });
  assert.equal((await media.videoStatus(subjectId, subjectId)).status, null);
});

test('public files are uploaded for everybody to read, and never as pages', async () => {
  await assert.rejects(media.requestPublicUpload('image', newId(), upload('image/svg+xml', 10)), {
    status: 422,
  });
  await assert.rejects(media.requestPublicUpload('image', newId(), upload('video/mp4', 10)), { status: 422 });
  await assert.rejects(media.requestPublicUpload('image', newId(), upload('image/png', 11 * 1024 ** 2)), {
    status: 422,
  });
  const ticket = await media.requestPublicUpload('story', newId(), upload('image/png', 4));
  assert.equal(ticket.expiresIn, 900);
  await fetch(ticket.uploadUrl, { method: 'PUT', headers: ticket.instructions.headers, body: 'four' });
  const { status, headers } = await fetch(ticket.publicUrl);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'image/png');
  assert.ok(media.isOwnUrl(ticket.publicUrl));
  for (const alien of [
    'https://example.com/x.png',
    `${ticket.publicUrl}?x`,
    `${ticket.publicUrl}/../x.png`,
    'x',
  ])
    assert.ok(!media.isOwnUrl(alien), alien);
});

// Which uploads are accepted, when they count as complete, and when they are removed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holding } from '../../../test/support/holding.ts';
import { SAMPLES } from '../../../test/support/pictures.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { until } from '../../../test/support/videos.ts';
import { idMaker } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time/time.ts';

const { platform, database, clock, standIn } = await startPlatform();
const { media } = platform;
const newId = idMaker(systemClock);
const upload = (contentType: string, fileSize: number) => ({ fileName: 'x', fileSize, contentType });

test('uploads are validated by type and size, and their completion by the stored file', async () => {
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

test('deleting a lesson during the completion of its upload leaves no video', async () => {
  const subjectId = newId();
  const { uploadUrl, fileKey } = await media.requestVideoUpload(subjectId, subjectId, upload('video/mp4', 4));
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'video/mp4' }, body: 'clip' });
  const waiting = (atLeast: number) =>
    until(`${atLeast} that wait`, async () => {
      const count = await database.count(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        [],
      );
      return count >= atLeast;
    });
  // While the upload's row is held, its completion waits in the midst of its transaction, and the deletion after it.
  const [completed, erased] = await holding(database, async (tx) => {
    await tx.execute('select from media.upload where key = $1 for update', [fileKey]);
    const completion = media.completeVideoUpload(subjectId, fileKey);
    await waiting(1);
    const deletion = database.transaction((other) => media.erase(other, [subjectId]));
    await waiting(2);
    return [completion, deletion].map((one) => ({ one }));
  });
  await Promise.all([completed?.one, erased?.one]);
  const count = await database.count('select count(*) from media.video where subject_id = $1', [subjectId]);
  assert.equal(count, 0);
});

test('an upload announced before the newest video, and abandoned, does not hide that the video failed', async () => {
  const subjectId = newId();
  const request = () => media.requestVideoUpload(subjectId, subjectId, upload('video/mp4', 5));
  const statusOf = async () => (await media.videoStatus(subjectId, subjectId)).status;
  await request();
  const { uploadUrl, fileKey, instructions } = await request();
  await fetch(uploadUrl, { method: 'PUT', headers: instructions.headers, body: 'hello' });
  await media.completeVideoUpload(subjectId, fileKey);
  // As the processing does; the worker may have been faster.
  await media.cancelVideo(subjectId).catch(() => undefined);
  assert.equal(await statusOf(), 'failed');
  // Another attempt counts, until its link ends.
  clock.advance(1_000);
  await request();
  assert.equal(await statusOf(), 'uploading');
  clock.advance(3601 * 1000);
  assert.equal(await statusOf(), 'failed');
  clock.advance(-3602 * 1000);
});

test('an older upload that is completed late does not end a newer one, unless that has failed', async () => {
  const subjectId = newId();
  const send = async () => {
    clock.advance(1_000);
    const ticket = await media.requestVideoUpload(subjectId, subjectId, upload('video/mp4', 5));
    await fetch(ticket.uploadUrl, { method: 'PUT', headers: ticket.instructions.headers, body: 'hello' });
    return ticket.fileKey;
  };
  const newest = async () =>
    (
      await database.all<{ sourceKey: string }>(
        'select source_key from media.video where subject_id = $1 order by number desc limit 1',
        [subjectId],
      )
    )[0]?.sourceKey;
  const [oldest, older, newer] = [await send(), await send(), await send()] as const;
  await media.completeVideoUpload(subjectId, older);
  await media.completeVideoUpload(subjectId, newer);
  // As the processing does; the worker may have been faster, and refused it.
  await database.execute(
    `update media.video set status = 'complete', error_code = null, duration_ms = 1, renditions = '{360p}',
       poster = '1/poster.jpg', completed_at = now() where source_key = $1`,
    [newer],
  );
  await assert.rejects(media.completeVideoUpload(subjectId, oldest), { code: 'UPLOAD_REPLACED' });
  await media.completeVideoUpload(subjectId, newer);
  assert.equal(await newest(), newer);
  await database.execute(
    `update media.video set status = 'failed', error_code = 'X', completed_at = null where source_key = $1`,
    [newer],
  );
  await media.completeVideoUpload(subjectId, oldest);
  assert.equal(await newest(), oldest);
  clock.advance(-3_000);
});

test('incomplete uploads are removed', async () => {
  const subjectId = newId();
  const ticket = await media.requestVideoUpload(subjectId, subjectId, upload('video/mp4', 10));
  await fetch(ticket.uploadUrl, { method: 'PUT', headers: ticket.instructions.headers, body: '0123456789' });
  clock.advance(26 * 3600 * 1000);
  await platform.runJob('media.sweep');
  clock.advance(-26 * 3600 * 1000);
  await assert.rejects(media.completeVideoUpload(subjectId, ticket.fileKey), { code: 'UPLOAD_NOT_FOUND' });
  assert.equal((await media.videoStatus(subjectId, subjectId)).status, null);
});

const put = (
  ticket: { uploadUrl: string; instructions: { headers: Record<string, string> } },
  body: Buffer,
) =>
  fetch(ticket.uploadUrl, {
    method: 'PUT',
    headers: ticket.instructions.headers,
    body: body as unknown as string,
  });

test('a member has at most twenty announced videos that never arrive, also concurrently', async () => {
  const ownerId = newId();
  const request = () => media.requestVideoUpload(newId(), ownerId, upload('video/mp4', 5 * 1024 ** 3));
  const outcomes = await Promise.allSettled(Array.from({ length: 25 }, request));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 20);
  await assert.rejects(request(), { status: 429, code: 'UPLOAD_QUOTA_EXCEEDED' });
  clock.advance(26 * 3600 * 1000);
  await platform.runJob('media.sweep');
  await request();
  clock.advance(-26 * 3600 * 1000);
});

test('public files are validated by type and size, and web pages refused', async () => {
  const owner = newId();
  for (const [contentType, bytes] of [
    ['image/svg+xml', 10],
    ['text/html', 10],
    ['video/mp4', 10],
    ['image/png', 10 * 1024 ** 2 + 1],
  ] as const)
    await assert.rejects(media.requestPublicUpload('image', owner, upload(contentType, bytes)), {
      status: 422,
    });
  await assert.rejects(media.requestPublicUpload('story', owner, upload('video/mp4', 200 * 1024 ** 2 + 1)), {
    status: 422,
  });
});

test('a public file is served once its content matches its type', async () => {
  const owner = newId();
  for (const [contentType, sample] of [
    ['image/png', SAMPLES.png],
    ['image/gif', SAMPLES.gif],
    ['image/jpeg', SAMPLES.jpg],
    ['image/webp', SAMPLES.webp],
    ['image/avif', SAMPLES.avif],
    ['video/mp4', SAMPLES.mp4],
  ] as const) {
    const ticket = await media.requestPublicUpload('story', owner, upload(contentType, sample.length));
    assert.deepEqual(Object.keys(ticket).sort(), [
      'expiresIn',
      'fileKey',
      'instructions',
      'publicUrl',
      'uploadUrl',
    ]);
    assert.equal(ticket.expiresIn, 900);
    assert.deepEqual(ticket.instructions, { method: 'PUT', headers: { 'Content-Type': contentType } });
    assert.equal((await fetch(ticket.publicUrl)).status, 404, 'before it has arrived');
    assert.equal((await put(ticket, sample)).status, 200);
    const seen = await fetch(ticket.publicUrl);
    assert.equal(seen.status, 200);
    assert.equal(seen.headers.get('content-type'), contentType);
    assert.equal(seen.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(seen.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(Buffer.from(await seen.arrayBuffer()), sample);
    const part = await fetch(ticket.publicUrl, { headers: { range: 'bytes=2-3' } });
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), sample.subarray(2, 4));
    const beyond = await fetch(ticket.publicUrl, { headers: { range: 'bytes=99999999-' } });
    const { error } = (await beyond.json()) as { error: string };
    assert.deepEqual(
      [beyond.status, beyond.headers.get('content-range'), error],
      [416, `bytes */${sample.length}`, 'RANGE_NOT_SATISFIABLE'],
    );
    const etag = seen.headers.get('etag') ?? '';
    assert.equal((await fetch(ticket.publicUrl, { headers: { 'if-none-match': etag } })).status, 304);
    await media.checkPublicUrls({ mediaUrl: ticket.publicUrl }, { ownerIds: [owner] });
  }
});

test('a file that is not a picture is neither served nor accepted', async () => {
  const owner = newId();
  const page = Buffer.from('<!doctype html><script>alert(1)</script>');
  const ticket = await media.requestPublicUpload('image', owner, upload('image/png', page.length));
  // The file has not arrived: the storage is checked only when it is served.
  await media.checkPublicUrls({ profilePicture: ticket.publicUrl });
  await put(ticket, page);
  for (const headers of [{}, { range: 'bytes=0-3' }, { 'if-none-match': '*' }] as Record<string, string>[])
    assert.equal((await fetch(ticket.publicUrl, { headers })).status, 404, JSON.stringify(headers));
  assert.equal((await fetch(ticket.publicUrl, { method: 'HEAD' })).status, 404);
  await assert.rejects(media.checkPublicUrls({ profilePicture: ticket.publicUrl }), { status: 422 });
  const picture = Buffer.concat([SAMPLES.png, Buffer.alloc(100)]);
  const replaced = await media.requestPublicUpload('image', owner, upload('image/png', picture.length));
  await put(replaced, picture);
  assert.equal((await fetch(replaced.publicUrl)).status, 200);
  await put(replaced, Buffer.concat([page, Buffer.alloc(picture.length - page.length)]));
  assert.equal((await fetch(replaced.publicUrl)).status, 404);
  await put(replaced, picture);
  assert.equal((await fetch(replaced.publicUrl)).status, 200);
});

test('addresses of our files must belong to the member, and those of other sites are accepted', async () => {
  const owner = newId();
  const { publicUrl } = await media.requestPublicUpload('image', owner, upload('image/png', 96));
  const check = (
    imageUrl: string,
    rule: Parameters<typeof media.checkPublicUrls>[1] = { ownerIds: [owner] },
  ) => media.checkPublicUrls({ imageUrl }, rule);
  await check(publicUrl);
  await check(publicUrl, {});
  await check(publicUrl, { ownerIds: [newId(), owner] });
  await assert.rejects(check(publicUrl, { ownerIds: [newId()] }), { status: 422 });
  await check(publicUrl, { ownerIds: [newId()], alreadySaved: [publicUrl] });
  const unknown = publicUrl.replace(/[0-9a-f]{24}\.png$/, `${newId()}.png`);
  await assert.rejects(check(unknown), { status: 422 });
  assert.ok(media.isOwnUrl(publicUrl));
  for (const alien of [
    'https://example.com/x.png',
    `${publicUrl}?x`,
    `${publicUrl}/../x.png`,
    publicUrl.replace('http:', 'https:'),
    publicUrl.replace('/media/files/', '/media/files/x/'),
    publicUrl.replace('.png', '.svg'),
    'javascript:alert(1)',
    'x',
    '',
  ]) {
    assert.ok(!media.isOwnUrl(alien), alien);
    await check(alien);
  }
});

test('while the storage fails public files are 503 and their addresses are accepted', async () => {
  const owner = newId();
  const ticket = await media.requestPublicUpload('image', owner, upload('image/png', SAMPLES.png.length));
  await put(ticket, SAMPLES.png);
  for (const mode of ['fail', 'hang']) {
    await standIn('storage', { mode });
    try {
      const [answer] = await Promise.all([
        fetch(ticket.publicUrl),
        media.checkPublicUrls({ imageUrl: ticket.publicUrl }),
      ]);
      assert.equal(answer.status, 503, mode);
      assert.equal(answer.headers.get('retry-after'), '2');
    } finally {
      await standIn('storage', { mode: 'ok' });
    }
  }
  assert.equal((await fetch(ticket.publicUrl)).status, 200);
});

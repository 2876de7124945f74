// The whole path of a video: upload, processing by real ffmpeg, playback over HTTP.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startPlatform } from '../../../test/support/platform.ts';
import { addressesIn, read, readText as text } from '../../../test/support/playback.ts';
import {
  ended,
  makeClip,
  needsFfmpeg,
  newFolder,
  processed as processedBy,
  SMALL,
  uploadVideo,
  workFolder,
} from '../../../test/support/videos.ts';
import { idMaker } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time/time.ts';

const folder = newFolder();
const { platform, database, clock, url } = await startPlatform({
  VIDEO_WORK_DIR: workFolder(),
  TRANSCODE_PRESET: 'ultrafast',
  CORS_ORIGINS: 'https://app.example.com',
});
const { media } = platform;
const newId = idMaker(systemClock);

const processed = async (file: string) => {
  const [subjectId, viewerId] = [newId(), newId()];
  const status = await processedBy(media, file, { subjectId, viewerId });
  return { subjectId, viewerId, status, videoUrl: status.videoUrl };
};
/** A video of four seconds that many tests look at, and none changes. */
const shared = process.env.TEST_FFMPEG
  ? await processed(makeClip(join(folder, 'shared.mp4'), { rate: 10 }))
  : await Promise.resolve({ subjectId: '', viewerId: '', status: undefined, videoUrl: '' });

test(
  'an upload becomes a video whose every playlist, segment and picture can be read',
  needsFfmpeg,
  async () => {
    const { status, videoUrl, subjectId, viewerId } = await processed(
      makeClip(join(folder, 'full.mp4'), { size: '854x480', rate: 10, seconds: 7 }),
    );
    assert.equal(status.duration, 7);
    assert.deepEqual(Object.keys(status.formats), ['480p', '360p']);
    assert.equal(status.error, null);
    const master = await read(videoUrl);
    assert.equal(master.headers.get('content-type'), 'application/vnd.apple.mpegurl');
    assert.equal(master.headers.get('access-control-allow-origin'), '*');
    const tracks = addressesIn(master.body.toString(), videoUrl);
    assert.equal(tracks.length, 3);
    for (const track of tracks) {
      const playlist = await text(track);
      assert.match(playlist, /#EXT-X-ENDLIST/);
      for (const address of addressesIn(playlist, track)) {
        const { status: answered, headers, body } = await read(address);
        assert.equal(answered, 200, address);
        assert.equal(headers.get('content-type'), 'video/mp4');
        assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d+, immutable$/);
        assert.ok(body.length > 100);
      }
    }
    for (const format of Object.values(status.formats)) {
      const variants = (await text(format)).match(/#EXT-X-STREAM-INF/g);
      assert.equal(variants?.length, 1);
    }
    const poster = await read(String(status.thumbnailUrl));
    assert.equal(poster.headers.get('content-type'), 'image/jpeg');
    assert.equal(status.thumbnails.length, 3);
    for (const thumbnail of status.thumbnails)
      assert.equal((await read(thumbnail)).headers.get('content-type'), 'image/jpeg');
    const [playback, gap] = (await media.playback([subjectId, newId()], viewerId)).values();
    assert.ok(typeof playback === 'object');
    assert.equal(gap, 'none');
    assert.deepEqual(
      [playback?.videoUrl, playback?.spritesUrl, playback?.expiresAt],
      [videoUrl, status.spritesUrl, status.expiresAt],
    );
    const table = await text(String(playback?.spritesUrl));
    const [, sheet] = /^(\S+\.jpg)#xywh=0,0,160,90$/m.exec(table) ?? [];
    assert.equal((await read(new URL(String(sheet), playback?.spritesUrl).href)).status, 200);
  },
);

test('a real player plays a video from beginning to end', needsFfmpeg, async () => {
  const { videoUrl } = shared;
  const program = join(String(process.env.TEST_FFMPEG), '..', 'ffprobe');
  const args = [
    '-v',
    'error',
    '-count_packets',
    '-show_entries',
    'stream=codec_type,nb_read_packets',
    '-of',
    'csv=p=0',
  ];
  const { stdout, stderr } = await promisify(execFile)(program, [
    ...args,
    '-allowed_extensions',
    'ALL',
    videoUrl,
  ]);
  assert.match(stdout, /video,40/, stderr);
  assert.match(stdout, /audio,1\d\d/);
});

test('segments answer ranges, conditions and HEAD', needsFfmpeg, async () => {
  const { videoUrl } = shared;
  const [playlist = ''] = addressesIn(await text(videoUrl), videoUrl).filter((one) => one.includes('360p'));
  const segment = addressesIn(await text(playlist), playlist).at(-1) as string;
  const whole = await read(segment);
  const end = await read(segment, { range: 'bytes=-10' });
  assert.deepEqual(
    [end.status, end.headers.get('content-range'), end.body.equals(whole.body.subarray(-10))],
    [206, `bytes ${whole.body.length - 10}-${whole.body.length - 1}/${whole.body.length}`, true],
  );
  assert.equal(
    (await read(segment, { range: `bytes=-${whole.body.length + 9}` })).body.length,
    whole.body.length,
  );
  assert.equal((await read(segment, { range: 'bytes=-0' })).status, 416);
  const part = await read(segment, { range: 'bytes=10-19' });
  assert.equal(part.status, 206);
  assert.deepEqual(part.body, whole.body.subarray(10, 20));
  assert.equal(part.headers.get('content-range'), `bytes 10-19/${whole.body.length}`);
  const beyond = [`bytes=${whole.body.length}-`, 'bytes=99999999-'];
  for (const delivered of await Promise.all(beyond.map((range) => read(segment, { range })))) {
    const { status, headers, body } = delivered;
    const { error, errorId } = JSON.parse(String(body));
    assert.deepEqual(
      [status, headers.get('content-range'), headers.get('cache-control'), error, typeof errorId],
      [416, `bytes */${whole.body.length}`, 'no-store', 'RANGE_NOT_SATISFIABLE', 'string'],
    );
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
  }
  const etag = whole.headers.get('etag') as string;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { status, body } = await read(segment, { 'if-none-match': known });
    assert.deepEqual([status, body.length], [304, 0], known);
  }
  assert.equal((await read(segment, { 'if-none-match': '"other"' })).status, 200);
  const ifRange = (version: string) => read(segment, { range: 'bytes=10-19', 'if-range': version });
  assert.equal((await ifRange(etag)).status, 206);
  assert.deepEqual((await ifRange('"other"')).body, whole.body);
  const toEnd = await read(segment, { range: 'bytes=10-999999999' });
  assert.deepEqual(toEnd.body, whole.body.subarray(10));
  const head = await fetch(segment, { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(whole.body.length));
  const preflight = await fetch(segment, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ') ?? [];
  for (const name of ['Range', 'If-Range', 'If-None-Match']) assert.ok(allowed.includes(name), name);
  const { headers } = await read(segment, { range: 'bytes=99999999-', origin: 'https://elsewhere.example' });
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.match(headers.get('access-control-expose-headers') ?? '', /\bContent-Range\b/);
});

test('forged and expired links, other videos and outside paths are refused', needsFfmpeg, async () => {
  const { videoUrl } = shared;
  const [, token = ''] = /\/v\/([^/]+)\//.exec(videoUrl) ?? [];
  const [video = '', viewer = '', expiry = '', mac = ''] = token.split('.');
  const other = newId();
  for (const forged of [
    [other, viewer, expiry, mac],
    [video, other, expiry, mac],
    [video, viewer, 'zzzzzz', mac],
    [video, viewer, expiry, `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`],
    [video, viewer, expiry, ''],
    [video, viewer, expiry, mac, 'x'],
    [video],
  ])
    assert.equal((await read(videoUrl.replace(token, forged.join('.')))).status, 403, forged.join('.'));
  for (const path of [
    '1/nothing.m3u8',
    '1/720p/../../x.m3u8',
    '%2e%2e/%2e%2e/uploads/x.mp4',
    '1',
    '',
    '9/x/y.m4s',
    'captions/de.vtt',
  ])
    assert.equal((await read(`${url}/media/v/${token}/${path}`)).status, 404, path);
  clock.advance(7 * 3600 * 1000);
  try {
    const expired = await read(videoUrl);
    assert.equal(expired.status, 403);
    assert.match(expired.body.toString(), /expired/);
  } finally {
    clock.advance(-7 * 3600 * 1000);
  }
});

test('captions are listed in the master playlist and can be fetched', needsFfmpeg, async () => {
  const { subjectId, videoUrl } = shared;
  const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.000\nGuten Tag\n';
  assert.equal(await database.transaction((tx) => media.setCaption(tx, subjectId, 'de', vtt)), true);
  const master = await text(videoUrl);
  assert.match(master, /TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch",LANGUAGE="de"/);
  assert.match(master, /#EXT-X-STREAM-INF:.*SUBTITLES="captions"/);
  const list = addressesIn(master, videoUrl).find((address) =>
    address.endsWith('captions/de.m3u8'),
  ) as string;
  const [file = ''] = addressesIn(await text(list), list);
  const { headers, body } = await read(file);
  assert.equal(headers.get('content-type'), 'text/vtt; charset=utf-8');
  assert.equal(body.toString(), vtt);
  assert.deepEqual(await media.captionLanguages([subjectId]), new Map([[subjectId, ['de']]]));
  assert.equal(await database.transaction((tx) => media.setCaption(tx, subjectId, 'de', undefined)), true);
  assert.equal(await database.transaction((tx) => media.setCaption(tx, subjectId, 'de', undefined)), false);
  assert.doesNotMatch(await text(videoUrl), /SUBTITLES/);
});

test(
  'a replacing upload plays once it is complete, and the old video is removed a day later',
  needsFfmpeg,
  async () => {
    const { subjectId, viewerId, videoUrl } = await processed(makeClip(join(folder, 'first.mp4'), SMALL));
    await uploadVideo(media, subjectId, makeClip(join(folder, 'second.mp4'), { ...SMALL, seconds: 3 }));
    const meanwhile = await media.videoStatus(subjectId, viewerId);
    assert.equal(meanwhile.status, 'processing');
    assert.equal(meanwhile.videoUrl, videoUrl);
    const status = await ended(media, subjectId, viewerId);
    assert.equal(status.duration, 3);
    assert.notEqual(status.videoUrl, videoUrl);
    await platform.runJob('media.sweep');
    assert.equal((await read(videoUrl)).status, 200);
    const nextDay = 25 * 3600 * 1000;
    clock.advance(nextDay);
    await platform.runJob('media.sweep');
    clock.advance(-nextDay);
    assert.equal((await read(videoUrl)).status, 404);
    assert.equal((await read(String(status.videoUrl))).status, 200);
  },
);

test('deleting a video removes its files', needsFfmpeg, async () => {
  const { subjectId, videoUrl } = await processed(makeClip(join(folder, 'erased.mp4'), SMALL));
  const [track = ''] = addressesIn(await text(videoUrl), videoUrl);
  const [segment = ''] = addressesIn(await text(track), track);
  assert.equal((await read(segment)).status, 200);
  await database.transaction((tx) => media.erase(tx, [subjectId]));
  assert.equal((await media.videoStatus(subjectId, subjectId)).status, null);
  clock.advance(3600 * 1000);
  await platform.runJob('media.sweep');
  clock.advance(-3600 * 1000);
  for (const address of [videoUrl, track, segment]) assert.equal((await read(address)).status, 404);
});

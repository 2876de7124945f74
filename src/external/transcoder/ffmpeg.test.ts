// Runs real ffmpeg on small clips and on malicious files.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { transcoding } from '../../../test/support/transcoding.ts';
import { ffmpeg, makeClip, needsFfmpeg, SMALL } from '../../../test/support/videos.ts';
import { ffmpegTranscoder } from './ffmpeg.ts';

const { folder, work, settings, transcode, refusal, packetsOf, keyframesOf } = transcoding();
const listener = createServer(() => assert.fail('something was requested'));
listener.listen(0, '127.0.0.1');
after(() => listener.close());

test(
  'keyframes stand at the same instants in every rung, and segments are equally long',
  needsFfmpeg,
  async () => {
    const made = await transcode(
      makeClip(join(folder, 'aligned.mp4'), { size: '1280x720', seconds: 7, rate: 10 }),
    );
    assert.deepEqual(
      made.plan.rungs.map(({ name }) => name),
      ['720p', '480p', '360p'],
    );
    for (const { name, width, height } of made.plan.rungs) {
      assert.deepEqual(keyframesOf(made, name), [0, 2, 4, 6], name);
      assert.match(
        packetsOf(made, name, 'stream=width,height,r_frame_rate').join(),
        new RegExp(`${width},${height},10/1`),
      );
    }
    const [whole] = made.parts;
    assert.deepEqual(
      whole?.tracks[0]?.segments.map(({ seconds }) => seconds),
      [6, 1],
    );
    assert.ok(made.progress.length > 0);
    assert.ok(Math.max(...made.progress) <= 7);
  },
);

test('chunks join without a gap, an overlap or a jump', needsFfmpeg, async () => {
  const made = await transcode(
    makeClip(join(folder, 'long.mp4'), { seconds: 15, size: '426x240', rate: 10 }),
  );
  assert.deepEqual(
    made.parts.map(({ name }) => name),
    ['stretch-000', 'stretch-001', 'sound', 'sprites', 'pictures'],
  );
  const times = packetsOf(made, '240p', 'packet=pts_time')
    .map(Number.parseFloat)
    .sort((a, b) => a - b);
  assert.equal(times.length, 150);
  for (const [place, seconds] of times.entries())
    assert.ok(Math.abs(seconds - place / 10) < 0.001, `${place}: ${seconds}`);
  assert.deepEqual(keyframesOf(made, '240p'), [0, 2, 4, 6, 8, 10, 12, 14]);
  assert.ok(made.files.has('1/sprites/sprite001.jpg'));
});

test('a rotated phone video is made upright and loses its location', needsFfmpeg, async () => {
  const upright = makeClip(join(folder, 'phone.mp4'), { size: '640x360', rate: 10, seconds: 2 });
  const turned = join(folder, 'turned.mp4');
  const where = ['-metadata', 'location=+52.5200+013.4050/'];
  ffmpeg(['-i', upright, '-c', 'copy', '-metadata:s:v:0', 'rotate=90', ...where, turned]);
  const made = await transcode(turned);
  assert.deepEqual(
    made.plan.rungs.map(({ width, height }) => [width, height]),
    [[360, 640]],
  );
  for (const [name, content] of made.files) assert.ok(!content.includes('+52.52'), name);
});

test('silent, odd, interlaced, fast and WebM sources become videos', needsFfmpeg, async () => {
  const silent = await transcode(makeClip(join(folder, 'silent.mp4'), { ...SMALL, sound: false }));
  assert.doesNotMatch(silent.documents.texts['master.m3u8'] ?? '', /AUDIO|mp4a/);
  const odd = join(folder, 'odd.mp4');
  ffmpeg([
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=321x243:rate=120',
    '-t',
    '1',
    '-pix_fmt',
    'yuv444p',
    '-c:v',
    'libx264',
    odd,
  ]);
  const fast = await transcode(odd);
  assert.deepEqual(
    fast.plan.rungs.map(({ name, width, height }) => [name, width, height]),
    [['242p', 320, 242]],
  );
  assert.match(packetsOf(fast, '242p', 'stream=r_frame_rate').join(), /60\/1/);
  const webm = join(folder, 'clip.webm');
  ffmpeg([
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x240:rate=25',
    '-f',
    'lavfi',
    '-i',
    'sine',
    '-t',
    '1',
    '-c:v',
    'libvpx',
    '-c:a',
    'libopus',
    webm,
  ]);
  assert.equal(await refusal(webm), 'taken');
});

test('files that are not videos are refused with the reason', needsFfmpeg, async () => {
  const sound = join(folder, 'sound.mp4');
  ffmpeg(['-f', 'lavfi', '-i', 'sine', '-t', '1', sound]);
  assert.equal(await refusal(sound), 'NO_VIDEO_STREAM');
  const empty = join(folder, 'empty.mp4');
  writeFileSync(empty, '');
  assert.equal(await refusal(empty), 'NOT_A_VIDEO');
  const text = join(folder, 'text.mp4');
  writeFileSync(text, 'hello '.repeat(1000));
  assert.equal(await refusal(text), 'NOT_A_VIDEO');
});

test('a truncated video is refused, not shortened', needsFfmpeg, async () => {
  const file = makeClip(join(folder, 'cut.mp4'), {
    ...SMALL,
    seconds: 4,
    options: ['-movflags', '+faststart'],
  });
  truncateSync(file, Math.floor(readFileSync(file).length / 2));
  assert.equal(await refusal(file), 'DAMAGED');
  const withoutEnd = makeClip(join(folder, 'without-end.mp4'), SMALL);
  truncateSync(withoutEnd, Math.floor(readFileSync(withoutEnd).length / 2));
  assert.equal(await refusal(withoutEnd), 'DAMAGED', 'it is a video whose upload or recording was cut');
});

test(
  'files that name other files or addresses are refused, and nothing is read or requested',
  needsFfmpeg,
  async () => {
    const secret = makeClip(join(folder, 'secret.mp4'), SMALL);
    const { port } = listener.address() as { port: number };
    const playlist = (uri: string) =>
      `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${uri}\n#EXT-X-ENDLIST\n`;
    const dash = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>file://${secret}</BaseURL></Representation></AdaptationSet></Period></MPD>`;
    const harmful = {
      hls: playlist(`file://${secret}`),
      fetching: playlist(`http://127.0.0.1:${port}/x.ts`),
      concat: `ffconcat version 1.0\nfile '${secret}'\n`,
      relative: "ffconcat version 1.0\nfile 'secret.mp4'\n",
      dash,
      svg: `<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1:${port}/"/></svg>`,
      script: '#!/bin/sh\ntouch /tmp/owned\n',
    };
    for (const [name, content] of Object.entries(harmful)) {
      const file = join(folder, `${name}.mp4`);
      writeFileSync(file, content);
      assert.equal(await refusal(file), 'NOT_A_VIDEO', name);
    }
  },
);

test('extreme resolutions and frame rates are refused before decoding', needsFfmpeg, async () => {
  const huge = join(folder, 'huge.mp4');
  ffmpeg([
    '-f',
    'lavfi',
    '-i',
    'color=size=8192x4320:rate=1',
    '-frames:v',
    '1',
    '-preset',
    'ultrafast',
    huge,
  ]);
  assert.equal(await refusal(huge), 'DIMENSIONS');
  const rapid = join(folder, 'rapid.mp4');
  ffmpeg(['-f', 'lavfi', '-i', 'color=size=64x64:rate=1000', '-t', '1', '-c:v', 'mpeg4', rapid]);
  assert.equal(await refusal(rapid), 'DIMENSIONS');
});

test('corrupted files end in a video or a refusal', needsFfmpeg, async () => {
  const original = readFileSync(
    makeClip(join(folder, 'flipped.mp4'), { seconds: 1, size: '160x120', sound: false }),
  );
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % below;
  };
  const file = join(folder, 'flipped-copy.mp4');
  for (let round = 0; round < 8; round++) {
    const bytes = Buffer.from(original);
    for (let flips = 0; flips < 20; flips++) bytes[random(bytes.length)] = random(256);
    writeFileSync(file, bytes);
    const outcome = await refusal(file);
    assert.match(
      outcome,
      /^(taken|NOT_A_VIDEO|DAMAGED|UNSUPPORTED_FORMAT|DIMENSIONS|TOO_LONG|NO_VIDEO_STREAM|PROCESSING_FAILED)$/,
    );
  }
});

test('an abort stops the program and removes its folder', needsFfmpeg, async () => {
  const controller = new AbortController();
  const file = makeClip(join(folder, 'aborted.mp4'), { seconds: 10, size: '1280x720' });
  const running = transcode(file, controller.signal);
  setTimeout(() => controller.abort(), 1500);
  await assert.rejects(running, { name: 'AbortError' });
  assert.deepEqual(readdirSync(work), []);
});

test('without ffmpeg there is no transcoder, and the message says what to install', () => {
  const missing = ffmpegTranscoder({ ...settings, ffmpegPath: '/nowhere/ffmpeg' });
  assert.equal(missing.isAvailable(), false);
  assert.match(missing.advice, /apt-get install ffmpeg/);
});

// The program in sdk/examples does everything that an app does, over a network that cuts its live channel.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newCourse } from '../support/courses.ts';
import { faultyNetwork } from '../support/faulty-network.ts';
import { startPlatform } from '../support/platform.ts';
import { runProgram } from '../support/programs.ts';
import { installSdk } from '../support/sdk-package.ts';
import { makeClip, needsFfmpeg, newFolder, processed, SMALL } from '../support/videos.ts';

const EXAMPLE = 'sdk/examples/client.mjs';

test('it takes at most 35 lines, without functions of its own', () => {
  const text = readFileSync(EXAMPLE, 'utf8');
  assert.ok(text.split('\n').length <= 36);
  assert.doesNotMatch(text, /\bfunction\b|^const \w+ = (async )?\(.*=>/m);
});

test('it does everything once, over a network that cuts the live channel', needsFfmpeg, async () => {
  const platform = await startPlatform();
  const { course, lessons, owner } = await newCourse(platform, { course: { price: 20, currency: 'Keys' } });
  const [{ id: subjectId }] = lessons;
  const folder = newFolder();
  const clip = makeClip(join(folder, 'clip.mp4'), SMALL);
  await processed(platform.platform.media, clip, { subjectId, viewerId: owner.id });
  const network = await faultyNetwork(platform.url);
  network.cutAt('said meanwhile');
  installSdk(folder);
  cpSync(EXAMPLE, join(folder, 'client.mjs'));
  const { key } = await platform.newKey('mobile');
  const { code, output, complaints } = await runProgram([join(folder, 'client.mjs')], {
    BASE_URL: network.url,
    API_KEY: key,
  });
  assert.equal(code, 0, complaints);
  const [notified, lines] = [true, false].map((is) =>
    output
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('notified: ') === is),
  );
  assert.ok(notified?.length, output);
  assert.deepEqual(lines, [
    'refreshed once: true Ada',
    'bought once: true 50',
    `enrolled: ${course.title} 20`,
    'playing: Lesson 1 RESOLUTION=320x180',
    'heard: 1 hello',
    'heard: 2 said meanwhile',
    'heard: 3 back again',
    'pushed to: 1',
    'refused: INVALID_ID',
    'refused: IDEMPOTENCY_KEY_REUSED',
    'refused: VALIDATION_FAILED',
  ]);
});

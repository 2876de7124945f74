// Runs real ffmpeg on files whose picture and sound have different lengths.
import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Transcoded, transcoding } from '../../../test/support/transcoding.ts';
import { ffmpeg, needsFfmpeg } from '../../../test/support/videos.ts';

const { folder, transcode, refusal, packetsOf } = transcoding();

/** Makes a file whose picture and sound have these lengths. */
function uneven(name: string, { picture, sound }: { picture: number; sound: number }): string {
  const file = join(folder, name);
  ffmpeg([
    ...['-f', 'lavfi', '-t', String(picture), '-i', 'testsrc2=size=160x90:rate=10'],
    ...['-f', 'lavfi', '-t', String(sound), '-i', 'sine=frequency=440'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', file],
  ]);
  return file;
}

const lengthsOf = ({ parts }: Transcoded): Record<string, number> => {
  const lengths: Record<string, number> = {};
  for (const { name, segments } of parts.flatMap(({ tracks }) => tracks))
    lengths[name] = segments.reduce((sum, { seconds }) => sum + seconds, lengths[name] ?? 0);
  return lengths;
};

test(
  'picture and sound both last as long as the video, in any container and in stretches',
  needsFfmpeg,
  async () => {
    for (const [name, lengths] of [
      ['talk.mkv', { picture: 3, sound: 9 }],
      ['mute.mp4', { picture: 9, sound: 3 }],
      // In stretches of six seconds: the picture ends within one, with one, and just after one.
      ['within.mp4', { picture: 8, sound: 15 }],
      ['with.mp4', { picture: 6, sound: 15 }],
      ['after.mkv', { picture: 6.1, sound: 21 }],
      ['first.mp4', { picture: 0.2, sound: 15 }],
      ['silent.mp4', { picture: 15, sound: 2 }],
    ] as const) {
      const made = await transcode(uneven(name, lengths));
      const seconds = Math.max(lengths.picture, lengths.sound);
      const { '90p': picture = 0, audio = 0 } = lengthsOf(made);
      assert.ok(Math.abs(picture - seconds) < 0.2, `${name}: a picture of ${picture} s`);
      assert.ok(Math.abs(audio - seconds) < 0.2, `${name}: a sound of ${audio} s`);
      const times = packetsOf(made, '90p', 'packet=pts_time').map(Number.parseFloat);
      for (const [place, time] of times.sort((a, b) => a - b).entries())
        assert.ok(Math.abs(time - place / 10) < 0.001, `${name}, picture ${place}: ${time}`);
      for (const file of ['poster.jpg', 'thumbnail-1.jpg', 'thumbnail-2.jpg', 'thumbnail-3.jpg'])
        assert.ok(made.files.has(`1/pictures/${file}`), `${name}: ${file}`);
    }
  },
);

test(
  'a file that ends before its declared end is refused, although its sound outlasts its picture',
  needsFfmpeg,
  async () => {
    for (const picture of [6, 40]) {
      const file = uneven(`ended-${picture}.mkv`, { picture, sound: 41 });
      truncateSync(file, Math.floor(readFileSync(file).length / 3));
      assert.equal(await refusal(file), 'DAMAGED', `a picture of ${picture} s`);
    }
  },
);

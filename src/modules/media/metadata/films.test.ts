// What cameras write into films is overwritten, and they are played as before.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { box, PLACE } from '../../../../test/support/camera-files.ts';
import { cleaned, decoded } from '../../../../test/support/cleaned-files.ts';
import { ffmpeg, needsFfmpeg, newFolder } from '../../../../test/support/videos.ts';

const folder = newFolder();

const subtitles = (): string => {
  const file = join(folder, 'places.srt');
  const lines = [1, 2, 3, 4].map(
    (line) => `${line}\n00:00:0${line - 1},100 --> 00:00:0${line},000\n${PLACE}\n\n`,
  );
  writeFileSync(file, lines.join(''));
  return file;
};

/** A film of two seconds with sound, and texts that say the place. */
function film(name: string, ...options: string[]): Buffer {
  const file = join(folder, name);
  ffmpeg([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=10', '-f', 'lavfi', '-i', 'sine=frequency=440'],
    ...['-i', subtitles(), '-map', '0', '-map', '1', '-map', '2', '-t', '4', '-pix_fmt', 'yuv420p'],
    ...['-metadata', 'location=+52.5200+013.4050/', '-metadata', 'creation_time=2026-11-30T12:00:00Z'],
    ...[...options, file],
  ]);
  return readFileSync(file);
}

test('films of all forms sound and look the same', needsFfmpeg, async () => {
  const texts = ['-c:s', 'mov_text'];
  const films = {
    'end.mp4': film('end.mp4', ...texts),
    'start.mp4': film('start.mp4', ...texts, '-movflags', '+faststart'),
    'fragments.mp4': film('fragments.mp4', ...texts, '-g', '5', '-movflags', 'frag_keyframe+empty_moov'),
    'based.mp4': film('based.mp4', ...texts, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'),
    'pcm.mov': film('pcm.mov', ...texts, '-c:a', 'pcm_s16le'),
    'mulaw.mov': film('mulaw.mov', ...texts, '-c:a', 'pcm_mulaw', '-use_wallclock_as_timestamps', '0'),
    'clock.mov': film('clock.mov', ...texts, '-timecode', '12:34:56:00', '-write_tmcd', '1'),
  };
  for (const [name, file] of Object.entries(films)) {
    assert.ok(file.includes(PLACE), name);
    const clean = await cleaned('mp4', file);
    assert.deepEqual(
      [clean.indexOf('PLACE'), clean.indexOf('52.52'), clean.indexOf('+52')],
      [-1, -1, -1],
      name,
    );
    assert.equal(decoded(`clean-${name}`, clean), decoded(name, file), name);
    const path = join(folder, `clean-${name}`);
    writeFileSync(path, clean);
    const said = spawnSync(process.env.TEST_FFMPEG as string, ['-i', path], { encoding: 'utf8' }).stderr;
    assert.doesNotMatch(said, /creation_time|location|Subtitle|timecode|Data:/, name);
  }
});

test('a film of an hour, every picture of which is a chunk of its own, is read', async () => {
  const [seconds, perSecond] = [3600, 60];
  const chunks = seconds * perSecond;
  const head = Buffer.alloc(12);
  head.writeUInt32BE(chunks, 8);
  const places = Buffer.alloc(chunks * 4);
  const front = box('ftyp', Buffer.from('isom\0\0\0\0', 'latin1'));
  for (let place = 0; place < chunks; place++) places.writeUInt32BE(front.length + 8 + place * 2, place * 4);
  const table = box(
    'stbl',
    box('stsc', Buffer.from('0000000000000001000000010000000100000001', 'hex')),
    box('stsz', Buffer.from('0000000000000001', 'hex'), head.subarray(8)),
    box('stco', head.subarray(4), Buffer.from(places)),
  );
  const track = box(
    'trak',
    box('tkhd', Buffer.alloc(84)),
    box('mdia', box('hdlr', Buffer.alloc(8), Buffer.from('vide'), Buffer.alloc(13)), box('minf', table)),
  );
  const pictures = Buffer.alloc(chunks * 2, 'ab');
  // The bytes between the chunks are those of a second track.
  for (let place = 0; place < chunks; place++) places.writeUInt32BE(front.length + 9 + place * 2, place * 4);
  const second = Buffer.from(track);
  places.copy(second, second.length - places.length);
  const film = Buffer.concat([front, box('mdat', pictures), box('moov', track, second)]);
  assert.ok((await cleaned('mp4', film)).includes(pictures));
});

test('what a camera writes among the sound without a track of its own is overwritten', async () => {
  const words = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [place, value] of values.entries()) bytes.writeUInt32BE(value, place * 4);
    return bytes;
  };
  // Cameras in cars put blocks with the place between the chunks of sound, which is not compressed.
  const front = box('ftyp', Buffer.from('qt  \0\0\0\0', 'latin1'));
  const sound = Buffer.from('twelve bytes');
  // Of one channel, of 16 bits, and so on; more words follow in a description of packets.
  const described = (type: string, version: number, channels: number, ...more: number[]): Buffer =>
    box(type, words(0, 1, version << 16, 0, (channels << 16) | 16, 0, 8000 << 16, ...more));
  const descriptions: Record<string, [entry: Buffer, samples: number, size: number, chunk: Buffer]> = {
    'of 16 bits': [described('sowt', 0, 1), 6, 1, sound],
    'of two channels': [described('twos', 0, 2), 3, 4, sound],
    'of 24 bits': [described('in24', 0, 1), 4, 1, sound],
    'of packets': [described('sowt', 1, 1, 1, 2, 2, 2), 6, 1, sound],
    'of compressed packets': [described('ima4', 1, 1, 64, 34, 34, 2), 128, 1, Buffer.alloc(128, sound)],
    'of packets of the second form': [
      described('lpcm', 2, 1, 72, 0, 0, 1, 0x7f000000, 24, 0, 3, 1),
      4,
      1,
      sound,
    ],
  };
  for (const [name, [entry, samples, size, chunk]] of Object.entries(descriptions)) {
    const film = Buffer.concat([
      front,
      box('mdat', chunk, Buffer.alloc(200, PLACE)),
      box(
        'moov',
        box(
          'trak',
          box('tkhd', Buffer.alloc(84)),
          box(
            'mdia',
            box('hdlr', words(0, 0), Buffer.from('soun'), Buffer.alloc(13)),
            box(
              'minf',
              box(
                'stbl',
                box('stsd', words(0, 1), entry),
                box('stsc', words(0, 1, 1, samples, 1)),
                box('stsz', words(0, size, samples)),
                box('stco', words(0, 1, front.length + 8)),
              ),
            ),
          ),
        ),
      ),
    ]);
    const clean = await cleaned('mp4', film);
    assert.ok(clean.includes(chunk), `${name}: the sound stays`);
    assert.equal(clean.indexOf('PLACE'), -1, name);
  }
});

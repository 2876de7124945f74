import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planFor } from './plan.ts';
import { bandwidthOf, documentsFor, readMediaPlaylist, spriteTable, videoCodecOf } from './playlists.ts';
import type { StoredPart } from './port.ts';

const FACTS = {
  ...{
    durationSeconds: 14,
    videoSeconds: 14,
    audioSeconds: 14,
    width: 640,
    height: 360,
    videoStream: 0,
    audioStream: 1,
  },
  ...{ frameRate: { numerator: 30_000, denominator: 1001 }, isInterlaced: false, isHighDynamicRange: false },
};
const plan = planFor(FACTS, {
  ...{ ffmpegPath: undefined, workFolder: undefined, threads: 1, preset: 'veryfast' as const, niceness: 0 },
  ...{ stretchThresholdSeconds: 6, stretchSeconds: 6 },
});
const segment = (uri: string, seconds: number, bytes: number) => ({ uri, seconds, bytes });
const stretch = (
  place: number,
  path: string,
  segments = [segment('360p/s00000.m4s', 6, 60_000)],
): StoredPart => ({
  name: `stretch-00${place}`,
  path,
  tracks: [{ name: '360p', codec: 'avc1.64001e', init: '360p/init.mp4', segments }],
  files: [],
});
const parts: StoredPart[] = [
  stretch(0, '1/stretch-000'),
  stretch(1, '2/stretch-001', [segment('360p/s00000.m4s', 6, 90_000), segment('360p/s00001.m4s', 2, 10_000)]),
  {
    name: 'sound',
    path: '2/sound',
    tracks: [
      {
        name: 'audio',
        codec: 'mp4a.40.2',
        init: 'audio/init.mp4',
        segments: [segment('audio/s00000.m4s', 14, 224_000)],
      },
    ],
    files: [],
  },
  { name: 'sprites', path: '2/sprites', tracks: [], files: ['sprite001.jpg'] },
  { name: 'pictures', path: '2/pictures', tracks: [], files: ['poster.jpg'] },
];

test('the master playlist lists each rendition with its measured bandwidth', () => {
  const { texts, poster } = documentsFor(plan, parts);
  assert.equal(
    texts['master.m3u8'],
    `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio/index.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=248000,AVERAGE-BANDWIDTH=219429,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=29.970,AUDIO="audio"
360p/index.m3u8
`,
  );
  assert.equal(texts['360p.m3u8'], texts['master.m3u8']);
  assert.equal(poster, '../2/pictures/poster.jpg');
});

test('a playlist joins chunks of several attempts, each with its init segment', () => {
  const text = documentsFor(plan, parts).texts['360p/index.m3u8'] ?? '';
  assert.match(text, /TARGETDURATION:6\n/);
  const uris = [...text.matchAll(/URI="(.+)"|^([^#\n].*)$/gm)].map(([, map, line]) => map ?? line);
  assert.deepEqual(uris, [
    '../../1/stretch-000/360p/init.mp4',
    '../../1/stretch-000/360p/s00000.m4s',
    '../../2/stretch-001/360p/init.mp4',
    '../../2/stretch-001/360p/s00000.m4s',
    '../../2/stretch-001/360p/s00001.m4s',
  ]);
});

test('the declared bandwidth is at least that of every segment and of their mean', () => {
  const segments = fc.array(
    fc.record({
      uri: fc.constant('s'),
      seconds: fc.double({ min: 0.1, max: 10, noNaN: true }),
      bytes: fc.nat(9e6),
    }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(segments, (all) => {
      const { peak, average } = bandwidthOf(all);
      for (const { bytes, seconds } of all) assert.ok(peak >= (bytes * 8) / seconds);
      assert.ok(average <= peak);
    }),
  );
});

test('sprites cover every second on the existing sheets', () => {
  const long = {
    ...plan,
    facts: { ...FACTS, durationSeconds: 500 },
    sprites: { ...plan.sprites, intervalSeconds: 2 },
  };
  const cues = [...spriteTable(long, '3/sprites', 3).matchAll(/sprite(\d+)\.jpg#xywh=(\d+),(\d+),160,90/g)];
  assert.equal(cues.length, 250);
  assert.deepEqual(cues[123]?.slice(1, 4), ['002', '480', '180']);
  assert.equal(spriteTable(long, '3/sprites', 1).match(/-->/g)?.length, 100);
  assert.match(spriteTable(long, '3/sprites', 3), /00:08:18\.000 --> 00:08:20\.000/);
});

test('a playlist of ffmpeg is parsed, and a truncated one refused', () => {
  const text =
    '#EXTM3U\n#EXT-X-MAP:URI="init_0.mp4"\n#EXTINF:6.000000,\ns00000.m4s\n#EXTINF:1.5,\ns00001.m4s\n';
  assert.throws(() => readMediaPlaylist(text));
  assert.deepEqual(readMediaPlaylist(`${text}#EXT-X-ENDLIST\n`), {
    init: 'init_0.mp4',
    segments: [
      { uri: 's00000.m4s', seconds: 6 },
      { uri: 's00001.m4s', seconds: 1.5 },
    ],
  });
});

test('the codec is read from the init segment', () => {
  assert.equal(videoCodecOf(Buffer.from('....avcC\x01\x64\x00\x1f', 'latin1')), 'avc1.64001f');
  assert.equal(videoCodecOf(Buffer.from('nothing')), undefined);
});

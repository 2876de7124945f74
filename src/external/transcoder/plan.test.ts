import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { argumentsFor, rateOf } from './arguments.ts';
import { ladderFor, planFor, spritesFor } from './plan.ts';
import type { Plan, SourceFacts } from './port.ts';
import { factsOf, isVideoContainer } from './probe.ts';

const FACTS: SourceFacts = {
  durationSeconds: 60,
  videoSeconds: 60,
  audioSeconds: 60,
  width: 1920,
  height: 1080,
  frameRate: { numerator: 30, denominator: 1 },
  videoStream: 0,
  audioStream: 1,
  isInterlaced: false,
  isHighDynamicRange: false,
};
const SETTINGS = {
  ffmpegPath: undefined,
  workFolder: undefined,
  threads: 2,
  preset: 'veryfast' as const,
  niceness: 19,
  stretchThresholdSeconds: 1200,
  stretchSeconds: 600,
};
const planOf = (facts: Partial<SourceFacts> = {}): Plan => planFor({ ...FACTS, ...facts }, SETTINGS);
const sizes = (width: number, height: number) =>
  ladderFor({ width, height }).map((rung) => `${rung.name} ${rung.width}x${rung.height}`);

test('renditions are chosen by the short side and never exceed the source', () => {
  assert.deepEqual(sizes(1920, 1080), ['1080p 1920x1080', '720p 1280x720', '480p 854x480', '360p 640x360']);
  assert.deepEqual(sizes(1080, 1920), ['1080p 1080x1920', '720p 720x1280', '480p 480x854', '360p 360x640']);
  assert.deepEqual(sizes(3840, 2160)[0], '1080p 1920x1080');
  assert.deepEqual(sizes(1920, 1072)[0], '1080p 1920x1072');
  assert.deepEqual(sizes(1280, 720), ['720p 1280x720', '480p 854x480', '360p 640x360']);
  assert.deepEqual(sizes(426, 240), ['240p 426x240']);
  assert.deepEqual(sizes(321, 181), ['180p 320x180']);
});

test('every rendition has even sides, is no larger than the source and keeps its aspect ratio', () => {
  const side = fc.integer({ min: 16, max: 4096 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      const rungs = ladderFor({ width, height });
      assert.ok(rungs.length > 0);
      for (const rung of rungs) {
        assert.equal(rung.width % 2, 0);
        assert.equal(rung.height % 2, 0);
        assert.ok(rung.width <= width && rung.height <= height && rung.width > 0 && rung.height > 0);
        // Allows for rounding each side to even, plus 1 %.
        const [wanted, got] = [width / height, rung.width / rung.height];
        const allowed = 0.01 + 2 / Math.min(rung.width, rung.height);
        assert.ok(
          Math.abs(got / wanted - 1) <= allowed,
          `${width}x${height} as ${rung.width}x${rung.height}`,
        );
      }
      assert.equal(new Set(rungs.map(({ name }) => name)).size, rungs.length);
    }),
  );
});

test('chunks align with segments and cover a long video exactly', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1201, max: 21_600, noNaN: true }),
      fc.integer({ min: 6, max: 900 }),
      (seconds, stretchSeconds) => {
        const { parts } = planFor({ ...FACTS, durationSeconds: seconds }, { ...SETTINGS, stretchSeconds });
        const stretches = parts.filter(({ kind }) => kind === 'stretch');
        let end = 0;
        for (const stretch of stretches) {
          assert.equal(stretch.startSeconds, end);
          assert.equal(stretch.startSeconds % 6, 0);
          end = stretch.startSeconds + stretch.seconds;
        }
        assert.ok(Math.abs(end - seconds) < 1e-6);
        assert.ok((stretches.at(-1)?.seconds ?? 0) >= Math.min(6, stretchSeconds));
        assert.deepEqual(
          parts.slice(-3).map(({ kind }) => kind),
          ['sound', 'sprites', 'pictures'],
        );
      },
    ),
  );
});

test('a video of up to twenty minutes is transcoded in one pass', () => {
  assert.deepEqual(
    planOf({ durationSeconds: 1200 }).parts.map(({ kind }) => kind),
    ['whole', 'sprites', 'pictures'],
  );
  assert.equal(planOf({ durationSeconds: 1201 }).parts.filter(({ kind }) => kind === 'stretch').length, 2);
});

test('there are at most 400 sprites', () => {
  assert.equal(spritesFor(FACTS).intervalSeconds, 2);
  assert.equal(spritesFor({ ...FACTS, durationSeconds: 21_600 }).intervalSeconds, 54);
});

test('every input is read with format and protocol whitelists and a pixel limit', () => {
  for (const durationSeconds of [60, 6000])
    for (const part of planOf({ durationSeconds }).parts) {
      const args = argumentsFor(part, planOf({ durationSeconds }), '/videos/source', {
        threads: 2,
        preset: 'fast',
      });
      const inputs = args.filter((argument) => argument === '-i').length;
      assert.ok(inputs > 0);
      for (const [option, value] of [
        ['-protocol_whitelist', 'file'],
        ['-format_whitelist', 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm'],
        ['-max_pixels', '9437184'],
      ])
        assert.equal(
          args.filter((argument, at) => argument === option && args[at + 1] === value).length,
          inputs,
        );
      assert.ok(args.includes('-xerror') && args.includes('-nostdin'));
    }
});

test('long-running commands have one output, since ffmpeg reports progress only once every output has begun', () => {
  for (const durationSeconds of [60, 7200])
    for (const part of planOf({ durationSeconds }).parts) {
      if (part.kind === 'pictures') continue;
      const args = argumentsFor(part, planOf({ durationSeconds }), '/videos/source', {
        threads: 1,
        preset: 'fast',
      });
      assert.equal(args.filter((argument) => argument === '-f').length, 1, part.kind);
    }
});

test('one pass makes all renditions and the audio', () => {
  const plan = planOf();
  const args = argumentsFor(plan.parts[0]!, plan, '/videos/source', { threads: 2, preset: 'fast' }).join(' ');
  assert.match(args, /-var_stream_map v:0,agroup:a,name:1080p .* a:0,agroup:a,name:audio /);
  assert.match(args, /split=4/);
  assert.match(args, /-c:v libx264 -preset fast /);
  assert.match(args, /-force_key_frames expr:gte\(t,n_forced\*2\)/);
  assert.match(args, /-map_metadata -1/);
  const silent = planOf({ audioStream: undefined });
  assert.doesNotMatch(
    argumentsFor(silent.parts[0]!, silent, '/videos/source', { threads: 2, preset: 'fast' }).join(' '),
    /agroup|aac/,
  );
});

test('the frame rate is kept, up to 60', () => {
  assert.deepEqual(rateOf({ frameRate: { numerator: 30_000, denominator: 1001 } }), {
    numerator: 30_000,
    denominator: 1001,
  });
  assert.deepEqual(rateOf({ frameRate: { numerator: 120, denominator: 1 } }), {
    numerator: 60,
    denominator: 1,
  });
});

const VIDEO = {
  ...{ index: 0, codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080 },
  ...{ avg_frame_rate: '30/1', duration: '10.0', disposition: { attached_pic: 0 } },
};
const probed = (video: object, rest: object[] = [], format: object = {}) =>
  factsOf({
    format: { duration: '10.0', ...format },
    streams: [{ ...VIDEO, ...video }, ...(rest as { index: number }[])],
  });

test('probed dimensions are those of the displayed picture', () => {
  const rotated = probed({ side_data_list: [{ rotation: -90 }] });
  assert.deepEqual([rotated.width, rotated.height], [1080, 1920]);
  const anamorphic = probed({ width: 1440, sample_aspect_ratio: '4:3' });
  assert.deepEqual([anamorphic.width, anamorphic.height], [1920, 1080]);
  assert.deepEqual(probed({ avg_frame_rate: '2997/100' }).frameRate, {
    numerator: 30_000,
    denominator: 1001,
  });
  assert.ok(probed({ field_order: 'tt' }).isInterlaced);
  assert.ok(probed({ color_transfer: 'smpte2084' }).isHighDynamicRange);
  const cover = { index: 1, codec_type: 'video', codec_name: 'mjpeg', disposition: { attached_pic: 1 } };
  assert.equal(probed({}, [cover]).videoStream, 0);
});

test('the ends of picture and sound are those that the container declares, counted from its beginning', () => {
  const sound = { index: 1, codec_type: 'audio', codec_name: 'aac' };
  const ends = (...found: Parameters<typeof probed>) => {
    const { videoSeconds, audioSeconds } = probed(...found);
    return [videoSeconds, audioSeconds];
  };
  assert.deepEqual(ends({ duration: '3' }, [{ ...sound, duration: '9.5' }]), [3, 9.5]);
  const late = { start_time: '2.5', duration: '3' };
  assert.deepEqual(ends(late, [], { start_time: '0.5' }), [5, undefined]);
  assert.deepEqual(ends({ start_time: '-0.1', duration: '3' }), [3, undefined]);
  const tags = (value: string) => ({ duration: undefined, tags: { DURATION: value } });
  assert.deepEqual(ends(tags('00:00:03.023000000')), [3.023, undefined]);
  const tagged = { ...sound, ...tags('00:00:09') };
  assert.deepEqual(ends(tags('01:01:03'), [tagged]), [10, 9], 'no longer than the file');
  for (const value of ['', '3', '00:00:00', '00:00:03 or so'])
    assert.deepEqual(ends(tags(value)), [undefined, undefined], value);
});

test('only a track that ends clearly earlier than the other is continued', () => {
  const args = (facts: Partial<SourceFacts>, durationSeconds = 60) => {
    const plan = planOf({ durationSeconds, ...facts });
    return plan.parts.flatMap((part) =>
      argumentsFor(part, plan, '/videos/source', { threads: 2, preset: 'fast' }),
    );
  };
  const usual = args({}).join(' ');
  assert.doesNotMatch(usual, /stop_duration|apad|end_frame/);
  for (const facts of [{ videoSeconds: 59.6 }, { audioSeconds: 59.6 }, { videoSeconds: undefined }])
    assert.equal(args(facts).join(' '), usual);
  assert.match(
    args({ videoSeconds: 10 }).join(' '),
    /tpad=stop_mode=clone:stop_duration=50,trim=end_frame=1800/,
  );
  assert.match(args({ audioSeconds: 10 }).join(' '), /apad=pad_dur=50,atrim=end=60/);
  const stretches = args({ videoSeconds: 10, audioSeconds: 1500 }, 1500).join(' ');
  assert.match(stretches, /-ss 6 .*trim=start_frame=\d+:end_frame=\d+,setpts=PTS-STARTPTS/);
});

test('unusable videos are refused with a reason', () => {
  const audio = { index: 1, codec_type: 'audio', codec_name: 'aac' };
  const cases: [code: string, ...found: Parameters<typeof probed>][] = [
    ['NO_VIDEO_STREAM', { codec_type: 'audio', codec_name: 'aac' }],
    ['NO_VIDEO_STREAM', { disposition: { attached_pic: 1 } }],
    ['UNSUPPORTED_FORMAT', { codec_name: 'ansi' }],
    ['UNSUPPORTED_FORMAT', {}, [{ ...audio, codec_name: 'wmav2' }]],
    ['UNSUPPORTED_FORMAT', {}, Array.from({ length: 16 }, () => audio)],
    ['DIMENSIONS', { width: 8192, height: 8192 }],
    ['DIMENSIONS', { width: 4096, height: 2306 }],
    ['DIMENSIONS', { height: 2 }],
    ['DIMENSIONS', { avg_frame_rate: '1000/1' }],
    ['TOO_LONG', {}, [], { duration: '21601' }],
    ['DAMAGED', { duration: undefined }, [], { duration: undefined }],
  ];
  for (const [code, ...found] of cases) assert.throws(() => probed(...found), { code });
  assert.ok(probed({}, [{ ...audio, codec_name: 'pcm_s16le' }]));
});

test('containers are recognized by their first bytes', () => {
  assert.ok(isVideoContainer(Buffer.from('\0\0\0\x20ftypisom')));
  assert.ok(isVideoContainer(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1])));
  for (const other of ['#EXTM3U\n', '<html>', 'ffconcat version 1.0', 'RIFF....AVI ', ''])
    assert.ok(!isVideoContainer(Buffer.from(other)), other);
});

import {
  AUDIO_KBPS,
  FORMAT_WHITELIST,
  KEYFRAME_SECONDS,
  MAX_OUTPUT_FRAME_RATE,
  MAX_PIXELS,
  PROTOCOL_WHITELIST,
  QUALITY,
  SEGMENT_SECONDS,
  type TranscodingOptions,
} from './limits.ts';
import { paddingOf } from './plan.ts';
import { type Part, type Plan, type SourceFacts, THUMBNAILS } from './port.ts';

const SAFE_INPUT = [
  ...['-protocol_whitelist', PROTOCOL_WHITELIST, '-format_whitelist', FORMAT_WHITELIST],
  ...['-max_pixels', String(MAX_PIXELS)],
];
/** Tolerance beyond the declared length, after which a source is cut. */
const BEYOND_SECONDS = 2;
const PLAYLIST = 'index.m3u8';
export const AUDIO = 'audio';
export const playlistOf = (track: string): string => `${track}/${PLAYLIST}`;

export const probeArguments = (source: string): string[] => [
  ...['-v', 'error', ...SAFE_INPUT],
  '-show_entries',
  [
    'format=format_name,start_time,duration,nb_streams',
    'stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,field_order,color_transfer,avg_frame_rate,start_time,duration',
    'stream_tags=DURATION',
    'stream_disposition=attached_pic',
    'stream_side_data=rotation',
  ].join(':'),
  ...['-of', 'json', source],
];

/** Options of the encoders. */
type Encoding = Pick<TranscodingOptions, 'threads' | 'preset'>;

/** Returns ffmpeg's arguments for one part of a plan. Outputs are relative to its working folder. */
export function argumentsFor(part: Part, plan: Plan, source: string, encoding: Encoding): string[] {
  const { threads } = encoding;
  const { startSeconds: start, seconds } = part;
  const begin = [
    '-hide_banner',
    '-nostdin',
    '-v',
    'warning',
    '-xerror',
    '-y',
    '-filter_complex_threads',
    '1',
  ];
  const progress = ['-progress', 'pipe:1', '-stats_period', '1'];
  const input = (...options: string[]) => [
    ...['-threads', String(threads), ...SAFE_INPUT, ...options],
    ...['-i', source],
  ];
  const { videoStream, audioStream } = plan.facts;
  switch (part.kind) {
    case 'whole':
      return [
        ...[...begin, ...input('-t', secondsText(seconds + BEYOND_SECONDS))],
        ...['-filter_complex', ladderGraph(plan)],
        ...hlsOutput(plan, { rungs: true, sound: audioStream !== undefined }, encoding),
        ...progress,
      ];
    case 'stretch': {
      const isLast = start + seconds >= plan.facts.durationSeconds;
      const from = readFrom(part, plan);
      const length = start - from + seconds + (isLast ? BEYOND_SECONDS : 1);
      return [
        ...[...begin, ...input('-ss', secondsText(from), '-t', secondsText(length))],
        ...['-filter_complex', ladderGraph(plan, { part, from, isLast })],
        ...['-output_ts_offset', secondsText(start)],
        ...hlsOutput(plan, { rungs: true, sound: false, startsWithin: true }, encoding),
        ...progress,
      ];
    }
    case 'sound':
      return [
        ...[...begin, ...input('-t', secondsText(seconds + BEYOND_SECONDS))],
        ...[...hlsOutput(plan, { rungs: false, sound: true }, encoding), ...progress],
      ];
    case 'sprites':
      return [
        // Decodes keyframes only, which is cheap.
        ...[...begin, ...input('-skip_frame:v', 'nokey', '-t', secondsText(seconds + BEYOND_SECONDS))],
        ...['-filter_complex', `[0:${videoStream}]null[e];${spriteGraph(plan)}`],
        ...[...spriteOutput, ...progress],
      ];
    case 'pictures':
      return [...begin, ...pictureArguments(plan, input), ...progress];
  }
}

const secondsText = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);

/** Returns the frame rate of the renditions: the source's own, at most 60. */
export function rateOf({ frameRate }: Pick<SourceFacts, 'frameRate'>): SourceFacts['frameRate'] {
  const { numerator, denominator } = frameRate;
  if (numerator > MAX_OUTPUT_FRAME_RATE * denominator)
    return { numerator: MAX_OUTPUT_FRAME_RATE, denominator: 1 };
  return numerator < denominator ? { numerator: 1, denominator: 1 } : frameRate;
}

/** How long before its end the picture is read for a stretch in which it has ended. */
const LAST_PICTURE_SECONDS = 4;

/** Returns from where a stretch is read: earlier than it begins if there is hardly a picture of its own to repeat. */
function readFrom({ startSeconds }: Part, { facts }: Plan): number {
  const ending = facts.durationSeconds - paddingOf(facts).pictureSeconds - LAST_PICTURE_SECONDS / 2;
  return startSeconds < ending ? startSeconds : Math.max(0, ending - LAST_PICTURE_SECONDS / 2);
}

/** A stretch, from where it is read, and whether it is the last one. */
interface Cut {
  part: Part;
  from: number;
  isLast: boolean;
}

/** Returns the filter graph of the ladder; its outputs are labelled `v0` for the first rung and so on. */
function ladderGraph({ facts, rungs }: Plan, cut?: Cut): string {
  const { numerator, denominator } = rateOf(facts);
  const prepared = [
    // One frame at each instant of the grid, from 0, so that renditions and stretches align.
    `fps=fps=${numerator}/${denominator}:start_time=0`,
    ...cutFilters(facts, cut),
    ...(facts.isInterlaced ? ['yadif'] : []),
    ...(facts.isHighDynamicRange
      ? [
          'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709',
          'tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p',
        ]
      : []),
  ];
  const outputs = rungs.map((_, place) => `[r${place}]`);
  const split = outputs.length > 1 ? `split=${outputs.length}` : 'null';
  return [
    `[0:${facts.videoStream}]${[...prepared, split].join(',')}${outputs.join('')}`,
    ...rungs.map(
      ({ width, height }, place) => `[r${place}]scale=${width}:${height},setsar=1,format=yuv420p[v${place}]`,
    ),
  ].join(';');
}

/**
 * Returns the filters that cut a stretch, and repeat the last picture where the sound goes on. A picture that ends
 * before its declared end is not made longer than by what was declared, so that it is found to be damaged.
 */
function cutFilters(facts: SourceFacts, cut?: Cut): string[] {
  const { pictureSeconds } = paddingOf(facts);
  const { numerator, denominator } = rateOf(facts);
  const framesOf = (seconds: number): number => Math.round((seconds * numerator) / denominator);
  const [skipped, seconds] = cut
    ? [framesOf(cut.part.startSeconds - cut.from), cut.part.seconds]
    : [0, facts.durationSeconds];
  const isCut = pictureSeconds > 0 || cut?.isLast === false;
  return [
    ...(pictureSeconds > 0 ? [`tpad=stop_mode=clone:stop_duration=${secondsText(pictureSeconds)}`] : []),
    ...(isCut
      ? [`trim=${skipped > 0 ? `start_frame=${skipped}:` : ''}end_frame=${skipped + framesOf(seconds)}`]
      : []),
    ...(skipped > 0 ? ['setpts=PTS-STARTPTS'] : []),
  ];
}

/** Returns the filters of the sound, which is silent from its end to that of the picture. */
function soundFilters(facts: SourceFacts): string {
  const { soundSeconds } = paddingOf(facts);
  // Sound that begins late, or has gaps, keeps its position.
  const placed = 'aresample=async=1:first_pts=0';
  if (soundSeconds === 0) return placed;
  return `${placed},apad=pad_dur=${secondsText(soundSeconds)},atrim=end=${secondsText(facts.durationSeconds)}`;
}

/** Returns the filter graph of the sprites. Repeats the last picture to the end, as there may be a single keyframe. */
function spriteGraph({ facts, sprites }: Plan): string {
  const { intervalSeconds, width, height, columns, rows } = sprites;
  const steps = [
    `fps=fps=1/${intervalSeconds}:start_time=0:eof_action=pass`,
    `tpad=stop_mode=clone:stop=-1,trim=end=${secondsText(facts.durationSeconds)}`,
    `scale=${width}:${height},setsar=1,tile=${columns}x${rows}`,
  ];
  return `[e]${steps.join(',')}[sp]`;
}

const spriteOutput = ['-map', '[sp]', '-q:v', '4', '-f', 'image2', 'sprite%03d.jpg'];

function hlsOutput(
  { facts, rungs }: Plan,
  has: { rungs: boolean; sound: boolean; startsWithin?: boolean },
  encoding: Encoding,
): string[] {
  const made = has.rungs ? rungs : [];
  const group = has.sound ? ',agroup:a' : '';
  const streams = [
    ...made.map(({ name }, place) => `v:${place}${group},name:${name}`),
    ...(has.sound ? [`a:0${made.length > 0 ? group : ''},name:${AUDIO}`] : []),
  ];
  return [
    ...made.flatMap((_, place) => ['-map', `[v${place}]`]),
    ...(has.sound ? ['-map', `0:${facts.audioStream}`] : []),
    ...(made.length > 0 ? videoOptions(encoding) : []),
    ...made.flatMap(({ maxKbps }, place) => [
      ...[`-maxrate:v:${place}`, `${maxKbps}k`, `-bufsize:v:${place}`, `${maxKbps * 2}k`],
    ]),
    ...(has.sound ? ['-c:a', 'aac', '-b:a', `${AUDIO_KBPS}k`, '-ac', '2', '-ar', '48000'] : []),
    ...(has.sound ? ['-af', soundFilters(facts)] : []),
    // Drops metadata: phones record their location.
    ...['-map_metadata', '-1', '-map_chapters', '-1'],
    ...['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS), '-hls_playlist_type', 'vod'],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'independent_segments'],
    // Keeps timestamps in the segments as they are. Otherwise ffmpeg shifts picture and sound, or begins a stretch at 0
    // and hides its actual start in the edit list, which browsers ignore.
    ...['-avoid_negative_ts', 'disabled', '-hls_segment_options'],
    `avoid_negative_ts=disabled${has.startsWithin ? ':movflags=+frag_discont' : ''}`,
    ...['-hls_segment_filename', '%v/s%05d.m4s', '-var_stream_map', streams.join(' ')],
    `%v/${PLAYLIST}`,
  ];
}

const videoOptions = ({ threads, preset }: Encoding): string[] => [
  ...['-c:v', 'libx264', '-preset', preset, '-crf', String(QUALITY), '-profile:v', 'high'],
  ...['-threads', String(threads), '-sc_threshold', '0'],
  ...['-force_key_frames', `expr:gte(t,n_forced*${KEYFRAME_SECONDS})`],
];

const POSTER_SIDE = 1280;
const THUMBNAIL_SIDE = 480;
export const POSTER = 'poster.jpg';
const PICTURES = [
  { file: POSTER, at: 0.1, side: POSTER_SIDE },
  ...THUMBNAILS.map((file, place) => ({
    file,
    at: (place + 1) / (THUMBNAILS.length + 1),
    side: THUMBNAIL_SIDE,
  })),
];

function pictureArguments({ facts }: Plan, input: (...options: string[]) => string[]): string[] {
  const { width, height } = facts;
  const pictureSeconds = facts.durationSeconds - paddingOf(facts).pictureSeconds;
  const { numerator, denominator } = rateOf(facts);
  // Half a frame earlier than the frame that is shown then: after the beginning of the last one nothing is found.
  const before = (seconds: number): number =>
    (Math.max(0, Math.floor((seconds * numerator) / denominator) - 0.5) * denominator) / numerator;
  const sizeFor = (side: number) => {
    const factor = Math.min(1, side / Math.max(width, height));
    return `${Math.max(2, Math.round(width * factor))}:${Math.max(2, Math.round(height * factor))}`;
  };
  return [
    ...PICTURES.flatMap(({ at }) => input('-ss', secondsText(before(pictureSeconds * at)))),
    ...PICTURES.flatMap(({ file, side }, place) => [
      ...['-map', `${place}:${facts.videoStream}`, '-frames:v', '1', '-map_metadata', '-1'],
      ...['-vf', `scale=${sizeFor(side)},setsar=1`, '-q:v', '3', '-f', 'image2', '-update', '1', file],
    ]),
  ];
}

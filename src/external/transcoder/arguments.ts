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
    'format=format_name,duration,nb_streams',
    'stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,field_order,color_transfer,avg_frame_rate,duration',
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
      const frames = Math.round((seconds * rateOf(plan.facts).numerator) / rateOf(plan.facts).denominator);
      const isLast = start + seconds >= plan.facts.durationSeconds;
      return [
        ...[
          ...begin,
          ...input('-ss', secondsText(start), '-t', secondsText(seconds + (isLast ? BEYOND_SECONDS : 1))),
        ],
        ...['-filter_complex', ladderGraph(plan, isLast ? {} : { frames })],
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

/** Returns the filter graph of the ladder; its outputs are labelled `v0` for the first rung and so on. */
function ladderGraph({ facts, rungs }: Plan, { frames }: { frames?: number } = {}): string {
  const { numerator, denominator } = rateOf(facts);
  const prepared = [
    // One frame at each instant of the grid, from 0, so that renditions and stretches align.
    `fps=fps=${numerator}/${denominator}:start_time=0`,
    ...(frames === undefined ? [] : [`trim=end_frame=${frames}`]),
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
    // Sound that begins late, or has gaps, keeps its position.
    ...(has.sound ? ['-af', 'aresample=async=1:first_pts=0'] : []),
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
  const { width, height, durationSeconds } = facts;
  const sizeFor = (side: number) => {
    const factor = Math.min(1, side / Math.max(width, height));
    return `${Math.max(2, Math.round(width * factor))}:${Math.max(2, Math.round(height * factor))}`;
  };
  return [
    ...PICTURES.flatMap(({ at }) => input('-ss', secondsText(durationSeconds * at))),
    ...PICTURES.flatMap(({ file, side }, place) => [
      ...['-map', `${place}:${facts.videoStream}`, '-frames:v', '1', '-map_metadata', '-1'],
      ...['-vf', `scale=${sizeFor(side)},setsar=1`, '-q:v', '3', '-f', 'image2', '-update', '1', file],
    ]),
  ];
}

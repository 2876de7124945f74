import {
  AUDIO_CODECS,
  MAX_FRAME_RATE,
  MAX_HEIGHT,
  MAX_SECONDS,
  MAX_STREAMS,
  MAX_WIDTH,
  MIN_SIDE,
  VIDEO_CODECS,
} from './limits.ts';
import { type SourceFacts, SourceRefused } from './port.ts';

/** The output of `ffprobe -of json`; any field may be missing. */
interface Probed {
  format?: { format_name?: string; start_time?: string; duration?: string; nb_streams?: number };
  streams?: ProbedStream[];
}

interface ProbedStream {
  index: number;
  codec_type?: string;
  codec_name?: string;
  width?: number;
  height?: number;
  sample_aspect_ratio?: string;
  field_order?: string;
  color_transfer?: string;
  avg_frame_rate?: string;
  start_time?: string;
  duration?: string;
  tags?: { DURATION?: string };
  disposition?: { attached_pic?: number };
  side_data_list?: { rotation?: number }[];
}

const INTERLACED = ['tt', 'bb', 'tb', 'bt'];
const HIGH_DYNAMIC_RANGE = ['smpte2084', 'arib-std-b67'];

/** Whether these are the first bytes of MP4, QuickTime, Matroska or WebM. */
export function isVideoContainer(head: Buffer): boolean {
  const box = head.subarray(4, 8).toString('latin1');
  // Old QuickTime files begin with one of the other boxes.
  const isMovie = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'].includes(box);
  return isMovie || head.subarray(0, 4).equals(Buffer.from([0x1a, 0x45, 0xdf, 0xa3]));
}

/**
 * Returns the facts of a probed file.
 * @throws SourceRefused
 */
export function factsOf(probed: Probed): SourceFacts {
  const streams = probed.streams ?? [];
  if (streams.length > MAX_STREAMS)
    throw new SourceRefused('UNSUPPORTED_FORMAT', `${streams.length} streams`);
  // Cover art is a video stream of one picture.
  const video = streams.find((one) => one.codec_type === 'video' && one.disposition?.attached_pic !== 1);
  const audio = streams.find((one) => one.codec_type === 'audio');
  if (!video) throw new SourceRefused('NO_VIDEO_STREAM');
  if (!VIDEO_CODECS.includes(video.codec_name ?? ''))
    throw new SourceRefused('UNSUPPORTED_FORMAT', `the codec ${video.codec_name ?? 'of the picture'}`);
  if (audio && !AUDIO_CODECS.includes(audio.codec_name ?? '') && !audio.codec_name?.startsWith('pcm_'))
    throw new SourceRefused('UNSUPPORTED_FORMAT', `the codec ${audio.codec_name ?? 'of the sound'}`);
  const durationSeconds = Number(probed.format?.duration ?? video.duration);
  if (!(durationSeconds > 0)) throw new SourceRefused('DAMAGED', 'its length is not known');
  if (durationSeconds > MAX_SECONDS) throw new SourceRefused('TOO_LONG');
  const endOf = (stream: ProbedStream): number | undefined => {
    const seconds = endedAt(stream, Number(probed.format?.start_time ?? 0));
    return seconds === undefined ? undefined : Math.min(seconds, durationSeconds);
  };
  const frameRate = frameRateOf(video);
  return {
    durationSeconds,
    videoSeconds: endOf(video),
    audioSeconds: audio && endOf(audio),
    ...displaySizeOf(video),
    frameRate,
    videoStream: video.index,
    audioStream: audio?.index,
    isInterlaced: INTERLACED.includes(video.field_order ?? ''),
    isHighDynamicRange: HIGH_DYNAMIC_RANGE.includes(video.color_transfer ?? ''),
  };
}

/** Returns when a stream ends, counted from the beginning of the file; undefined if that is not declared. */
function endedAt({ start_time, duration, tags = {} }: ProbedStream, beginning: number): number | undefined {
  const seconds = Number(duration);
  if (seconds > 0) return Math.max(0, Number(start_time ?? 0) - beginning) + seconds;
  // Matroska has no lengths of streams, but most programs write their ends as tags.
  const [, hours, minutes, rest] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(tags.DURATION ?? '') ?? [];
  const end = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  return end > 0 ? end : undefined;
}

function ratioOf(text: string | undefined, separator: string): [number, number] | undefined {
  const [numerator = 0, denominator = 0] = (text ?? '').split(separator).map(Number);
  return numerator > 0 && denominator > 0 ? [numerator, denominator] : undefined;
}

function displaySizeOf(video: ProbedStream): { width: number; height: number } {
  const { width = 0, height = 0 } = video;
  if (Math.max(width, height) > MAX_WIDTH || Math.min(width, height) > MAX_HEIGHT)
    throw new SourceRefused('DIMENSIONS', `${width}x${height}`);
  const [horizontal, vertical] = ratioOf(video.sample_aspect_ratio, ':') ?? [1, 1];
  const displayed = Math.round((width * horizontal) / vertical);
  if (Math.min(displayed, height) < MIN_SIDE || displayed > 2 * MAX_WIDTH)
    throw new SourceRefused('DIMENSIONS', `${displayed}x${height}`);
  const rotation = video.side_data_list?.find((one) => one.rotation !== undefined)?.rotation ?? 0;
  return Math.abs(Math.round(rotation / 90)) % 2 === 1
    ? { width: height, height: displayed }
    : { width: displayed, height };
}

const COMMON_RATES: [number, number][] = [
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [48, 1],
  [50, 1],
  [60_000, 1001],
  [60, 1],
];
/** Maximum relative difference between a measured frame rate and the common rate that it is rounded to. */
const NEARLY = 0.0004;

function frameRateOf(video: ProbedStream): SourceFacts['frameRate'] {
  const [numerator, denominator] = ratioOf(video.avg_frame_rate, '/') ?? [30, 1];
  const rate = numerator / denominator;
  if (rate > MAX_FRAME_RATE) throw new SourceRefused('DIMENSIONS', `${Math.round(rate)} frames a second`);
  const common = COMMON_RATES.find(([n, d]) => Math.abs(n / d / rate - 1) < NEARLY);
  if (common) return { numerator: common[0], denominator: common[1] };
  return { numerator: Math.max(1, Math.round(rate * 1000)), denominator: 1000 };
}

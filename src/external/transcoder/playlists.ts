import { AUDIO, POSTER, playlistOf, rateOf } from './arguments.ts';
import type { Documents, Plan, Segment, StoredPart, Track } from './port.ts';

interface MediaPlaylist {
  init: string;
  segments: Omit<Segment, 'bytes'>[];
}

/** Parses a playlist written by ffmpeg. */
export function readMediaPlaylist(text: string): MediaPlaylist {
  const init = /^#EXT-X-MAP:URI="([^"]+)"/m.exec(text)?.[1];
  const segments = [...text.matchAll(/^#EXTINF:([\d.]+),.*\n([^#\n]+)$/gm)].map(([, seconds, uri]) => ({
    uri: String(uri),
    seconds: Number(seconds),
  }));
  if (init === undefined || segments.length === 0 || !text.includes('#EXT-X-ENDLIST'))
    throw new Error('the playlist is not complete');
  return { init, segments };
}

/** Returns the RFC 6381 codec string of an init segment; undefined when it has no H.264. */
export function videoCodecOf(init: Buffer): string | undefined {
  const at = init.indexOf('avcC');
  // The box name is followed by its version, then profile, compatibility and level.
  return at < 0 ? undefined : `avc1.${init.subarray(at + 5, at + 8).toString('hex')}`;
}

/** AAC-LC, the only encoding of sound. */
export const AUDIO_CODEC = 'mp4a.40.2';

/** Playlists are in a folder beside those of the parts: `2/1080p/index.m3u8` names `../../2/whole/1080p/s00000.m4s`. */
const fromTrack = (path: string, uri: string): string => `../../${path}/${uri}`;
const fromRoot = (path: string, uri: string): string => `../${path}/${uri}`;

/** A rendition over all parts that contribute to it; each part has its own init segment. */
interface WholeTrack {
  name: string;
  codec: string;
  parts: { path: string; track: Track }[];
}

function tracksOf(parts: StoredPart[]): Map<string, WholeTrack> {
  const tracks = new Map<string, WholeTrack>();
  for (const { path, tracks: ofPart } of parts) {
    for (const track of ofPart) {
      const whole = tracks.get(track.name) ?? { name: track.name, codec: track.codec, parts: [] };
      whole.parts.push({ path, track });
      tracks.set(track.name, whole);
    }
  }
  return tracks;
}

const segmentsOf = ({ parts }: WholeTrack): Segment[] => parts.flatMap(({ track }) => track.segments);

function mediaPlaylist(track: WholeTrack): string {
  const target = Math.max(...segmentsOf(track).map(({ seconds }) => Math.round(seconds)), 1);
  return [
    ...['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${target}`, '#EXT-X-MEDIA-SEQUENCE:0'],
    ...['#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS'],
    ...track.parts.flatMap(({ path, track: { init, segments } }) => [
      `#EXT-X-MAP:URI="${fromTrack(path, init)}"`,
      ...segments.flatMap(({ seconds, uri }) => [`#EXTINF:${seconds.toFixed(6)},`, fromTrack(path, uri)]),
    ]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

const bitsPerSecond = (bytes: number, seconds: number): number =>
  Math.ceil((bytes * 8) / Math.max(seconds, 0.001));

/** Returns the measured peak and average bit rate of a track. */
export function bandwidthOf(segments: Segment[]): { peak: number; average: number } {
  const sum = (what: 'bytes' | 'seconds') => segments.reduce((total, segment) => total + segment[what], 0);
  return {
    peak: Math.max(...segments.map(({ bytes, seconds }) => bitsPerSecond(bytes, seconds))),
    average: bitsPerSecond(sum('bytes'), sum('seconds')),
  };
}

function masterPlaylist(plan: Plan, tracks: Map<string, WholeTrack>, names: string[]): string {
  const audio = tracks.get(AUDIO);
  const sound = audio && bandwidthOf(segmentsOf(audio));
  const { numerator, denominator } = rateOf(plan.facts);
  const variants = plan.rungs.flatMap(({ name, width, height }) => {
    const track = tracks.get(name);
    if (!track || !names.includes(name)) return [];
    const { peak, average } = bandwidthOf(segmentsOf(track));
    const attributes = [
      `BANDWIDTH=${peak + (sound?.peak ?? 0)}`,
      `AVERAGE-BANDWIDTH=${average + (sound?.average ?? 0)}`,
      `CODECS="${[track.codec, ...(audio ? [audio.codec] : [])].join(',')}"`,
      `RESOLUTION=${width}x${height}`,
      `FRAME-RATE=${(numerator / denominator).toFixed(3)}`,
      ...(audio ? ['AUDIO="audio"'] : []),
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, playlistOf(name)];
  });
  return [
    ...['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'],
    ...(audio
      ? [
          `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="${playlistOf(AUDIO)}"`,
        ]
      : []),
    ...variants,
    '',
  ].join('\n');
}

const timeOf = (seconds: number): string => {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const millis = Math.round((seconds - whole) * 1000);
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${String(millis).padStart(3, '0')}`;
};

/** Returns the WebVTT of thumbnails for scrubbing, which maps time ranges to regions of sheets. */
export function spriteTable({ facts, sprites }: Plan, path: string, sheets: number): string {
  const { intervalSeconds, width, height, columns, rows } = sprites;
  const wanted = Math.max(1, Math.ceil(facts.durationSeconds / intervalSeconds));
  const count = Math.min(wanted, sheets * columns * rows);
  const cues = Array.from({ length: count }, (_, place) => {
    const sheet = String(Math.floor(place / (columns * rows)) + 1).padStart(3, '0');
    const x = (place % columns) * width;
    const y = (Math.floor(place / columns) % rows) * height;
    const start = place * intervalSeconds;
    const end = Math.min(start + intervalSeconds, facts.durationSeconds);
    const uri = fromRoot(path, `sprite${sheet}.jpg`);
    return `${timeOf(start)} --> ${timeOf(end)}\n${uri}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT', '', ...cues].join('\n');
}

/**
 * Returns every text file of a video: `master.m3u8` over all renditions, `720p.m3u8` and so on for one rendition with
 * sound, a media playlist for each track, and `sprites.vtt`.
 */
export function documentsFor(plan: Plan, parts: StoredPart[]): Documents {
  const tracks = tracksOf(parts);
  const names = plan.rungs.map(({ name }) => name);
  const partOf = (...kinds: string[]): StoredPart => {
    const found = parts.find(({ name }) => kinds.includes(name));
    if (!found) throw new Error(`no part is one of ${kinds.join(', ')}`);
    return found;
  };
  const spritesPart = partOf('sprites');
  const sheets = spritesPart.files.filter((file) => file.startsWith('sprite')).length;
  return {
    texts: {
      'master.m3u8': masterPlaylist(plan, tracks, names),
      ...Object.fromEntries(names.map((name) => [`${name}.m3u8`, masterPlaylist(plan, tracks, [name])])),
      ...Object.fromEntries(
        [...tracks.values()].map((track) => [playlistOf(track.name), mediaPlaylist(track)]),
      ),
      'sprites.vtt': spriteTable(plan, spritesPart.path, sheets),
    },
    poster: fromRoot(partOf('pictures').path, POSTER),
  };
}

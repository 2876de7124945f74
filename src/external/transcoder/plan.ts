import { LENGTH_TOLERANCE_SECONDS, SEGMENT_SECONDS, type TranscodingOptions } from './limits.ts';
import type { Part, Plan, Rung, SourceFacts, Sprites } from './port.ts';

/** The ladder, by the short side, so that a portrait of 1080x1920 is also "1080p". */
const LADDER = [
  { side: 1080, maxKbps: 5000 },
  { side: 720, maxKbps: 2800 },
  { side: 480, maxKbps: 1400 },
  { side: 360, maxKbps: 800 },
];
const LOWEST_KBPS = 800;
/** A source at least this close to a rung, such as 1920x1072, is encoded for that rung in its own size. */
const NEARLY = 0.95;

const even = (length: number): number => Math.max(2, Math.round(length / 2) * 2);
const evenBelow = (length: number): number => Math.max(2, Math.floor(length / 2) * 2);

/** Returns the renditions of a source, largest first: never upscaled, in its aspect ratio, with even sides. */
export function ladderFor({ width, height }: Pick<SourceFacts, 'width' | 'height'>): Rung[] {
  const short = Math.min(width, height);
  const rungs = LADDER.filter(({ side }) => short >= side * NEARLY);
  if (rungs.length === 0) {
    const size = { width: evenBelow(width), height: evenBelow(height) };
    return [{ name: `${Math.min(size.width, size.height)}p`, ...size, maxKbps: LOWEST_KBPS }];
  }
  return rungs.map(({ side, maxKbps }) => {
    const shortSide = evenBelow(Math.min(side, short));
    const factor = shortSide / short;
    const size =
      width < height
        ? { width: shortSide, height: Math.min(even(height * factor), evenBelow(height)) }
        : { width: Math.min(even(width * factor), evenBelow(width)), height: shortSide };
    return { name: `${side}p`, ...size, maxKbps };
  });
}

/**
 * Returns for how long the last picture is repeated, and the sound silent, so that both last as long as the video. An end
 * that is not declared, or hardly differs, is left as it is.
 */
export function paddingOf(facts: Pick<SourceFacts, 'durationSeconds' | 'videoSeconds' | 'audioSeconds'>): {
  pictureSeconds: number;
  soundSeconds: number;
} {
  const missing = (end: number | undefined): number => {
    const seconds = facts.durationSeconds - (end ?? facts.durationSeconds);
    return seconds > LENGTH_TOLERANCE_SECONDS ? seconds : 0;
  };
  return { pictureSeconds: missing(facts.videoSeconds), soundSeconds: missing(facts.audioSeconds) };
}

const SPRITE_SIDE = 160;
const MIN_SPRITE_INTERVAL_SECONDS = 2;
const MAX_SPRITES = 400;

export function spritesFor({ width, height, durationSeconds }: SourceFacts): Sprites {
  const factor = SPRITE_SIDE / Math.max(width, height);
  return {
    intervalSeconds: Math.max(MIN_SPRITE_INTERVAL_SECONDS, Math.ceil(durationSeconds / MAX_SPRITES)),
    width: even(width * factor),
    height: even(height * factor),
    columns: 10,
    rows: 10,
  };
}

/** Approximate cost of a long video's sound, sprites and pictures, relative to its length. */
const SOUND_WEIGHT = 0.08;
const SPRITES_WEIGHT = 0.02;
const PICTURES_WEIGHT_SECONDS = 1;

/** Returns the plan of a source's outputs, in parts. */
export function planFor(
  facts: SourceFacts,
  { stretchThresholdSeconds, stretchSeconds }: TranscodingOptions,
): Plan {
  const { durationSeconds } = facts;
  const all = { startSeconds: 0, seconds: durationSeconds };
  const pictures: Part = { name: 'pictures', kind: 'pictures', ...all, weight: PICTURES_WEIGHT_SECONDS };
  // Sprites have a separate run: their first sheet is written late, and ffmpeg reports no progress until every output
  // has begun.
  const sprites: Part = {
    name: 'sprites',
    kind: 'sprites',
    ...all,
    weight: durationSeconds * SPRITES_WEIGHT,
  };
  const plan = { facts, rungs: ladderFor(facts), sprites: spritesFor(facts) };
  if (durationSeconds <= stretchThresholdSeconds)
    return {
      ...plan,
      parts: [{ name: 'whole', kind: 'whole', ...all, weight: durationSeconds }, sprites, pictures],
    };
  const sound: Part = { name: 'sound', kind: 'sound', ...all, weight: durationSeconds * SOUND_WEIGHT };
  return {
    ...plan,
    parts: [
      ...stretchesOf(durationSeconds, stretchSeconds),
      ...(facts.audioStream === undefined ? [] : [sound]),
      sprites,
      pictures,
    ],
  };
}

/** Cuts on segment boundaries; a remainder shorter than a segment joins the last stretch. */
function stretchesOf(durationSeconds: number, stretchSeconds: number): Part[] {
  const step = Math.max(SEGMENT_SECONDS, Math.round(stretchSeconds / SEGMENT_SECONDS) * SEGMENT_SECONDS);
  const count = Math.max(1, Math.ceil((durationSeconds - SEGMENT_SECONDS) / step));
  return Array.from({ length: count }, (_, place) => {
    const startSeconds = place * step;
    const seconds = place === count - 1 ? durationSeconds - startSeconds : step;
    const name = `stretch-${String(place).padStart(3, '0')}`;
    return { name, kind: 'stretch' as const, startSeconds, seconds, weight: seconds };
  });
}

import { SEGMENT_SECONDS, type TranscodingOptions } from './limits.ts';
import type { Part, Plan, Rung, SourceFacts, Sprites } from './port.ts';

/** The ladder by the short side, so that a portrait of 1080x1920 is "1080p" too. */
const LADDER = [
  { side: 1080, maxKbps: 5000 },
  { side: 720, maxKbps: 2800 },
  { side: 480, maxKbps: 1400 },
  { side: 360, maxKbps: 800 },
];
const LOWEST_KBPS = 800;
/** A source that misses a rung by less, such as 1920x1072, is that rung in its own size. */
const NEARLY = 0.95;

const even = (length: number): number => Math.max(2, Math.round(length / 2) * 2);
const evenBelow = (length: number): number => Math.max(2, Math.floor(length / 2) * 2);

/** Returns the renditions of a source, the largest first: never above it, in its aspect ratio, with even sides. */
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

/** The sound of a long video, the sprites, and a few pictures cost about so much of its length. */
const SOUND_WEIGHT = 0.08;
const SPRITES_WEIGHT = 0.02;
const PICTURES_WEIGHT_SECONDS = 1;

/** Returns all that is to be made of a source, in parts. */
export function planFor(
  facts: SourceFacts,
  { stretchThresholdSeconds, stretchSeconds }: TranscodingOptions,
): Plan {
  const { durationSeconds } = facts;
  const all = { startSeconds: 0, seconds: durationSeconds };
  const pictures: Part = { name: 'pictures', kind: 'pictures', ...all, weight: PICTURES_WEIGHT_SECONDS };
  // In a run of their own: their first sheet is written late, and until each output has begun ffmpeg tells no progress.
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

/** Cuts on the grid of the segments; a rest shorter than a segment belongs to the last stretch. */
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

import { type Box, boxBelow, boxesIn, contentOf } from './boxes.ts';
import type { KeptData } from './kept-data.ts';
import { type ByteSource, fieldsOf, Unreadable } from './source.ts';

/** What is present in the head of a track's part of a fragment. */
const HEAD = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10, fromFragment: 0x20000 };
/** What is present in a run of samples, and for each of its samples. */
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, composition: 0x800 };

/** The tracks of a video, and the sizes of their samples where fragments do not state them. */
export interface Track {
  isKept: boolean;
  defaultSize: number;
}

/** Returns the size of samples that the movie states for each track, by the track's number. */
export async function defaultSizes(source: ByteSource, movie: Box): Promise<Map<number, number>> {
  const sizes = new Map<number, number>();
  const extends_ = await boxBelow(source, movie, 'mvex');
  if (!extends_) return sizes;
  for await (const box of boxesIn(source, { from: extends_.payload, to: extends_.end })) {
    if (box.type !== 'trex') continue;
    const fields = fieldsOf(await contentOf(source, box));
    fields.skip(4);
    const track = fields.uint(4);
    fields.skip(8);
    sizes.set(track, fields.uint(4));
  }
  return sizes;
}

/** Reads the parts that tracks have in a fragment, in their order: one may begin where the one before it ends. */
export function fragmentReader(source: ByteSource, fragment: Box, data: KeptData) {
  let end = fragment.at;

  async function readRun(box: Box, place: { base: number; size: number; at: number; isKept: boolean }) {
    const fields = fieldsOf(await contentOf(source, box));
    const flags = fields.uint(4) & 0xffffff;
    const count = fields.uint(4);
    if (flags & RUN.offset) place.at = place.base + (fields.uint(4) | 0);
    if (flags & RUN.firstFlags) fields.skip(4);
    const [before, after] = [
      flags & RUN.duration ? 4 : 0,
      (flags & RUN.flags ? 4 : 0) + (flags & RUN.composition ? 4 : 0),
    ];
    let bytes = flags & RUN.size ? 0 : count * place.size;
    for (let sample = 0; flags & RUN.size && sample < count; sample++) {
      fields.skip(before);
      bytes += fields.uint(4);
      fields.skip(after);
    }
    data.begin(place.at);
    if (place.isKept) data.keep(place.at, bytes);
    place.at += bytes;
  }

  /** Reads the part of one track; returns whether the track is kept. */
  return async (part: Box, tracks: Map<number, Track>): Promise<boolean> => {
    const head = await boxBelow(source, part, 'tfhd');
    if (!head) throw new Unreadable('a fragment of no track');
    const fields = fieldsOf(await contentOf(source, head));
    const flags = fields.uint(4) & 0xffffff;
    const { isKept, defaultSize } = tracks.get(fields.uint(4)) ?? { isKept: false, defaultSize: 0 };
    const base = flags & HEAD.base ? fields.uint(8) : flags & HEAD.fromFragment ? fragment.at : end;
    if (flags & HEAD.description) fields.skip(4);
    if (flags & HEAD.duration) fields.skip(4);
    const size = flags & HEAD.size ? fields.uint(4) : defaultSize;
    const place = { base, size, at: base, isKept };
    for await (const box of boxesIn(source, { from: part.payload, to: part.end }))
      if (box.type === 'trun') await readRun(box, place);
    end = place.at;
    return isKept;
  };
}

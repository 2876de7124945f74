import { type Box, boxBelow, contentOf } from './boxes.ts';
import type { KeptData } from './kept-data.ts';
import { type ByteSource, Unreadable } from './source.ts';

interface Sizes {
  count: number;
  /** The size of every sample, if they are equal. */
  uniform: number;
  at: (sample: number) => number;
}

/** How many samples the chunks have, from one on. */
interface Run {
  firstChunk: number;
  samples: number;
}

/**
 * Notes where the chunks of a track are, and keeps them if the track is kept.
 * @param table the box `stbl` of the track
 */
export async function readSampleTable(
  source: ByteSource,
  table: Box,
  { isKept, isSound, data }: { isKept: boolean; isSound: boolean; data: KeptData },
): Promise<void> {
  const read = async (type: string): Promise<Buffer | undefined> => {
    const box = await boxBelow(source, table, type);
    return box && contentOf(source, box);
  };
  const [offsets, longOffsets] = [await read('stco'), await read('co64')];
  const chunks = offsetsIn(offsets ?? longOffsets, offsets ? 4 : 8);
  for (const at of chunks) data.begin(at);
  if (!isKept || chunks.length === 0) return;
  const sizes = sizesIn(await read('stsz'), await read('stz2'));
  // The size of such samples is not always that of what is stored, as for sound without compression.
  if (isSound && sizes.uniform > 0) for (const at of chunks) data.keepToNext(at);
  else keepChunks(data, chunks, runsIn(await read('stsc')), sizes);
}

function offsetsIn(table: Buffer | undefined, size: 4 | 8): number[] {
  if (!table || table.length < 8) return [];
  const offsetAt = (place: number): number =>
    size === 4 ? table.readUInt32BE(8 + place * 4) : Number(table.readBigUInt64BE(8 + place * 8));
  const length = entries(table, 8, table.readUInt32BE(4), size);
  return Array.from({ length }, (_, place) => offsetAt(place));
}

/** Returns the number of entries of a table, which follow its head. @throws Unreadable if it is shorter than it says */
function entries(table: Buffer, headBytes: number, count: number, entryBytes: number): number {
  if (headBytes + count * entryBytes > table.length) throw new Unreadable('a table is cut');
  return count;
}

function sizesIn(table: Buffer | undefined, compact: Buffer | undefined): Sizes {
  if (table && table.length >= 12) {
    const [uniform, count] = [table.readUInt32BE(4), table.readUInt32BE(8)];
    if (uniform === 0) entries(table, 12, count, 4);
    return { count, uniform, at: (sample) => table.readUInt32BE(12 + sample * 4) };
  }
  if (!compact || compact.length < 12) throw new Unreadable('no sizes');
  const [bits, count] = [compact[7] ?? 0, compact.readUInt32BE(8)];
  if (![4, 8, 16].includes(bits)) throw new Unreadable('sizes of no known form');
  entries(compact, 12, count, bits / 8);
  const halfByte = (sample: number): number =>
    ((compact[12 + (sample >> 1)] ?? 0) >> (sample % 2 ? 0 : 4)) & 15;
  return {
    count,
    uniform: 0,
    at: (sample) =>
      bits === 16
        ? compact.readUInt16BE(12 + sample * 2)
        : bits === 8
          ? (compact[12 + sample] ?? 0)
          : halfByte(sample),
  };
}

function runsIn(table: Buffer | undefined): Run[] {
  if (!table || table.length < 8) throw new Unreadable('no chunks');
  const length = entries(table, 8, table.readUInt32BE(4), 12);
  return Array.from({ length }, (_, place) => ({
    firstChunk: table.readUInt32BE(8 + place * 12),
    samples: table.readUInt32BE(12 + place * 12),
  }));
}

function keepChunks(data: KeptData, chunks: number[], runs: Run[], sizes: Sizes): void {
  let [run, sample] = [0, 0];
  for (const [place, at] of chunks.entries()) {
    while ((runs[run + 1]?.firstChunk ?? Number.POSITIVE_INFINITY) <= place + 1) run++;
    const end = Math.min(sizes.count, sample + (runs[run]?.samples ?? 0));
    let bytes = sizes.uniform * (end - sample);
    if (sizes.uniform > 0) sample = end;
    for (; sample < end; sample++) bytes += sizes.at(sample);
    data.keep(at, bytes);
  }
}

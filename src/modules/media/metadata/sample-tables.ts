import { type Box, boxBelow, boxesIn, contentOf } from './boxes.ts';
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
  const runs = runsIn(await read('stsc'));
  if (!isSound || sizes.uniform === 0) return keepChunks(data, chunks, runs, sizes);
  // The size of such samples is not always that of what is stored, as for sound without compression.
  const sampleBytes = Math.max(sizes.uniform, await soundBytes(source, table));
  for (const [at, samples] of samplesOf(chunks, runs)) data.keepToNext(at, Math.ceil(samples * sampleBytes));
}

/** The bits of samples whose description may state others, as QuickTime demands. */
const BITS: Record<string, number> = { ulaw: 8, alaw: 8, in24: 24, in32: 32, fl32: 32, fl64: 64 };

/** Returns how long a sample of sound is by the longest of its descriptions, for all channels; 0 if none says it. */
async function soundBytes(source: ByteSource, table: Box): Promise<number> {
  const descriptions = await boxBelow(source, table, 'stsd');
  let most = 0;
  if (!descriptions) return most;
  const entries = { from: descriptions.payload + 8, to: descriptions.end };
  for await (const { type, payload, end } of boxesIn(source, entries)) {
    const described = Buffer.alloc(64);
    (await source.read(payload, Math.min(described.length, end - payload))).copy(described);
    most = Math.max(most, bytesPerSample(type, described));
  }
  return most;
}

/** Versions 1 and 2 say how many bytes a packet has, and how many samples; version 0 has no packets. */
function bytesPerSample(type: string, described: Buffer): number {
  const version = described.readUInt16BE(8);
  if (version > 0) {
    const bytes = described.readUInt32BE(version === 1 ? 36 : 56);
    const samples = described.readUInt32BE(version === 1 ? 28 : 60);
    if (bytes > 0 && samples > 0) return bytes / samples;
  }
  return (described.readUInt16BE(16) * (BITS[type] ?? described.readUInt16BE(18))) / 8;
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

/** Yields where each chunk begins, and how many samples it has. */
function* samplesOf(chunks: number[], runs: Run[]): Generator<[at: number, samples: number]> {
  let run = 0;
  for (const [place, at] of chunks.entries()) {
    while ((runs[run + 1]?.firstChunk ?? Number.POSITIVE_INFINITY) <= place + 1) run++;
    yield [at, runs[run]?.samples ?? 0];
  }
}

function keepChunks(data: KeptData, chunks: number[], runs: Run[], sizes: Sizes): void {
  let sample = 0;
  for (const [at, samples] of samplesOf(chunks, runs)) {
    const end = Math.min(sizes.count, sample + samples);
    let bytes = sizes.uniform * (end - sample);
    if (sizes.uniform > 0) sample = end;
    for (; sample < end; sample++) bytes += sizes.at(sample);
    data.keep(at, bytes);
  }
}

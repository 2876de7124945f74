import {
  applyRule,
  applyRules,
  type Box,
  blankBox,
  blankStretch,
  boxAt,
  boxBelow,
  boxesIn,
  contentOf,
  keeping,
  type Rules,
} from './boxes.ts';
import type { EditList } from './edits.ts';
import { defaultSizes, fragmentReader, type Track } from './fragments.ts';
import { editItems } from './items.ts';
import { type KeptData, keptData } from './kept-data.ts';
import { readSampleTable } from './sample-tables.ts';
import { type ByteSource, fieldsOf, Unreadable } from './source.ts';

/** Video, sound, and the pictures and transparency of an animated AVIF. Others have times, places, texts. */
const KEPT_TRACKS = ['vide', 'soun', 'pict', 'auxv'];
const KEPT_TABLES = keeping('stts ctts cslg stss stps sdtp stsc stsz stz2 stco co64 sgpd sbgp subs');
const KEPT_IN_FRAGMENTS = keeping('tfhd tfdt trun sdtp sbgp sgpd subs saiz saio senc');
/** Within the description of a track's samples: who made the encoder, and its name. */
const VENDOR = { at: 12, bytes: 4 };
const COMPRESSOR = { at: 42, bytes: 32 };

/**
 * Keeps pictures and sound, and what is needed to play them, of an MP4, a QuickTime film or an AVIF. All else becomes
 * empty boxes of the same length, so that nothing moves to which an offset in the file leads. Times of recording and names
 * of devices and encoders become zeros.
 */
export async function editMovie(source: ByteSource, edits: EditList, isStill: boolean): Promise<void> {
  const file = { source, edits, data: keptData() };
  const tracks = new Map<number, Track>();
  const rules: Rules = {
    ...keeping('ftyp styp sidx ssix mfra pdin'),
    moov: (box) => editTracks(file, box, tracks),
    moof: (box) => editFragment(file, box, tracks),
    mdat: ({ payload, end }) => file.data.addData({ from: payload, to: end }),
    ...(isStill ? { meta: (box: Box) => editItems(file, box) } : {}),
  };
  for (let at = 0; at < source.bytes; ) {
    const box = await boxAt(source, at, source.bytes);
    if (!box) {
      blankStretch(edits, { from: at, to: source.bytes });
      break;
    }
    await applyRule(file, rules, { ...box, end: Math.min(box.end, source.bytes) });
    at = box.end;
  }
  if (file.data.isEmpty()) throw new Unreadable('no picture and no sound');
  file.data.blankOthers(edits);
}

interface File {
  source: ByteSource;
  edits: EditList;
  data: KeptData;
}

/** Blanks when something was made and changed, which follows version and flags. */
function timesOf({ source, edits }: File) {
  return async ({ payload }: Box): Promise<void> =>
    edits.blank(payload + 4, (await source.read(payload, 1))[0] === 1 ? 16 : 8);
}

async function editTracks(file: File, movie: Box, tracks: Map<number, Track>): Promise<void> {
  const { source, edits, data } = file;
  const sizes = await defaultSizes(source, movie);

  async function editTrack(track: Box): Promise<void> {
    const handler = await boxBelow(source, track, 'mdia', 'hdlr');
    const header = await boxBelow(source, track, 'tkhd');
    const table = await boxBelow(source, track, 'mdia', 'minf', 'stbl');
    if (!handler || !header || !table) return blankBox(edits, track);
    const kind = (await source.read(handler.payload + 8, 4)).toString('latin1');
    const isKept = KEPT_TRACKS.includes(kind);
    const id = await idIn(source, header);
    tracks.set(id, { isKept, defaultSize: sizes.get(id) ?? 0 });
    await readSampleTable(source, table, { isKept, isSound: kind === 'soun', data });
    if (isKept)
      await applyRules(file, rulesOfTrack(file, kind === 'soun'), { from: track.payload, to: track.end });
    else blankBox(edits, track);
  }

  const rules: Rules = { mvhd: timesOf(file), mvex: keeping('mehd trex leva trep'), trak: editTrack };
  await applyRules(file, rules, { from: movie.payload, to: movie.end });
}

async function idIn(source: ByteSource, header: Box): Promise<number> {
  const fields = fieldsOf(await contentOf(source, header));
  const version = fields.uint(1);
  fields.skip(3 + (version === 1 ? 16 : 8));
  return fields.uint(4);
}

function rulesOfTrack(file: File, isSound: boolean): Rules {
  const { source, edits } = file;
  const times = timesOf(file);
  /** Keeps the kind, which version and flags and the kind of the handler precede. */
  const handler = ({ payload, end }: Box): void => edits.blank(payload + 12, end - payload - 12);

  /** Keeps how samples are decoded. */
  async function descriptions({ payload, end: last }: Box): Promise<void> {
    for await (const { payload: at, end } of boxesIn(source, { from: payload + 8, to: last }))
      for (const name of isSound ? [VENDOR] : [VENDOR, COMPRESSOR])
        edits.blank(at + name.at, Math.min(name.bytes, end - at - name.at));
  }
  /** Media elsewhere are named by address or path. */
  async function references({ payload, end }: Box): Promise<void> {
    for await (const box of boxesIn(source, { from: payload + 8, to: end }))
      edits.blank(box.payload + 4, box.end - box.payload - 4);
  }

  return {
    tkhd: times,
    edts: keeping('elst'),
    tapt: keeping('clef prof enof'),
    tref: keeping('auxl'),
    mdia: {
      mdhd: times,
      hdlr: handler,
      elng: 'kept',
      minf: {
        ...keeping('vmhd smhd nmhd'),
        hdlr: handler,
        dinf: { dref: references },
        stbl: { ...KEPT_TABLES, stsd: descriptions },
      },
    },
  };
}

async function editFragment(file: File, fragment: Box, tracks: Map<number, Track>): Promise<void> {
  const readPart = fragmentReader(file.source, fragment, file.data);
  async function editPart(part: Box): Promise<void> {
    if (await readPart(part, tracks))
      await applyRules(file, KEPT_IN_FRAGMENTS, { from: part.payload, to: part.end });
    else blankBox(file.edits, part);
  }
  const rules: Rules = { mfhd: 'kept', traf: editPart };
  await applyRules(file, rules, { from: fragment.payload, to: fragment.end });
}

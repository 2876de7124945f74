import {
  applyRules,
  type Box,
  blankBox,
  boxBelow,
  boxesIn,
  contentOf,
  keeping,
  type Rules,
} from './boxes.ts';
import type { EditList } from './edits.ts';
import type { KeptData } from './kept-data.ts';
import { type ByteSource, fieldsOf, Unreadable } from './source.ts';

/** Pictures, and how they are put together. Others are Exif data, XMP, and what is not known. */
const KEPT_ITEMS = ['av01', 'grid', 'iovl', 'iden', 'tmap', 'sato'];
/** Properties that determine the look. */
const KEPT_PROPERTIES = keeping(
  'ispe pixi colr pasp clap irot imir rloc av1C auxC a1op a1lx lsel clli mdcv cclv amve ndwt reve',
);
/** The type of an item that readers do not know, and so pass over. */
const REMOVED = 'free';
/** Where the data of an item are. */
const [IN_FILE, IN_BOX] = [0, 1];

interface File {
  source: ByteSource;
  edits: EditList;
  data: KeptData;
}

/** Keeps the pictures of a still file (AVIF) and what determines their look. */
export async function editItems(file: File, meta: Box): Promise<void> {
  const { source, edits, data } = file;
  // Four bytes of version and flags precede the boxes.
  const inner = { ...meta, payload: meta.payload + 4 };
  const box = (...path: string[]): Promise<Box | undefined> => boxBelow(source, inner, ...path);
  const [infos, places, inside] = [await box('iinf'), await box('iloc'), await box('idat')];
  if (!infos || !places) throw new Unreadable('no items');
  const kept = await editInfos(file, infos);
  await keepItems(file, { places, inside, kept });
  const rules: Rules = {
    hdlr: (handler) => edits.blank(handler.payload + 12, handler.end - handler.payload - 12),
    ...keeping('pitm iloc iinf iref grpl'),
    iprp: { ipco: KEPT_PROPERTIES, ipma: 'kept' },
    idat: ({ payload, end }) => data.addData({ from: payload, to: end }),
  };
  await applyRules(file, rules, { from: inner.payload, to: inner.end });
}

/** Removes the names of items, and the types of those that are not kept; returns the numbers of the others. */
async function editInfos({ source, edits }: File, infos: Box): Promise<Set<number>> {
  const kept = new Set<number>();
  const version = (await source.read(infos.payload, 1))[0];
  const from = infos.payload + (version === 0 ? 6 : 8);
  for await (const box of boxesIn(source, { from, to: infos.end })) {
    if (box.type !== 'infe') {
      blankBox(edits, box);
      continue;
    }
    const fields = fieldsOf(await contentOf(source, box));
    const form = fields.uint(1);
    if (form !== 2 && form !== 3) throw new Unreadable('items of no type');
    fields.skip(3);
    const id = fields.uint(form === 2 ? 2 : 4);
    fields.skip(2);
    const typeAt = box.payload + fields.place();
    if (KEPT_ITEMS.includes(fields.text(4))) kept.add(id);
    else edits.write(typeAt, REMOVED);
    edits.blank(typeAt + 4, box.end - typeAt - 4);
  }
  return kept;
}

async function keepItems(
  { source, data }: File,
  { places, inside, kept }: { places: Box; inside: Box | undefined; kept: Set<number> },
): Promise<void> {
  const fields = fieldsOf(await contentOf(source, places));
  const version = fields.uint(1);
  if (version > 2) throw new Unreadable('items at no known place');
  fields.skip(3);
  const [sizes, moreSizes] = [fields.uint(1), fields.uint(1)];
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, moreSizes >> 4];
  const indexSize = version === 0 ? 0 : moreSizes & 15;
  const idSize = version < 2 ? 2 : 4;

  function readItem(): void {
    const isKept = kept.has(fields.uint(idSize));
    const where = version === 0 ? IN_FILE : fields.uint(2) & 15;
    const isElsewhere = fields.uint(2) !== 0 || where > IN_BOX || (where === IN_BOX && !inside);
    const base = fields.uint(baseSize) + (where === IN_BOX ? (inside?.payload ?? 0) : 0);
    for (let extents = fields.uint(2); extents > 0; extents--) {
      fields.skip(indexSize);
      const at = base + fields.uint(offsetSize);
      const bytes = fields.uint(lengthSize);
      data.begin(at);
      if (isKept && (isElsewhere || bytes === 0)) throw new Unreadable('an item without a place');
      if (isKept) data.keep(at, bytes);
    }
  }
  for (let items = fields.uint(idSize); items > 0; items--) readItem();
}

import type { EditList } from './edits.ts';
import { type ByteSource, Unreadable } from './source.ts';

/** A part of a file of MPEG-4 or of a derived format; the content begins at `payload` and ends before `end`. */
export interface Box {
  type: string;
  at: number;
  payload: number;
  end: number;
}

/** A stretch of a file; `to` is exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

/** Boxes of this type are passed over by every reader. */
const FREE = 'free';
/** Enough for a million samples; longer tables belong to no video of the sizes that are accepted, and take long to read. */
const MAX_TABLE = 4 * 1024 * 1024;

/**
 * Yields the boxes of a stretch, until the rest is too short for one.
 * @throws Unreadable for one that does not end within it
 */
export async function* boxesIn(source: ByteSource, { from, to }: Stretch): AsyncGenerator<Box> {
  for (let at = from; at + 8 <= to; ) {
    const box = await boxAt(source, at, to);
    if (!box || box.end > to) throw new Unreadable('a box is longer than what contains it');
    yield box;
    at = box.end;
  }
}

/** Returns the box at an offset, which may end beyond the stretch; undefined if there is none. */
export async function boxAt(source: ByteSource, at: number, to: number): Promise<Box | undefined> {
  const head = await source.read(at, 16);
  if (head.length < 8) return undefined;
  const type = head.toString('latin1', 4, 8);
  const size = head.readUInt32BE(0);
  if (size === 0) return { type, at, payload: at + 8, end: to };
  if (size !== 1) return size < 8 ? undefined : { type, at, payload: at + 8, end: at + size };
  if (head.length < 16) return undefined;
  const large = Number(head.readBigUInt64BE(8));
  return large < 16 ? undefined : { type, at, payload: at + 16, end: at + large };
}

/** Returns the content of a box. @throws Unreadable if it is too long for a table */
export async function contentOf(source: ByteSource, { payload, end }: Box): Promise<Buffer> {
  if (end - payload > MAX_TABLE) throw new Unreadable('a table is too long');
  return source.read(payload, end - payload);
}

/** Returns the first box below another one, by the path of types to it. */
export async function boxBelow(source: ByteSource, outer: Box, ...path: string[]): Promise<Box | undefined> {
  const [type, ...rest] = path;
  if (type === undefined) return outer;
  for await (const box of boxesIn(source, { from: outer.payload, to: outer.end }))
    if (box.type === type) return boxBelow(source, box, ...rest);
  return undefined;
}

/** Makes a box an empty one of the same length. */
export function blankBox(edits: EditList, { type, at, payload, end }: Box): void {
  if (type !== FREE) edits.write(at + 4, FREE);
  edits.blank(payload, end - payload);
}

/** Makes a stretch an empty box, as far as it is long enough for one. */
export function blankStretch(edits: EditList, { from, to }: Stretch): void {
  if (to - from < 8) {
    edits.blank(from, to - from);
    return;
  }
  const head = Buffer.alloc(8);
  head.writeUInt32BE(to - from);
  head.write(FREE, 4, 'latin1');
  edits.write(from, head);
  edits.blank(from + 8, to - from - 8);
}

/** What becomes of the boxes of a type: they stay as they are, are looked into, or are edited. Others are removed. */
type Rule = 'kept' | Rules | ((box: Box) => void | Promise<void>);
export interface Rules {
  [type: string]: Rule;
}

/** Returns rules that leave boxes of some types as they are. @param types separated by spaces */
export const keeping = (types: string): Rules =>
  Object.fromEntries(types.split(' ').map((type) => [type, 'kept' as const]));

/** Follows the rules for every box of a stretch. */
export async function applyRules(
  { source, edits }: { source: ByteSource; edits: EditList },
  rules: Rules,
  stretch: Stretch,
): Promise<void> {
  let rest = stretch.from;
  for await (const box of boxesIn(source, stretch)) {
    await applyRule({ source, edits }, rules, box);
    rest = box.end;
  }
  edits.blank(rest, stretch.to - rest);
}

/** Follows the rule for a box; without one it is removed. */
export async function applyRule(
  file: { source: ByteSource; edits: EditList },
  rules: Rules,
  box: Box,
): Promise<void> {
  const rule = Object.hasOwn(rules, box.type) ? rules[box.type] : undefined;
  if (rule === undefined) blankBox(file.edits, box);
  else if (typeof rule === 'function') await rule(box);
  else if (rule !== 'kept') await applyRules(file, rule, { from: box.payload, to: box.end });
}

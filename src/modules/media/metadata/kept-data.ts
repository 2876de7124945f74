import type { Stretch } from './boxes.ts';
import type { EditList } from './edits.ts';
import { Unreadable } from './source.ts';

/** More than a film of an hour has, of 60 pictures a second that are chunks of their own, as their sound is. */
const MAX_STRETCHES = 500_000;

/**
 * Which data of a file are pictures or sound. Everything else among the data is overwritten: what other tracks have, such as
 * places and times, and what belongs to nothing.
 */
export function keptData() {
  const kept: Stretch[] = [];
  const data: Stretch[] = [];
  /** Where data of any track or item begin, kept or not. */
  const starts: number[] = [];
  /** Kept data of which only the greatest length is known: they reach to the next beginning at most. */
  const open: Stretch[] = [];

  function count(list: unknown[]): void {
    if (list.length > MAX_STRETCHES) throw new Unreadable('too many chunks');
  }

  /** Ends the stretches that are open where others begin. */
  function close(): void {
    if (open.length === 0) return;
    const ends = [...starts, ...data.map(({ to }) => to)].sort((a, b) => a - b);
    open.sort((a, b) => a.from - b.from);
    let next = 0;
    for (const { from, to } of open) {
      while ((ends[next] ?? Number.POSITIVE_INFINITY) <= from) next++;
      kept.push({ from, to: Math.min(to, ends[next] ?? from) });
    }
  }

  return {
    /** Adds a stretch that holds data. */
    addData: (stretch: Stretch): void => void data.push(stretch),
    /** Notes where data begin. */
    begin(at: number): void {
      starts.push(at);
      count(starts);
    },
    keep(from: number, bytes: number): void {
      const last = kept.at(-1);
      if (last?.to === from) last.to = from + bytes;
      else if (bytes > 0) kept.push({ from, to: from + bytes });
      count(kept);
    },
    /** Keeps these bytes at most, and none from where other data begin. */
    keepToNext(from: number, atMost: number): void {
      open.push({ from, to: from + atMost });
      count(open);
    },
    isEmpty: (): boolean => kept.length + open.length === 0,
    /** Overwrites the data that are not kept. */
    blankOthers(edits: EditList): void {
      close();
      kept.sort((a, b) => a.from - b.from);
      data.sort((a, b) => a.from - b.from);
      let next = 0;
      for (const { from, to } of data) {
        let at = from;
        for (; next < kept.length && (kept[next] as Stretch).from < to; next++) {
          const stretch = kept[next] as Stretch;
          if (stretch.from > at) edits.blank(at, stretch.from - at);
          at = Math.max(at, stretch.to);
          if (stretch.to > to) break;
        }
        if (at < to) edits.blank(at, to - at);
      }
    },
  };
}

export type KeptData = ReturnType<typeof keptData>;

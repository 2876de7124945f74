import { DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';

export const SLOT_MS = 15 * MINUTE_MS;

/** A period whose end is exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

const floor = (at: Date, unitMs: number): number => Math.floor(at.getTime() / unitMs) * unitMs;
const ceil = (at: Date, unitMs: number): number => Math.ceil(at.getTime() / unitMs) * unitMs;

/** Returns the last start of a quarter of an hour at or before an instant. */
export const floorSlot = (at: Date): Date => new Date(floor(at, SLOT_MS));
/** Returns the last midnight UTC at or before an instant. */
export const floorDay = (at: Date): Date => new Date(floor(at, DAY_MS));

/**
 * Divides a span into the whole units with stored sums, as one span, and the remaining ends. The span of whole units is
 * empty if there are none.
 */
export function divide({ from, to }: Span, unitMs: number, keptUntil: Date): { whole: Span; ends: Span[] } {
  const first = ceil(from, unitMs);
  const last = Math.min(floor(to, unitMs), keptUntil.getTime());
  if (first >= last) return { whole: { from: to, to }, ends: from < to ? [{ from, to }] : [] };
  const whole = { from: new Date(first), to: new Date(last) };
  const ends = [
    { from, to: whole.from },
    { from: whole.to, to },
  ];
  return { whole, ends: ends.filter((end) => end.from < end.to) };
}

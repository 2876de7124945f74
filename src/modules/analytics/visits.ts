import type { Queries } from '../../kernel/database/queries.ts';
import { ceilSlot, floorSlot, SLOT_MS, type Span } from './spans.model.ts';
import { type Visits, visitStore } from './visits.store.ts';

/** Joins consecutive quarters of an hour. */
function spansOf(slots: Date[]): Span[] {
  const spans: Span[] = [];
  for (const slot of slots) {
    const last = spans.at(-1);
    const to = new Date(slot.getTime() + SLOT_MS);
    if (last && last.to.getTime() === slot.getTime()) last.to = to;
    else spans.push({ from: slot, to });
  }
  return spans;
}

/**
 * Returns the visits of a period: whole quarters of an hour from the stored sums; the rest at both ends, and quarters
 * that have changed since, from the events. The result always equals a full computation from the events.
 */
export async function visitsBetween(queries: Queries, { from, to }: Span): Promise<Visits> {
  const [first, last] = [ceilSlot(from), floorSlot(to)];
  if (first >= last) return visitStore.compute(queries, [{ from, to }]);
  const whole = { from: first, to: last };
  const ends = [
    { from, to: first },
    { from: last, to },
  ].filter((end) => end.from < end.to);
  const [kept, dirty] = await Promise.all([
    visitStore.kept(queries, whole),
    visitStore.dirty(queries, whole),
  ]);
  const computed = await visitStore.compute(queries, [...ends, ...spansOf(dirty)]);
  return { visits: kept.visits + computed.visits, seconds: kept.seconds + computed.seconds };
}

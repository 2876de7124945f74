import { MINUTE_MS } from '../../kernel/time/time.ts';

/** A period whose end is exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

/** Time zones differ by multiples of a quarter of an hour, so that days of any zone consist of whole slots. */
export const SLOT_MS = 15 * MINUTE_MS;

/** Returns the start of the slot that contains an instant. */
export const floorSlot = (at: Date): Date => new Date(Math.floor(at.getTime() / SLOT_MS) * SLOT_MS);
/** Returns the first slot start at or after an instant. */
export const ceilSlot = (at: Date): Date => new Date(Math.ceil(at.getTime() / SLOT_MS) * SLOT_MS);

/** A visit ends after this time without an event. */
export const VISIT_GAP_MINUTES = 30;

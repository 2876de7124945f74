import { MINUTE_MS } from '../../kernel/time.ts';

/** Clocks of every time zone are whole quarters of an hour apart: days of any of them are made of these. */
export const SLOT_MS = 15 * MINUTE_MS;

/** The beginning of the quarter of an hour that an instant lies in. */
export const floorSlot = (at: Date): Date => new Date(Math.floor(at.getTime() / SLOT_MS) * SLOT_MS);
/** The first beginning of one that is not before an instant. */
export const ceilSlot = (at: Date): Date => new Date(Math.ceil(at.getTime() / SLOT_MS) * SLOT_MS);

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../kernel/time/time.ts';
import type { PaymentState } from './state.ts';

/** The fields of a form, as received. */
export type Form = Record<string, string>;

/** Returns a new id in the form of the provider. */
export const newId = (prefix: string): string => `${prefix}_sandbox_${randomBytes(12).toString('hex')}`;
/** Returns the time in the provider's unit, seconds. */
export const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000);

/** Returns a function that gives repeated requests a single effect. */
export function oncePerKey(state: PaymentState, save: () => void) {
  /**
   * Creates an object once per key. Returns the existing one for the same request, undefined for a different request.
   */
  return function once<T extends { id: string }>(
    key: string | undefined,
    form: Form,
    objects: Record<string, T>,
    make: () => T,
  ): T | undefined {
    const asked = JSON.stringify(form);
    const before = key === undefined ? undefined : state.answers[key];
    if (before) return before.asked === asked ? objects[before.id] : undefined;
    const created = make();
    objects[created.id] = created;
    if (key !== undefined) state.answers[key] = { asked, id: created.id };
    save();
    return created;
  };
}

export type Once = ReturnType<typeof oncePerKey>;

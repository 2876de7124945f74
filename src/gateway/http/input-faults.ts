import { Failure, type FieldFault, validationFailed, withErrors } from '../../kernel/failures.ts';
import { MAX_FAULTS } from '../../kernel/operations/bounded-items.ts';
import type { Operation } from '../../kernel/operations/operation.ts';

/**
 * Returns the failure of a body that its shape refuses, with the faults that only the operation finds: a client learns all
 * of them at once, also where a field has a failure of its own.
 * @param loaded what `load` returned, if it was called before
 */
export async function withAllFaults(
  { faults, refuseBody = validationFailed }: Operation,
  refusal: unknown,
  body: unknown,
  loaded: unknown,
): Promise<unknown> {
  if (!(refusal instanceof Failure) || refusal.details.errors === undefined) return refusal;
  const found = refusal.details.errors;
  const wrong = new Set(found.map(fieldOf));
  const more = (await faults?.({ body: without(wrong, body), loaded })) ?? [];
  const errors = [...found, ...more.filter((one) => !wrong.has(fieldOf(one)))].slice(0, MAX_FAULTS);
  return refusal.code === 'VALIDATION_FAILED' ? refuseBody(errors) : withErrors(refusal, errors);
}

/** Returns the outermost field that a fault is in. */
const fieldOf = ({ field }: FieldFault): string => field.split('.', 1)[0] as string;

/** Returns the fields of an object but some, and those that are null, which count as absent. */
const without = (names: Set<string>, value: unknown): object =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([name, one]) => !names.has(name) && one !== null))
    : {};

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
  // Not all parts were checked then.
  if (found.length >= MAX_FAULTS) return refusal;
  const wrong = new Set(found.map(({ field }) => field));
  const more = (await faults?.({ body: rightParts(body, wrong) ?? {}, loaded })) ?? [];
  const errors = [...found, ...more.filter((one) => !isNamed(one, wrong))].slice(0, MAX_FAULTS);
  return refusal.code === 'VALIDATION_FAILED' ? refuseBody(errors) : withErrors(refusal, errors);
}

/** Whether the field of the fault, or a part of the body that contains it, is among these paths. */
const isNamed = ({ field }: FieldFault, paths: Set<string>): boolean => {
  const parts = field.split('.');
  return parts.some((_part, place) => paths.has(parts.slice(0, place + 1).join('.')));
};

/**
 * Returns a value without what is at these paths, and without nulls, which count as absent. Items keep their places, since
 * faults name them: in that of a wrong one stands undefined.
 */
function rightParts(value: unknown, wrong: Set<string>, before = ''): unknown {
  const partAt = (name: string | number, part: unknown) =>
    wrong.has(`${before}${name}`) ? undefined : rightParts(part, wrong, `${before}${name}.`);
  if (Array.isArray(value)) return value.map((item, place) => partAt(place, item));
  if (typeof value !== 'object') return before === '' ? undefined : value;
  const parts = Object.entries(value ?? {}).map(([name, part]) => [name, partAt(name, part)] as const);
  return value === null ? undefined : Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

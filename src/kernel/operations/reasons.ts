import type { TSchema } from 'typebox';
import { memoized } from '../concurrency/lazy.ts';
import type { Access } from './access.ts';
import { readableText } from './shapes.ts';

/** Why an administrator does something. */
const ReasonText = readableText(500, {
  description: 'Why you do it, for the audit log',
  examples: ['Asked for by the member'],
});
/** For writes whose audit entry must say why. */
export const ReasonShape = { ...ReasonText, $id: 'Reason' };

const OPERATORS = new Set(['administrator', 'moderator', 'service']);

interface Input {
  query?: TSchema | undefined;
  body?: TSchema | undefined;
}

interface Write extends Input {
  method: string;
  access: Access;
  isReading?: boolean;
  isAlsoForStaff?: boolean;
}

type Fields = { properties: Record<string, unknown> };

/**
 * Adds an optional `reason` to the input of a write by administrators or moderators, unless the input declares one:
 * to its body, or to its query if it has a query but no body. The latter accept it in a body, too ({@link ReasonBody}).
 */
export function acceptReason<W extends Write>(write: W): W {
  const { method, access, isReading, isAlsoForStaff, body, query } = write;
  const isWrite = method !== 'GET' && isReading !== true;
  const isOfOperators = access?.audience.every((one) => OPERATORS.has(one));
  if (!isWrite || !(isOfOperators || isAlsoForStaff)) return write;
  if (body && 'reason' in fieldsOf(body)) return write;
  return body || !query
    ? { ...write, body: bodyWithReason(body ?? NO_BODY), reasonIsExtra: true }
    : { ...write, query: queryWithReason(query), reasonIsExtra: true };
}

const NO_BODY = { $id: 'ReasonBody', type: 'object' } as unknown as TSchema;

const fieldsOf = (shape: TSchema) => (shape as unknown as Fields).properties;

const withReason = (shape: TSchema, reason: TSchema): TSchema =>
  ({ ...shape, properties: { ...fieldsOf(shape), reason } }) as unknown as TSchema;

// The same shape for the same input, since checks are compiled once for each shape.
const bodyWithReason = memoized((body: TSchema) => withReason(body, ReasonShape));
const queryWithReason = memoized((query: TSchema) => withReason(query, ReasonText));

/** The body of a write that has a query but no body of its own, and is not described as having one. */
export const ReasonBody = bodyWithReason(NO_BODY);

interface Checked {
  query?: unknown;
  body?: unknown;
}

/** Splits a checked input into the reason and the input for the handler. */
export function separateReason<C extends Checked>(
  checked: C,
  isExtra: boolean | undefined,
): { reason: string | undefined; input: C } {
  const { query, body } = checked;
  const given = reasonOf(body) ?? (isExtra ? reasonOf(query) : undefined);
  if (!isExtra) return { reason: given, input: checked };
  return { reason: given, input: { ...checked, query: withoutReason(query), body: withoutReason(body) } };
}

function reasonOf(value: unknown): string | undefined {
  const reason = (value as { reason?: unknown } | null | undefined)?.reason;
  return typeof reason === 'string' ? reason : undefined;
}

function withoutReason(value: unknown): unknown {
  if (reasonOf(value) === undefined) return value;
  const { reason: _, ...rest } = value as { reason: string };
  return rest;
}

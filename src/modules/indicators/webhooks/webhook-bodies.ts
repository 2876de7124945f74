// Reads the bodies of the backoffice's webhooks, in all spellings that it uses.
import { failure, validationFailed } from '../../../kernel/failures.ts';
import { instantOf, isInstant } from '../../../kernel/time/time.ts';
import { type Body, type Envelope, MAX_TEXT, STATUSES } from './webhooks.model.ts';

export const invalidPayload = failure(400, 'INVALID_PAYLOAD', 'The payload is incomplete or contradictory');
export const unknownStatus = failure(400, 'UNKNOWN_STATUS', 'The status is unknown');

/** Returns a field's trimmed text; undefined if it is missing or blank. @throws validationFailed */
export function textOf(body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > MAX_TEXT)
    throw validationFailed([{ field, message: `must be a text of at most ${MAX_TEXT} characters` }]);
  return value.trim() === '' ? undefined : value.trim();
}

/** Returns a field with two accepted spellings. @throws invalidPayload when they differ, validationFailed */
export function spelled(body: Body, one: string, other: string): string | undefined {
  const [left, right] = [textOf(body, one), textOf(body, other)];
  if (left !== undefined && right !== undefined && left !== right) throw invalidPayload();
  return left ?? right;
}

/**
 * Refuses two spellings that differ in a field that the action has no use for. What is no text there says nothing, and so
 * contradicts nothing.
 * @throws invalidPayload
 */
export function mustAgree(body: Body, ...spellings: string[]): void {
  const texts = spellings.map((field) => body[field]).filter((value) => typeof value === 'string');
  const given = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (new Set(given).size > 1) throw invalidPayload();
}

/**
 * Returns whether the body reports the member as active, by flag or status.
 * @throws invalidPayload, unknownStatus
 */
export function activityOf({ active: flag, status }: Body): boolean {
  const hasFlag = flag !== undefined && flag !== null;
  const hasStatus = status !== undefined && status !== null;
  if (!hasFlag && !hasStatus) throw invalidPayload();
  if (hasFlag && typeof flag !== 'boolean') throw invalidPayload();
  if (!hasStatus) return flag as boolean;
  const statusHere =
    typeof status === 'string' && Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  if (statusHere === undefined) throw unknownStatus();
  if (hasFlag && flag !== statusHere) throw invalidPayload();
  return statusHere;
}

/** Returns the optional metadata of a body. @throws validationFailed */
export function envelopeOf(body: Body): Envelope {
  const occurredAt = textOf(body, 'occurredAt');
  if (occurredAt !== undefined && !isInstant(occurredAt))
    throw validationFailed([{ field: 'occurredAt', message: 'must be an ISO 8601 date or datetime' }]);
  return {
    eventId: textOf(body, 'eventId'),
    occurredAt: occurredAt === undefined ? undefined : instantOf(occurredAt),
  };
}

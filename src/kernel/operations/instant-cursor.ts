import { Type } from 'typebox';
import { validationFailed } from '../failures.ts';
import type { ObjectId } from '../ids.ts';

/** A cursor of a list in the order of an instant and an id: both, joined by an underscore. */
export const InstantCursor = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z_[0-9a-f]{24}$',
  examples: ['2026-11-21T09:30:00.000Z_6740f1c2a9b3e4d5f6a7b8c9'],
});

/** @throws 422 for an instant that does not exist, such as one of the 30th of February */
export function parseInstantCursor(before: string): { at: Date; id: ObjectId } {
  const [text, id] = before.split('_') as [string, ObjectId];
  const at = new Date(text);
  if (Number.isNaN(at.getTime()))
    throw validationFailed([{ field: 'before', message: 'must name the instant and the id of an item' }]);
  return { at, id };
}

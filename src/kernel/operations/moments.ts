import { Type } from 'typebox';
import type { PageRequest } from '../database/pagination.ts';
import { validationFailed } from '../failures.ts';
import { instantOf, isInstant } from '../time/time.ts';
import { cursorQuery } from './shapes.ts';

const MomentText = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z_[0-9a-f]{24}$',
  examples: ['2026-11-21T09:30:00.000Z_6740f1c2a9b3e4d5f6a7b8c9'],
});

/**
 * Returns the query parameters of a list that is ordered by an instant, such as that of a follow, and an id, both
 * descending; read with `momentPageOf`.
 * @param cursorOf the fields of an item with the instant and the id
 */
export const momentQuery = (
  cursorOf: [instant: string, id: string],
  limits: { limit?: number; maximum?: number } = {},
) => cursorQuery({ ...limits, before: MomentText, cursorOf });

interface MomentQuery {
  page: number;
  limit: number;
  before?: string;
}

/** Returns the page that such a query asks for. @throws validationFailed for an instant that does not exist */
export function momentPageOf({ page, limit, before }: MomentQuery): PageRequest {
  if (before === undefined) return { page, limit };
  const [at, id] = before.split('_') as [string, string];
  if (!isInstant(at))
    throw validationFailed([{ field: 'before', message: 'must begin with a date that exists' }]);
  return { page, limit, after: { at: instantOf(at), id } };
}

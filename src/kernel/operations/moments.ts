import { Type } from 'typebox';
import type { PageRequest } from '../database/pagination.ts';
import { validationFailed } from '../failures.ts';
import { instantOf, isInstant } from '../time/time.ts';
import { cursorQuery } from './shapes.ts';

const INSTANT = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z';
const EXAMPLE = '2026-11-21T09:30:00.000Z';
const OBJECT = { pattern: '[0-9a-f]{24}', example: '6740f1c2a9b3e4d5f6a7b8c9' };
const UUID = {
  pattern: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
  example: '0193a1b2-7c3d-4e5f-8a9b-0c1d2e3f4a5b',
};
const cursorText = (instant: string, id: typeof UUID) =>
  Type.String({ pattern: `^${instant}${id.pattern}$`, examples: [`${EXAMPLE}_${id.example}`] });
const OR_ID_ALONE = `((${INSTANT})?_)?`;

/**
 * The cursors of lists that are ordered by an instant and an id. In some the id may also come alone, as clients of former
 * releases send it, or after an underscore, as fields are joined of which the instant is null. Such a list then goes on
 * only while there is such an item.
 */
export const MOMENT_CURSORS = {
  Moment: cursorText(`${INSTANT}_`, OBJECT),
  MomentOrId: cursorText(OR_ID_ALONE, OBJECT),
  MomentOrUuid: cursorText(OR_ID_ALONE, UUID),
};

interface MomentOptions {
  limit?: number;
  maximum?: number;
  before?: keyof typeof MOMENT_CURSORS;
}

/**
 * Returns the query parameters of a list that is ordered by an instant, such as that of a follow, and an id, both
 * descending; read with `momentPageOf`.
 * @param cursorOf the fields of an item with the instant and the id
 */
export const momentQuery = (
  cursorOf: [instant: string, id: string],
  { before = 'Moment', ...limits }: MomentOptions = {},
) => cursorQuery({ ...limits, before: MOMENT_CURSORS[before], cursorOf });

interface MomentQuery {
  page: number;
  limit: number;
  before?: string;
}

/**
 * Returns the page that such a query asks for: with `before` if the id comes alone, otherwise with `after`.
 * @throws validationFailed for an instant that does not exist
 */
export function momentPageOf({ page, limit, before }: MomentQuery): PageRequest {
  if (before === undefined) return { page, limit };
  const [id, at] = before.split('_').toReversed() as [string, string?];
  if (!at) return { page, limit, before: id };
  if (!isInstant(at))
    throw validationFailed([{ field: 'before', message: 'must begin with a date that exists' }]);
  return { page, limit, after: { at: instantOf(at), id } };
}

/** Returns the page that such a query asks for of the same list by descending ids, to which the instant does not matter. */
export const idPageOf = ({ page, limit, before }: MomentQuery): PageRequest =>
  before === undefined ? { page, limit } : { page, limit, before: before.slice(before.indexOf('_') + 1) };

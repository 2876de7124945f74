import pg from 'pg';

/** The type `timestamptz`. */
export const TIMESTAMPTZ = 1184;

const UTC = '+00';
const LENGTH_OF_DATE = '2026-01-31'.length;
const LENGTH_OF_SECONDS = '2026-01-31 12:34:56'.length;
const MAX_LENGTH = '2026-01-31 12:34:56.123456+00'.length;
const parseAny = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;

/**
 * Parses PostgreSQL's text of a timestamp. In a session whose time zone is UTC, two changed characters make it ISO
 * 8601, so that the engine's own parser reads it several times faster than the driver's parser. The driver's parser
 * reads everything else: other zones, years of five digits or before Christ, and infinity.
 */
export function timestamp(text: string): Date {
  if (!isNearlyIso(text)) return parseAny(text);
  return new Date(`${text.slice(0, LENGTH_OF_DATE)}T${text.slice(LENGTH_OF_DATE + 1, -UTC.length)}Z`);
}

/**
 * Returns PostgreSQL's text of a timestamp as responses write it, in ISO 8601 with milliseconds, without the way over a
 * `Date`.
 */
export function isoText(text: string): string {
  if (!isNearlyIso(text)) return parseAny(text).toISOString();
  const secondsEnd = LENGTH_OF_SECONDS;
  const milliseconds = text.slice(secondsEnd + 1, Math.min(secondsEnd + 4, text.length - UTC.length));
  return `${text.slice(0, LENGTH_OF_DATE)}T${text.slice(LENGTH_OF_DATE + 1, secondsEnd)}.${milliseconds.padEnd(3, '0')}Z`;
}

const isNearlyIso = (text: string): boolean =>
  text.length <= MAX_LENGTH && text[LENGTH_OF_DATE] === ' ' && text.endsWith(UTC);

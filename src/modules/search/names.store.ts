import { statement } from '../../kernel/database/queries.ts';
import {
  BEGINS,
  countOf,
  mostProminent,
  queryTables,
  REACH,
  type Reach,
  TITLED,
  VISIBLE,
  visibleTo,
} from './matches.store.ts';

/** Maximum number of names examined for suggestions, because several may be equal. */
const MAX_NAMES = 50;
/** Maximum length of a beginning that has an index by prominence. */
export const SHORT_LETTERS = 3;

const COLUMNS = 'title, title_key, prominence';
/** Names in the three places that `matches.store.ts` describes, each read only if those before had too few. */
const places = (front: string, condition: string, limit: string): string => {
  const among = (place: string, ...found: string[]): string => `materialized (
    select ${COLUMNS} from (
      select ${COLUMNS} from search.document
      where has_name and ${place} and ${condition}
        ${found.map((one) => `and ${countOf(one)} < ${limit}`).join(' ')} offset 0) matching
    order by prominence desc limit ${limit})`;
  return `front as materialized (
    select ${COLUMNS} from (${front}) most where ${condition} order by prominence desc limit ${limit}),
  names_1 as ${among('is_prominent', 'front')},
  names_2 as ${among('not is_prominent', 'front', 'names_1')},
  names as (select * from front union all select * from names_1 union all select * from names_2)`;
};
const BEST_TITLES = `
  select title from (
    select distinct on (title_key) title, prominence from names order by title_key, prominence desc) titles
  order by prominence desc, title limit`;

const shortText = (letters: number): string => `
  with names as (
    select ${COLUMNS} from search.document
    where has_name and left(title_key, ${letters}) = $1 and ${visibleTo('$2', '$3')}
    order by prominence desc limit ${MAX_NAMES})
  ${BEST_TITLES} $4`;

const longText = ({ front }: Reach): string => `
  with terms as materialized (
    select $1::text collate "C" as key, ($1::text || chr(1114111)) collate "C" as beyond),
  -- A beginning that most names have is found sooner among the most prominent ones.
  wide as materialized (
    select count(*) as names from (
      select from search.document where has_name and is_prominent and ${BEGINS} limit ${front + 1}) found),
  ${places(
    mostProminent(
      `${COLUMNS}, type, id, audiences`,
      'names',
      `${front}`,
      `(select names from wide) > ${front}`,
    ),
    `${BEGINS} and ${visibleTo('$2', '$3')}`,
    `${MAX_NAMES}`,
  )}
  ${BEST_TITLES} $4`;

const wordsText = (reach: Reach): string => `
  with ${queryTables('names', reach)},
  ${places(
    mostProminent(`${COLUMNS}, type, id, title_words, audiences`, 'names', `${reach.front}`),
    `${TITLED} and ${VISIBLE}`,
    '$7::integer',
  )}
  ${BEST_TITLES} $7`;

/** Statements of suggestions. */
export const namesStatements = (reach: Reach, name = 'search') => ({
  /** By their first letters: `$1` the letters, `$2` the audiences, `$3` the excluded records, `$4` the maximum number. */
  short: Array.from({ length: SHORT_LETTERS }, (_, place) =>
    statement<{ title: string }>(`${name}.names-by-${place + 1}-letters`, shortText(place + 1)),
  ),
  /** By a longer beginning, with the same parameters. */
  long: statement<{ title: string }>(`${name}.names-by-beginning`, longText(reach)),
  /** By words, as in `matches.store.ts`; `$6` is 'name', `$7` the maximum number. */
  words: statement<{ title: string }>(`${name}.names-by-words`, wordsText(reach)),
});
export const NAMES = namesStatements(REACH);

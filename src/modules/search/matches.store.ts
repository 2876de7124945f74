import { statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { EVERYBODY } from './contract.ts';
import { MAX_FOUND } from './search.model.ts';

export interface FoundDocument {
  type: string;
  id: ObjectId;
  title: string;
  /** The first {@link MAX_SHOWN_TEXT} characters. */
  body: string;
  score: number;
  createdAt: Date;
  /** Whether every member may find it. */
  isForAll: boolean;
}

/** Numbers of matching documents, up to {@link MAX_FOUND}. */
export interface Counted {
  /** Those that the caller may find. */
  matches: number;
  /** Those among them that every member may find. */
  forAll: number;
}

/** Thresholds of the search strategy; they affect the time that a search takes, never its results. */
export interface Reach {
  /**
   * Number of the most prominent documents that are examined one by one, and the minimum number for each result needed.
   */
  front: number;
  frontPerResult: number;
  /** Number of those documents that are sampled for the frequency of words. */
  sample: number;
  /** Occurrences in the sample from which a word counts as frequent, and up to which it counts as rare. */
  frequent: number;
  rare: number;
}
export const REACH: Reach = { front: 1_000, frontPerResult: 4, sample: 100, frequent: 30, rare: 2 };
/** Length of the beginning of a document's text from which its excerpt is taken. */
const MAX_SHOWN_TEXT = 4_000;

/*
 * Matches are searched in three places, in each only if the previous ones had too few: among the most prominent
 * documents one by one (`front`); among the prominent documents, which have a separate index; and among the others.
 * Every document of a place is more prominent than all documents of the later places. Words that are too rare in the
 * front match few of the prominent documents, and words that are too rare among these match few of the others, so a
 * page reads few rows regardless of the frequency of its words.
 *
 * All values are passed through CTEs, so the planner cannot see them, one plan fits all queries, and PostgreSQL keeps it:
 * if it could see the number of results or the rights, it would plan each search anew, at a third of the search's time.
 * `offset 0` prevents the planner from reading all documents in the order of prominence.
 *
 * Parameters: $1 to $3 are the texts of the query, $4 the caller's audiences, $5 the excluded records, and $6 the type, or
 * '' for all types.
 */
/** Whether the caller may find a document. The excluded records are hashed once, however many documents are examined. */
export const visibleTo = (audiences: string, excluded: string): string =>
  `audiences && ${audiences}::text[]
    and (cardinality(${excluded}::text[]) = 0 or type || '/' || id not in (select unnest(${excluded}::text[])))`;
const FOR_ALL = `audiences && array['${EVERYBODY}']`;
export const VISIBLE = visibleTo('(select audiences from given)', '(select excluded from given)');
const BEST_FIRST = 'order by prominence desc, id desc, type';
const terms = (column: string): string => `(select ${column} from terms)`;
export const countOf = (name: string): string => `(select count(*) from ${name})`;

type Among = 'all' | 'type' | 'names';
const AMONG: Record<Among, string> = {
  all: 'true',
  type: 'type = (select type from given)',
  names: 'has_name',
};
/** Reads documents in the order of prominence. */
export const mostProminent = (columns: string, among: Among, limit: string, condition = 'true'): string => `
  select ${columns} from search.document where ${AMONG[among]} and ${condition} ${BEST_FIRST} limit ${limit}`;

/**
 * The query `q`, and the queries sent to the indexes, for the text (`anywhere`) and for titles (`titled`): without the
 * last word if that is frequent and the others are rare, because an index collects everything that begins with a word
 * before it compares. The rows are then checked against the whole query, unless `anywhere_is_all` or `titled_is_all`.
 * `exactly` is the query with the last word as a whole, and `word_hits` the number of its matches in the sample, 0
 * unless the others are rare.
 */
export const queryTables = (among: Among, { sample, frequent, rare }: Reach, key = 'null'): string => `
  given as materialized (select $4::text[] as audiences, $5::text[] as excluded, $6::text as type),
  texts as (
    select case when $1 <> '' then to_tsquery('search.english', $1) end as first,
      to_tsquery('search.english', $2) as stem, to_tsquery('pg_catalog.simple', $3) as prefix,
      case when $6 <> '' then format('''/%s''', $6)::tsquery end as kind),
  ends as (
    -- A stem that begins with the prefix adds nothing to it.
    select first, kind, case when numnode(stem) = 1 and $3 like '%:*' and starts_with(stem::text, rtrim($3, ''':*'))
      then prefix else stem || prefix end as last, stem || to_tsquery('pg_catalog.simple', rtrim($3, ':*')) as word
    from texts),
  parts as materialized (
    select last, word, coalesce(first && kind, first) as first,
      coalesce(first && word && kind, first && word, word && kind, word) as exactly,
      coalesce(first && last && kind, first && last, last && kind, last) as q
    from ends),
  sampled as (
    select count(*) filter (where words @@ (select first from parts)) <= ${rare} as is_rare,
      count(*) filter (where words @@ (select last from parts)) as hits,
      count(*) filter (where title_words @@ (select last from parts)) as title_hits,
      count(*) filter (where words @@ (select word from parts)) as word_hits
    from (${mostProminent('words, title_words', among, `${sample}`, '(select first from parts) is not null')}) most),
  terms as materialized (
    select q, exactly, first, hits, case when is_rare then word_hits else 0 end as word_hits,
      case when is_rare and hits >= ${frequent} then first else q end as anywhere,
      case when is_rare and title_hits >= ${frequent} then first else q end as titled,
      not (is_rare and hits >= ${frequent}) as anywhere_is_all,
      not (is_rare and title_hits >= ${frequent}) as titled_is_all,
      ${key}::text collate "C" as key, (${key}::text || chr(1114111)) collate "C" as beyond
    from parts, sampled)`;
const ANYWHERE = `words @@ ${terms('anywhere')} and (${terms('anywhere_is_all')} or words @@ ${terms('q')})`;
export const TITLED = `title_words @@ ${terms('titled')} and (${terms('titled_is_all')} or title_words @@ ${terms('q')})`;
export const BEGINS = `title_key >= ${terms('key')} and title_key < ${terms('beyond')}`;
/** Must not use an index, because the condition on the beginning of the title does. */
const IN_TITLE = `(title_words @@ ${terms('q')}) is true`;

/** Counts the matching documents of a place, up to `wanted`, and those among them that every member may find. */
const matching = (place: string, condition: string, wanted: string): string => `
  (select count(*) as matches, count(*) filter (where is_for_all) as for_all from (
    select ${FOR_ALL} as is_for_all from search.document
    where ${place} and ${condition} and ${VISIBLE} and ${wanted} > 0 limit ${wanted}) found)`;
/** Counts in the place of the others, in addition to what was counted among the prominent documents. */
const andOthers = (counted: string, condition: string, wanted: string): string => `
  select ${counted}.matches + more.matches as matches, ${counted}.for_all + more.for_all as for_all
  from ${counted}, ${matching('not is_prominent', condition, wanted)} more`;

/** Whether a document of a place matches `q` and may be found by the caller. */
const firstMatch = (place: string): string => `
  (select count(*) from (
    select from search.document where ${place} and words @@ q and ${visibleTo('$2', '$3')}
    limit (select match from one)) found) > 0`;

/** Number of rows that can be scanned in the time an index scan takes for a word contained in every document. */
const ROWS_PER_INDEX_SCAN = 7_000;

/**
 * If the last word as a whole has enough matches, words that begin with it are not collected. If it has too few, the
 * documents with the other words are scanned instead, if that is faster according to the matches and the sample.
 */
const countText = (among: Among, reach: Reach): string => {
  const exactly = `words @@ ${terms('exactly')}`;
  const begun = `words @@ (select by_index from wanted) and (select most from wanted) > 0
    and ((select is_all from wanted) or words @@ ${terms('q')})`;
  return `
  with ${queryTables(among, reach)},
  exact_1 as materialized ${matching('is_prominent', exactly, `${MAX_FOUND}`)},
  exact_2 as materialized (${andOthers('exact_1', exactly, `(select ${MAX_FOUND} - matches from exact_1)`)}),
  wanted as materialized (
    select case when matches < ${MAX_FOUND} then ${MAX_FOUND} else 0 end as most,
      case when is_few then first else q end as by_index, not is_few as is_all
    from (
      select matches, first, q,
        matches < word_hits * hits * ${ROWS_PER_INDEX_SCAN / reach.sample ** 2} as is_few
      from exact_2, terms) judged),
  begun_1 as materialized ${matching('is_prominent', begun, '(select most from wanted)')},
  begun_2 as materialized (${andOthers('begun_1', begun, '(select most - matches from wanted, begun_1)')})
  select matches, for_all as "forAll" from (select * from exact_2 union all select * from begun_2) counted
  order by matches desc limit 1`;
};

const NEEDED = '(select needed from asked)';
/** The best matches of a class in a place, unless enough were already found. */
const best = (score: number, condition: string, ...found: string[]): string => `materialized (
  select type, id, prominence, ${score} as class from (
    select type, id, prominence from search.document
    where ${condition} and ${VISIBLE} ${found.map((one) => `and ${one} < ${NEEDED}`).join(' ')} offset 0) matching
  ${BEST_FIRST} limit ${NEEDED})`;
const inFront = (score: number): string => `(select count(*) from front where class >= ${score})`;
const PLACES = 'front exact begins_1 begins_2 titled_1 titled_2 anywhere_1 anywhere_2'.split(' ');

/** Further parameters: `$7` the query as a title, `$8` how many are needed, `$9` the offset, `$10` the types. */
const pageText = (among: Among, reach: Reach): string => `
  with ${queryTables(among, reach, '$7')},
  asked as materialized (select $8::integer as needed, $10::text[] as types),
  sampled_all as (
    select count(*) filter (where words @@ ${terms('q')}) as hits,
      count(*) filter (where title_words @@ ${terms('q')}) as title_hits
    from (${mostProminent('words, title_words', among, `${reach.sample}`)}) most),
  fronted as materialized (
    select case when 2 * most * (case when title_hits > 0 and hits * 10 <= ${reach.sample} then title_hits else hits end)
      >= ${reach.sample} * needed then most else 0 end as most
    from sampled_all, (
      select needed, greatest(${reach.front}, ${reach.frontPerResult} * needed) as most from asked) asked),
  front as materialized (
    select type, id, prominence, case when not title_words @@ ${terms('q')} then 100
      when title_key = ${terms('key')} then 400 when ${BEGINS} then 300 else 200 end as class
    from (${mostProminent(
      'type, id, prominence, title_key, title_words, words, audiences',
      among,
      '(select most from fronted)',
    )}) most
    where words @@ ${terms('q')} and ${VISIBLE}
    order by class desc, prominence desc, id desc, type limit ${NEEDED}),
  exact as materialized (
    select found.* from unnest((select types from asked)) wanted cross join lateral (
      select type, id, prominence, 400 as class from search.document
      where title_key = ${terms('key')} and type = wanted and ${IN_TITLE} and ${VISIBLE}
      order by prominence desc, id desc limit ${NEEDED}) found),
  begins_1 as ${best(300, `is_prominent and ${BEGINS} and ${IN_TITLE}`, inFront(300), countOf('exact'))},
  begins_2 as ${best(300, `not is_prominent and ${BEGINS} and ${IN_TITLE}`, inFront(300), countOf('exact'), countOf('begins_1'))},
  begins as materialized (
    select greatest(${inFront(300)}, ${countOf('exact')}, ${countOf('begins_1')} + ${countOf('begins_2')}) as matches),
  titled_1 as ${best(200, `is_prominent and ${TITLED}`, '(select matches from begins)', inFront(200))},
  titled_2 as ${best(200, `not is_prominent and ${TITLED}`, '(select matches from begins)', inFront(200), countOf('titled_1'))},
  titled as materialized (
    select greatest((select matches from begins), ${inFront(200)}, ${countOf('titled_1')} + ${countOf('titled_2')})
      as matches),
  anywhere_1 as ${best(100, `is_prominent and ${ANYWHERE}`, '(select matches from titled)', inFront(100))},
  anywhere_2 as ${best(100, `not is_prominent and ${ANYWHERE}`, '(select matches from titled)', inFront(100), countOf('anywhere_1'))},
  ranked as (
    select type, id, max(class) as class, prominence
    from (${PLACES.map((place) => `select * from ${place}`).join(' union all ')}) matches
    group by type, id, prominence order by class desc, prominence desc, id desc, type limit ${NEEDED})
  select type, id, title, left(body, ${MAX_SHOWN_TEXT}) as body, round((class + ranked.prominence)::numeric, 4) as score,
    created_at as "createdAt", ${FOR_ALL} as "isForAll"
  from ranked join search.document using (type, id)
  order by class desc, ranked.prominence desc, id desc, type offset $9`;

/**
 * Returns which words occur in a document that the caller may find: `$1` the words as texts of queries, `$2` the
 * audiences and `$3` the excluded records. The limit is read from a table, so that the planner does not assume an early
 * match and skip the index.
 */
export const foundWords = statement<{ place: number }>(
  'search.found-words',
  `with one as materialized (select 1 as match),
   terms as materialized (
     select place, to_tsquery('pg_catalog.simple', text) as q
     from unnest($1::text[]) with ordinality as a (text, place)),
   prominent as materialized (
     select place, q, ${firstMatch('is_prominent')} as is_found from terms)
   select place from prominent where is_found or ${firstMatch('not is_prominent')}`,
);

/**
 * Statements that search in all types, and in one.
 * @param name distinguishes them from the statements of another reach
 */
export const findingStatements = (reach: Reach, name = 'search') => ({
  count: {
    all: statement<Counted>(`${name}.count`, countText('all', reach)),
    type: statement<Counted>(`${name}.count-of-type`, countText('type', reach)),
  },
  page: {
    all: statement<FoundDocument>(`${name}.page`, pageText('all', reach)),
    type: statement<FoundDocument>(`${name}.page-of-type`, pageText('type', reach)),
  },
});
/** Declared once, at the usual reach. */
export const FINDING = findingStatements(REACH);

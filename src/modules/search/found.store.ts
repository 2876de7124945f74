import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { PageRequest } from '../../kernel/pagination.ts';
import { offsetOf } from '../../kernel/pagination.ts';
import type { SearchType } from './contract.ts';
import type { QueryTexts } from './words.ts';

/** The caller's audiences, and the records excluded for them. */
export interface Rights {
  audiences: string[];
  excluded: string[];
}

export interface FoundDocument {
  type: SearchType;
  id: ObjectId;
  title: string;
  body: string;
  score: number;
  createdAt: Date;
}

/** Maximum number of results; of more matches the most prominent are kept. */
const MAX_FOUND = 2_000;
/** Maximum number of names examined for suggestions: several may be alike. */
const MAX_NAMES = 100;

/** `$1` to `$3`: texts of the query. Inlined where it is used, so that the planner sees the words. */
const QUERY = `(to_tsquery('search.english', $1)
  && (to_tsquery('search.english', $2) || to_tsquery('pg_catalog.simple', $3)))`;
const VISIBLE = 'audiences && $4::text[] and not audiences && $5::text[] and ($6::text is null or type = $6)';

const BEST_FIRST = 'order by prominence desc, id desc, type limit $8';
/** The best of a class of matches; the classes of better matches are among them. */
const best = (score: number, condition: string): string => `
  (select type, id, prominence, ${score} as class from search.document where ${condition} and ${VISIBLE} ${BEST_FIRST})`;

/** SQL of searches. No named statements: a generic plan would be bad for most words. */
export function foundStore(database: Database) {
  const valuesOf = (query: QueryTexts, rights: Rights, type?: SearchType): unknown[] => [
    query.first,
    query.last,
    query.prefix,
    rights.audiences,
    rights.excluded,
    type ?? null,
  ];
  return {
    /** Counts the matching documents that the caller may find, up to {@link MAX_FOUND}. */
    count: (query: QueryTexts, rights: Rights, type?: SearchType): Promise<number> =>
      database.count(
        `select count(*) from (
           select 1 from search.document where words @@ ${QUERY} and ${VISIBLE} limit ${MAX_FOUND}) found`,
        valuesOf(query, rights, type),
      ),

    /**
     * Returns a page of matches, the best first: exact title, title prefix, all words in the title, all words anywhere;
     * then by prominence. Of each class only as many are read as the page needs.
     */
    page: (
      query: QueryTexts,
      key: string,
      rights: Rights,
      type: SearchType | undefined,
      request: PageRequest,
    ): Promise<FoundDocument[]> => {
      const needed = Math.min(MAX_FOUND, offsetOf(request) + request.limit);
      return database.all(
        `with matches as (
           ${best(400, `title_key = $7 and title_words @@ ${QUERY}`)}
           union all
           ${best(300, `title_key >= $7 and title_key < $7 || chr(1114111) and title_words @@ ${QUERY}`)}
           union all
           ${best(200, `title_words @@ ${QUERY}`)}
           union all
           ${best(100, `words @@ ${QUERY}`)}),
         ranked as (
           select type, id, max(class) as class, prominence from matches group by type, id, prominence
           order by class desc, prominence desc, id desc, type limit $8)
         select type, id, title, body, round((class + ranked.prominence)::numeric, 4) as score,
           created_at as "createdAt"
         from ranked join search.document using (type, id)
         order by class desc, ranked.prominence desc, id desc, type offset $9`,
        [...valuesOf(query, rights, type), key, needed, offsetOf(request)],
      );
    },

    /** Returns the words that occur in some document, as a whole word or, where allowed, as a prefix. */
    async known(words: string[], prefix: string | undefined): Promise<Set<string>> {
      const rows = await database.all<{ word: string }>(
        `select word from unnest($1::text[]) as asked (word)
         where exists (select from search.word known where known.word = asked.word)
           or (asked.word = $2 and exists (
             select from search.word known where known.word >= $2 and known.word < $2 || chr(1114111)))`,
        [words, prefix ?? null],
      );
      return new Set(rows.map(({ word }) => word));
    },

    /** Returns vocabulary words that share a one-letter-deleted form with one of the given words. */
    neighbours: (forms: string[]): Promise<{ without: string; word: string }[]> =>
      database.all(
        'select without, word from search.deletion where without = any($1) order by word limit 2000',
        [forms],
      ),

    /** Returns names that start with a text, the most prominent first. */
    async namesWith(key: string, rights: Rights, limit: number): Promise<string[]> {
      const letters = Math.min(3, [...key].length);
      const begins =
        [...key].length <= 3
          ? `left(title_key, ${letters}) = $1`
          : 'title_key >= $1 and title_key < $1 || chr(1114111)';
      const rows = await database.all<{ title: string }>(
        `select title from (
           select distinct on (title_key) title, prominence from (
             select title, title_key, prominence from search.document
             where has_name and ${begins} and audiences && $2::text[] and not audiences && $3::text[]
             order by prominence desc limit ${MAX_NAMES}) chosen
           order by title_key, prominence desc) names
         order by prominence desc, title limit $4`,
        [key, rights.audiences, rights.excluded, limit],
      );
      return rows.map(({ title }) => title);
    },

    /** Returns names that have the query's words, the last one as the prefix of a word. */
    async namesOf(query: QueryTexts, rights: Rights, limit: number): Promise<string[]> {
      const rows = await database.all<{ title: string }>(
        `select title from search.document where has_name and title_words @@ ${QUERY} and ${VISIBLE}
         order by prominence desc limit $7`,
        [...valuesOf(query, rights), limit],
      );
      return rows.map(({ title }) => title);
    },
  };
}

export type FoundStore = ReturnType<typeof foundStore>;

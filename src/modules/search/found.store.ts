import type { PageRequest } from '../../kernel/database/pagination.ts';
import { offsetOf } from '../../kernel/database/pagination.ts';
import { type Queries, statement } from '../../kernel/database/queries.ts';
import { type Counted, FINDING, type FoundDocument, foundWords } from './matches.store.ts';
import { NAMES, SHORT_LETTERS } from './names.store.ts';
import { isPrefix, MAX_FOUND, type QueryTexts, type Question, type Rights } from './search.model.ts';

/** A word is known if it occurs as a whole or, where allowed, as a prefix. */
const indexedWords = statement<{ word: string }>(
  'search.known-words-of-audiences',
  `select word from unnest($1::text[]) as asked (word)
   where exists (select from search.word known where known.word = asked.word and known.audience = any($3))
     or (asked.word = $2 and exists (
       select from search.word known
       where known.word >= $2 and known.word < $2 || chr(1114111) and known.audience = any($3)))`,
);
const neighbours = statement<{ without: string; word: string }>(
  'search.neighbours-of-audiences',
  `select distinct without, word from search.deletion where without = any($1) and audience = any($2)
   order by word, without limit 2000`,
);

/** SQL of searches among documents of these types. */
export function foundStore(
  database: Pick<Queries, 'all'>,
  types: readonly string[],
  { finding = FINDING, naming = NAMES } = {},
) {
  const valuesOf = (query: QueryTexts, rights: Rights, kind = ''): unknown[] => [
    query.first,
    query.last,
    query.prefix,
    rights.audiences,
    rights.excluded,
    kind,
  ];
  async function wordsIn(words: string[], prefix: string | undefined, rights: Rights): Promise<string[]> {
    if (words.length === 0) return [];
    const texts = words.map((word) => `'${word}'${word === prefix ? ':*' : ''}`);
    const rows = await database.all(foundWords, [texts, rights.audiences, rights.excluded]);
    return rows.map(({ place }) => words[place - 1] as string);
  }

  return {
    /** Counts the matching documents that the caller may find, up to {@link MAX_FOUND}. */
    async count({ query, rights, type }: Omit<Question, 'key'>): Promise<Counted> {
      const values = valuesOf(query, rights, type);
      const rows = await database.all(type ? finding.count.type : finding.count.all, values);
      return rows[0] as Counted;
    },

    /**
     * Returns a page of matches, best first: exact title, title prefix, all words in the title, all words anywhere;
     * then by prominence.
     */
    page: ({ query, key, rights, type }: Question, request: PageRequest): Promise<FoundDocument[]> =>
      database.all(type ? finding.page.type : finding.page.all, [
        ...valuesOf(query, rights, type),
        key,
        Math.min(MAX_FOUND, offsetOf(request) + request.limit),
        offsetOf(request),
        type ? [type] : types,
      ]),

    /**
     * Returns those of the words that are in the vocabulary of the caller's audiences; the last one may be a prefix.
     * Some may occur only in excluded or deleted documents.
     */
    async vocabularyOf(words: string[], rights: Rights): Promise<Set<string>> {
      const last = words.at(-1) ?? '';
      const rows = await database.all(indexedWords, [words, isPrefix(last) ? last : null, rights.audiences]);
      return new Set(rows.map(({ word }) => word));
    },
    /** Returns those of the words that occur in a document that the caller may find; `last` also as a prefix. */
    known: async (words: string[], last: string, rights: Rights): Promise<Set<string>> =>
      new Set(await wordsIn(words, isPrefix(last) ? last : undefined, rights)),

    /** Returns those of the words that occur as a whole in a document that the caller may find. */
    occurring: async (words: string[], rights: Rights): Promise<Set<string>> =>
      new Set(await wordsIn(words, undefined, rights)),

    /**
     * Returns words that share a one-letter-deleted form with one of the given words, from documents of the caller's
     * audiences. Some may be excluded or deleted.
     */
    neighbours: (forms: string[], { audiences }: Rights): Promise<{ without: string; word: string }[]> =>
      database.all(neighbours, [forms, audiences]),

    /** Returns names that start with a text, most prominent first. */
    async namesWith(key: string, rights: Rights, limit: number): Promise<string[]> {
      const letters = [...key].length;
      const rows = await database.all(
        (letters <= SHORT_LETTERS ? naming.short[letters - 1] : undefined) ?? naming.long,
        [key, rights.audiences, rights.excluded, limit],
      );
      return rows.map(({ title }) => title);
    },

    /** Returns names that contain the query's words, the last one as a prefix. */
    async namesOf(query: QueryTexts, rights: Rights, limit: number): Promise<string[]> {
      const rows = await database.all(naming.words, [...valuesOf(query, rights, 'name'), limit]);
      return rows.map(({ title }) => title);
    },
  };
}

export type FoundStore = ReturnType<typeof foundStore>;

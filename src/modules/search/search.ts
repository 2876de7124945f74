import { batching } from '../../kernel/concurrency/batching.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { PageRequest } from '../../kernel/database/pagination.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { ErasePerson } from '../../kernel/records/erasure.ts';
import { escapeHtml } from '../../kernel/text/html.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { audienceOf, audienceWith, EVERYBODY, type Searchable, type SearchExclusion } from './contract.ts';
import { correctedOf, correctionRules } from './corrections.ts';
import { excerpts } from './excerpts.ts';
import { documentFinder } from './finding.ts';
import type { FoundStore } from './found.store.ts';
import type { HistoryStore, Searched } from './history.store.ts';
import type { FoundDocument } from './matches.store.ts';
import { MAX_SUGGESTIONS, type Rights, recordKey } from './search.model.ts';
import { keyOf, queryTextsOf, queryWords } from './words.ts';

export interface SearchResult {
  type: string;
  id: string;
  title: string;
  excerpt: string;
  url: string;
  score: number;
  createdAt: Date;
}

export interface SearchAnswer {
  results: SearchResult[];
  totalResults: number;
  /** The corrected query, if it found something. */
  corrected: string | null;
}

interface SearchDeps {
  found: FoundStore;
  history: HistoryStore;
  searchables: Searchable[];
  exclusions: SearchExclusion[];
  database: Database;
  clock: Clock;
}

/** Queries looked at for the names of one person: whoever has many names has made them up. */
const MAX_FORGOTTEN = 100;

/**
 * Returns what removes the names of a deleted member from the queries that are suggested to others; but not those by which
 * everybody finds something else. The erasure is repeated once the documents of the member are gone.
 */
export const forgettingNames =
  (history: HistoryStore, found: Pick<FoundStore, 'count'>): ErasePerson =>
  async ({ names }) => {
    const keys = names.map(({ name }) => keyOf(name)).filter((key) => key.length > 1);
    const words = [...new Set(keys.flatMap((key) => key.split(' ')))];
    const gone: string[] = [];
    for (const key of await history.suggestedAmong(keys, words, MAX_FORGOTTEN)) {
      const query = queryTextsOf(queryWords(key).words, new Map());
      const rights = { audiences: [EVERYBODY], excluded: [] };
      const { matches } = await found.count({ query, rights, type: undefined });
      if (matches === 0) gone.push(key);
    }
    await history.forgetQueries(gone);
  };

/** Search. Results, counts, suggestions and corrections reveal only what the caller may read. */
export function searchRules({ found, history, searchables, exclusions, database, clock }: SearchDeps) {
  const find = documentFinder(found, correctionRules(found));
  const pathOf = new Map(searchables.map(({ type, path }) => [type, path]));
  const remember = batching<Searched, undefined>(
    async (searched) => {
      await history.remember(searched);
      return searched.map(() => undefined);
    },
    { maxSize: 500, concurrency: 1, maxQueued: 5_000, onOverflow: serviceUnavailable },
  );

  async function rightsOf(caller: UserCaller): Promise<Rights> {
    const { userId, permissions } = caller;
    const isAdmin = permissions.includes('admin');
    const byPermission = [
      ...(isAdmin ? [audienceWith('admin')] : []),
      ...(isAdmin || permissions.includes('moderator') ? [audienceWith('moderator')] : []),
    ];
    const [contributed, excluded] = await Promise.all([
      Promise.all(searchables.map(async ({ type, rightsOf }) => ({ type, ...(await rightsOf?.(caller)) }))),
      Promise.all(exclusions.map(async ({ type, idsFor }) => ({ type, excluded: await idsFor(caller) }))),
    ]);
    return {
      audiences: [
        EVERYBODY,
        audienceOf(userId),
        ...byPermission,
        ...contributed.flatMap(({ audiences = [] }) => audiences),
      ],
      excluded: [...contributed, ...excluded].flatMap(({ type, excluded = [] }) =>
        excluded.map((id) => recordKey(type, id)),
      ),
    };
  }

  const shown = (
    { body, title, ...document }: FoundDocument,
    excerptOf: (text: string) => string,
  ): SearchResult => {
    const excerpt = excerptOf(body.trim() === '' ? title : body);
    return {
      type: document.type,
      id: document.id,
      title,
      excerpt: excerpt === '' ? escapeHtml(title) : excerpt,
      url: `${pathOf.get(document.type) ?? ''}/${document.id}`,
      score: document.score,
      createdAt: document.createdAt,
    };
  };

  return {
    async search(
      { q, type }: { q: string; type?: string },
      request: PageRequest,
      caller: UserCaller,
    ): Promise<SearchAnswer> {
      const query = queryWords(q);
      const rights = await rightsOf(caller);
      const { documents, total, insteadOf } = await find(query, { rights, type }, request);
      const marked = query.words.flatMap((word) => [...(insteadOf.get(word) ?? []), word]);
      if (request.page === 1 && query.key !== '')
        await remember({
          userId: caller.userId,
          key: query.key,
          query: q.trim(),
          resultCount: total,
          searchedAt: clock.date(),
          // A query that found nothing for everybody may be a confidential name, or an advertisement.
          isCounted: documents.some(({ isForAll }) => isForAll),
        });
      const excerptOf = excerpts(marked);
      return {
        results: documents.map((document) => shown(document, excerptOf)),
        totalResults: total,
        corrected: correctedOf(query.words, insteadOf, documents),
      };
    },

    /** Returns names that start with the text or contain a word that does, and queries of many members. */
    async suggestions(q: string, caller: UserCaller): Promise<string[]> {
      const { key, words } = queryWords(q);
      if (key === '') return [];
      const rights = await rightsOf(caller);
      const [names, queries] = await Promise.all([
        found.namesWith(key, rights, MAX_SUGGESTIONS),
        history.popular(key, MAX_SUGGESTIONS),
      ]);
      const inside =
        names.length < MAX_SUGGESTIONS && key.length >= 3
          ? await found.namesOf(queryTextsOf(words, new Map()), rights, MAX_SUGGESTIONS)
          : [];
      const seen = new Set<string>();
      return [...names, ...queries, ...inside]
        .filter((one) => !seen.has(queryWords(one).key) && seen.add(queryWords(one).key))
        .slice(0, MAX_SUGGESTIONS);
    },

    historyOf: history.of,
    forget: (userId: string): Promise<void> => database.transaction((tx) => history.forget(tx, userId)),
  };
}

export type SearchRules = ReturnType<typeof searchRules>;

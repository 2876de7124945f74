import { batching } from '../../kernel/concurrency/batching.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { PageRequest } from '../../kernel/database/pagination.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { escapeHtml } from '../../kernel/text/html.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { audienceOf, audienceWith, EVERYBODY, type Searchable } from './contract.ts';
import { excerpts } from './excerpts.ts';
import type { FoundStore, Rights } from './found.store.ts';
import type { HistoryStore, Searched } from './history.store.ts';
import type { FoundDocument } from './matches.store.ts';
import { MAX_SUGGESTIONS } from './search.model.ts';
import {
  deletionsOf,
  isCorrectable,
  isOneMistakeApart,
  queryTextsOf,
  queryWords,
  type SearchWords,
  wordsOf,
} from './words.ts';

const MAX_CORRECTIONS = 3;
/** How many possible corrections of all words together are looked up in documents. */
const MAX_CANDIDATES = 48;
/** In how many results a word is looked for that a correction may name. */
const MAX_NAMING = 10;

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

/** Words to search for instead of each word, beside the word itself. */
type Corrections = ReadonlyMap<string, string[]>;
const NOTHING = { documents: [] as FoundDocument[], total: 0, insteadOf: new Map() as Corrections };

interface SearchDeps {
  found: FoundStore;
  history: HistoryStore;
  searchables: Searchable[];
  database: Database;
  clock: Clock;
}

/** Search. Results, counts, suggestions and corrections reveal only what the caller may read. */
export function searchRules({ found, history, searchables, database, clock }: SearchDeps) {
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
    const contributed = await Promise.all(searchables.map((one) => one.rightsOf?.(caller)));
    return {
      audiences: [
        EVERYBODY,
        audienceOf(userId),
        ...byPermission,
        ...contributed.flatMap((one) => one?.audiences ?? []),
      ],
      excluded: contributed.flatMap((one) => one?.excluded ?? []),
    };
  }

  /** Returns words that may be meant by each word, the most likely ones first. They may not be visible to the caller. */
  async function candidatesOf(words: string[], rights: Rights): Promise<Map<string, string[]>> {
    const forms = new Map(words.filter(isCorrectable).map((word) => [word, deletionsOf(word)]));
    if (forms.size === 0) return new Map();
    const near = await found.neighbours([...new Set([...forms.values()].flat())], rights);
    const most = Math.floor(MAX_CANDIDATES / forms.size);
    const candidates = [...forms].map(([word, own]): [string, string[]] => {
      const apart = near
        .filter((one) => own.includes(one.without) && one.word !== word && isOneMistakeApart(word, one.word))
        .map((one) => one.word);
      // Typing mistakes seldom affect the first letter.
      const ranked = [...new Set(apart)].sort(
        (a, b) => Number(b[0] === word[0]) - Number(a[0] === word[0]) || (a < b ? -1 : 1),
      );
      return [word, ranked.slice(0, most)];
    });
    return new Map(candidates.filter(([, instead]) => instead.length > 0));
  }

  /**
   * Returns corrections of the words. Only words of documents that the caller may find are corrections, so that nothing
   * depends on what the others say.
   */
  async function correctionsOf(words: string[], rights: Rights): Promise<Corrections> {
    const candidates = await candidatesOf(words, rights);
    const occurring = await found.occurring([...new Set([...candidates.values()].flat())], rights);
    const corrections = [...candidates].map(([word, some]): [string, string[]] => [
      word,
      some.filter((one) => occurring.has(one)).slice(0, MAX_CORRECTIONS),
    ]);
    return new Map(corrections.filter(([, some]) => some.length > 0));
  }

  /** Finds the words; corrects those that no document has, and all of them if nothing is found. */
  async function find(
    { words, key }: SearchWords,
    rights: Rights,
    type: string | undefined,
    request: PageRequest,
  ) {
    async function correcting(doubtful: string[]) {
      const insteadOf: Corrections =
        doubtful.length === 0 ? new Map() : await correctionsOf(doubtful, rights);
      const query = queryTextsOf(words, insteadOf);
      const [total, documents] = await Promise.all([
        found.count(query, rights, type),
        found.page(query, key, rights, type, request),
      ]);
      return total > 0 ? { documents, total, insteadOf } : undefined;
    }
    const without = (known: Set<string>): string[] => words.filter((word) => !known.has(word));

    const vocabulary = await found.vocabularyOf(words, rights);
    const unknown = without(vocabulary);
    const first = await correcting(unknown);
    if (first || unknown.length === words.length) return first ?? NOTHING;
    // Words that occur only in documents that are gone or hidden from the caller count as unknown. With one of them as it
    // stands nothing is found, so that they need to be told apart only now.
    const unseen = without(await found.known([...vocabulary], words.at(-1) as string, rights));
    const isPart = unseen.length > unknown.length && unseen.length < words.length;
    return (isPart && (await correcting(unseen))) || ((await correcting(words)) ?? NOTHING);
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
      const asked = queryWords(q);
      const rights = await rightsOf(caller);
      const { documents, total, insteadOf } =
        asked.words.length === 0 ? NOTHING : await find(asked, rights, type, request);
      const marked = asked.words.flatMap((word) => [...(insteadOf.get(word) ?? []), word]);
      if (request.page === 1 && asked.key !== '')
        await remember({
          userId: caller.userId,
          key: asked.key,
          query: q.trim(),
          resultCount: total,
          searchedAt: clock.date(),
          // A query that finds only what few may find may be a name that few should know.
          isCounted: documents.length === 0 || documents.some(({ isForAll }) => isForAll),
        });
      const excerptOf = excerpts(marked);
      return {
        results: documents.map((document) => shown(document, excerptOf)),
        totalResults: total,
        corrected: correctedOf(asked.words, insteadOf, documents),
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

/** Returns the corrected query, of words that the results have if they do; null if nothing was corrected. */
function correctedOf(words: string[], insteadOf: Corrections, documents: FoundDocument[]): string | null {
  if (insteadOf.size === 0) return null;
  const results = documents.slice(0, MAX_NAMING);
  const shown = new Set(results.flatMap(({ title, body }) => wordsOf(`${title} ${body}`)));
  const chosen = words.map((word) => {
    const instead = insteadOf.get(word) ?? [];
    return shown.has(word) ? word : (instead.find((one) => shown.has(one)) ?? instead[0] ?? word);
  });
  return chosen.every((word, place) => word === words[place]) ? null : chosen.join(' ');
}

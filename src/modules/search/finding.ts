import type { PageRequest } from '../../kernel/database/pagination.ts';
import type { CorrectionRules, Corrections } from './corrections.ts';
import type { FoundStore } from './found.store.ts';
import type { FoundDocument } from './matches.store.ts';
import type { Question } from './search.model.ts';
import { countedPages } from './totals.ts';
import { queryTextsOf, type SearchWords } from './words.ts';

/** A page of documents, the total, and the words by which they were found. */
interface Found {
  documents: FoundDocument[];
  total: number;
  insteadOf: Corrections;
}

const NOTHING: Found = { documents: [], total: 0, insteadOf: new Map() };

/** Returns the search for documents: by the words of a query as given, or corrected. */
export function documentFinder(found: FoundStore, corrections: CorrectionRules) {
  const counted = countedPages(found);
  /** Finds the words; corrects those that occur in no document, and all of them if nothing is found. */
  return async function find(
    { words, key }: SearchWords,
    { rights, type }: Pick<Question, 'rights' | 'type'>,
    request: PageRequest,
  ): Promise<Found> {
    if (words.length === 0) return NOTHING;
    async function correcting(doubtful: string[]): Promise<Found | undefined> {
      const insteadOf: Corrections =
        doubtful.length === 0 ? new Map() : await corrections.of(doubtful, rights);
      const question = { query: queryTextsOf(words, insteadOf), key, rights, type };
      const { total, documents } = await counted(question, request);
      return total > 0 ? { documents, total, insteadOf } : undefined;
    }
    const without = (indexed: Set<string>): string[] => words.filter((word) => !indexed.has(word));

    const vocabulary = await found.vocabularyOf(words, rights);
    const unknown = without(vocabulary);
    const first = await correcting(unknown);
    if (first || unknown.length === words.length) return first ?? NOTHING;
    // Words that occur only in deleted documents, or in documents hidden from the caller, count as unknown. They are
    // determined only now, because such a word leaves no results as given.
    const unseen = without(await found.known([...vocabulary], words.at(-1) as string, rights));
    const isPart = unseen.length > unknown.length && unseen.length < words.length;
    return (isPart && (await correcting(unseen))) || ((await correcting(words)) ?? NOTHING);
  };
}

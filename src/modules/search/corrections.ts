import type { FoundStore } from './found.store.ts';
import type { FoundDocument } from './matches.store.ts';
import type { Rights } from './search.model.ts';
import { deletionsOf, isCorrectable, isOneMistakeApart, wordsOf } from './words.ts';

const MAX_CORRECTIONS = 3;
/** Maximum number of candidate corrections, for all words together, that are looked up in documents. */
const MAX_CANDIDATES = 48;
/** Number of results examined for the word that the corrected query names. */
const MAX_NAMING = 10;

/** The words to search for in addition to each word. */
export type Corrections = ReadonlyMap<string, string[]>;

/** Corrections of typing mistakes. They reveal only words that the caller may read. */
export function correctionRules(found: Pick<FoundStore, 'neighbours' | 'occurring'>) {
  /** Returns candidate corrections of each word, most likely first. They may not be visible to the caller. */
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
   * depends on other documents.
   */
  async function of(words: string[], rights: Rights): Promise<Corrections> {
    const candidates = await candidatesOf(words, rights);
    const occurring = await found.occurring([...new Set([...candidates.values()].flat())], rights);
    const corrections = [...candidates].map(([word, some]): [string, string[]] => [
      word,
      some.filter((one) => occurring.has(one)).slice(0, MAX_CORRECTIONS),
    ]);
    return new Map(corrections.filter(([, some]) => some.length > 0));
  }

  return { of };
}

export type CorrectionRules = ReturnType<typeof correctionRules>;

/** Returns the corrected query, preferably of words that occur in the results; null if nothing was corrected. */
export function correctedOf(
  words: string[],
  insteadOf: Corrections,
  documents: FoundDocument[],
): string | null {
  if (insteadOf.size === 0) return null;
  const results = documents.slice(0, MAX_NAMING);
  const shown = new Set(results.flatMap(({ title, body }) => wordsOf(`${title} ${body}`)));
  const chosen = words.map((word) => {
    const instead = insteadOf.get(word) ?? [];
    return shown.has(word) ? word : (instead.find((one) => shown.has(one)) ?? instead[0] ?? word);
  });
  return chosen.every((word, place) => word === words[place]) ? null : chosen.join(' ');
}

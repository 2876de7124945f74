import { OBJECT_ID } from '../../../kernel/ids.ts';
import { shortenTo } from '../../../kernel/text/text.ts';
import type { FoundRecord, LookUp, Match, Sought } from '../contract.ts';
import { MOST_FOUND } from './search.schemas.ts';

const MAX_TITLE_LENGTH = 200;

const RANKS: Record<Match, number> = { id: 0, whole: 1, beginning: 2 };

/** A record with its type, and its place among those of its type. */
interface Ranked extends FoundRecord {
  type: string;
  place: number;
}

/** Finds records of all modules. */
export const recordSearch = (lookUps: LookUp[]) => ({
  /** Returns the best matches: identifiers first, then whole names, then beginnings, each with all types in turn. */
  async find(q: string): Promise<Pick<Ranked, 'type' | 'id' | 'title' | 'userId'>[]> {
    const sought = soughtIn(q);
    const ofTypes = await Promise.all(
      lookUps.map(async ({ type, find }): Promise<Ranked[]> => {
        const found = await find(sought, MOST_FOUND);
        return found.map((record, place) => ({ ...record, type, place }));
      }),
    );
    return ofTypes
      .flat()
      .sort((a, b) => RANKS[a.match] - RANKS[b.match] || a.place - b.place)
      .slice(0, MOST_FOUND)
      .map(({ type, id, title, userId }) => ({
        type,
        id,
        title: shortenTo(title, MAX_TITLE_LENGTH),
        userId,
      }));
  },
});

export type RecordSearch = ReturnType<typeof recordSearch>;

function soughtIn(q: string): Sought {
  const text = q.trim().normalize('NFC');
  const lowerCase = text.toLowerCase();
  return { text, lowerCase, id: OBJECT_ID.test(lowerCase) ? lowerCase : undefined };
}

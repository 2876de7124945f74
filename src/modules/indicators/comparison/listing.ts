import type { HoldersPage } from '../../../external/charting/port.ts';
import type { AccountRules } from '../account/account.ts';

/** A listing with more pages is discarded. */
const MAX_PAGES = 20_000;
const PAGE_ATTEMPTS = 3;

/** Lists the holders of a script at the charting platform. */
export function listings(account: Pick<AccountRules, 'turn' | 'call'>) {
  /** Reads all holders of a script. @returns undefined if the listing is incomplete */
  async function holdersOf(pineId: string, signal: AbortSignal): Promise<Map<string, string> | undefined> {
    const handles = new Map<string, string>();
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = await pageOf(pineId, cursor, signal);
      if (!page) return undefined;
      const sizeBefore = handles.size;
      for (const handle of page.handles) handles.set(handle.toLowerCase(), handle);
      if (page.next === undefined) return handles;
      // A list whose pages repeat or add nothing would never end.
      if (handles.size === sizeBefore || seen.has(page.next)) return undefined;
      seen.add(page.next);
      cursor = page.next;
    }
    return undefined;
  }

  async function pageOf(
    pineId: string,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<HoldersPage | undefined> {
    for (let attempt = 0; attempt < PAGE_ATTEMPTS; attempt++) {
      if (signal.aborted || !(await account.turn(signal))) return undefined;
      const answer = await account.call<HoldersPage>(
        (platform) => platform.holders(pineId, cursor) as Promise<HoldersPage>,
        { signal },
      );
      if (answer.kind === 'page') return answer as HoldersPage;
    }
    return undefined;
  }

  return { holdersOf };
}

export type Listings = ReturnType<typeof listings>;

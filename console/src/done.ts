import { noteWrite } from './api.ts';
import { store } from './store.ts';
import { because, plain, whetherDone } from './text.ts';

/** What became of one of several things that were changed at once. */
export interface Outcome {
  key: string;
  name: string;
  text: string;
  isFailed: boolean;
}

/** What was last done on this page, or could not be. It stays until something else is done, or the page is left. */
export type Done = { path: string } & (
  | { sentence: string; outcomes?: Outcome[] }
  | { failed: string; error: unknown }
);

export const done = store<Done | undefined>(undefined);

const here = (): string => location.pathname;

/** Says the new state on the page; what the page shows is read again. */
export function tell(sentence: string, outcomes?: Outcome[]): void {
  done.set({ path: here(), sentence: plain(sentence), ...(outcomes ? { outcomes } : {}) });
  noteWrite();
}

/** Says on the page what could not be done. What the page shows is read again: another may have done it. */
export function tellFailure(failed: string, error: unknown): void {
  done.set({ path: here(), failed, error });
  noteWrite();
}

/** Does what needs no confirmation. */
export async function doAtOnce(what: string, run: () => PromiseLike<string>): Promise<void> {
  try {
    tell(await run());
  } catch (error) {
    tellFailure(whetherDone(error, what), error);
  }
}

/** Does something with each of several things, one after another, and says what became of each. */
export async function each<Item>(
  items: Item[],
  { nameOf, keyOf }: { nameOf: (item: Item) => string; keyOf: (item: Item) => string },
  run: (item: Item) => PromiseLike<string>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const item of items) {
    const one = { key: keyOf(item), name: nameOf(item) };
    try {
      outcomes.push({ ...one, text: await run(item), isFailed: false });
    } catch (error) {
      outcomes.push({ ...one, text: because(error), isFailed: true });
    }
  }
  return outcomes;
}

/** "2 of 3": how many of several things succeeded. */
export const succeeded = (outcomes: Outcome[]): string =>
  `${outcomes.filter(({ isFailed }) => !isFailed).length} of ${outcomes.length}`;

interface Resulting {
  id: string;
  status: string | null;
  message: string | null;
}

/** What an operation over several things answers, with the name of each. */
export const outcomesOf = <Item extends { id: string }>(
  items: Item[],
  results: Resulting[],
  nameOf: (item: Item) => string,
): Outcome[] =>
  results.map(({ id, status, message }) => {
    const item = items.find((one) => one.id === id);
    return {
      key: id,
      name: item ? nameOf(item) : id,
      text: message ?? status ?? '',
      isFailed: message !== null,
    };
  });

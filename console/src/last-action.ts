import { type Api, apiWithKey, noteWrite } from './api.ts';
import { store } from './store.ts';
import { because, plain, whetherDone } from './text.ts';

/** The outcome for one item of a bulk action. */
export interface Outcome {
  key: string;
  name: string;
  text: string;
  isFailed: boolean;
}

/** The result or failure of the last action on a page. It is shown until the next action or until the page is left. */
export type LastAction = { path: string } & (
  | { sentence: string; outcomes?: Outcome[] }
  | { failed: string; error: unknown }
);

export const lastAction = store<LastAction | undefined>(undefined);

const currentPath = (): string => location.pathname;

/** Shows the result of an action on the page, and reloads the page's data. */
export function showResult(sentence: string, outcomes?: Outcome[]): void {
  lastAction.set({ path: currentPath(), sentence: plain(sentence), ...(outcomes ? { outcomes } : {}) });
  noteWrite();
}

/** Shows on the page that an action failed, and reloads its data, since somebody else may have done the same before. */
export function showFailure(failed: string, error: unknown): void {
  lastAction.set({ path: currentPath(), failed, error });
  noteWrite();
}

/** Runs an action that needs no confirmation, and shows its result; `what` says what was not done if it fails. */
export async function doAtOnce(what: string, run: (api: Api) => PromiseLike<string>): Promise<void> {
  try {
    showResult(await run(apiWithKey(crypto.randomUUID())));
  } catch (error) {
    showFailure(whetherDone(error, what), error);
  }
}

/** Runs an action for each item, one after another, and returns the outcomes. A failure does not stop the rest. */
export async function runForEach<Item>(
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

/** "2 of 3": how many items of a bulk action succeeded. */
export const succeeded = (outcomes: Outcome[]): string =>
  `${outcomes.filter(({ isFailed }) => !isFailed).length} of ${outcomes.length}`;

interface Resulting {
  id: string;
  status: string | null;
  message: string | null;
}

/** Turns the results of a bulk operation of the API into outcomes with the names of the items. */
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

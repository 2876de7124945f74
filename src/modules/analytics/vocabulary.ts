import type { Measures } from './contract.ts';

/** The name, and the type, under which all unlisted ones are counted. */
export const OTHER = 'other';

/** The names and types of client events that are in the dictionary from the start, each name with each type. */
export interface Vocabulary {
  names: ReadonlySet<string>;
  types: ReadonlySet<string>;
}

/** Names and types of events that any page may have. */
const OWN: Required<Measures>['tracked'] = {
  names: ['page.view', 'section.scroll', 'exit.intent', 'button.click', 'form.submit'],
  types: ['navigation', 'interaction', 'engagement'],
};

export function vocabularyOf(measures: Measures[]): Vocabulary {
  const tracked = [OWN, ...measures.flatMap((one) => one.tracked ?? [])];
  return {
    names: new Set(tracked.flatMap(({ names = [] }) => names)),
    types: new Set(tracked.flatMap(({ types = [] }) => types)),
  };
}

import type { Measures } from './contract.ts';

/** Stands for all names, and for all types, that are counted together. */
export const OTHER = 'other';

/** The names and types of clients' events that the dictionary has from the start, each name with each type. */
export interface Vocabulary {
  names: ReadonlySet<string>;
  types: ReadonlySet<string>;
}

/** Names and types of events on any page. */
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

import type { Need } from './needs.ts';
import type { Trial } from './trial.ts';

/** A case of the specification. */
export interface Case {
  /** A plain sentence that says what holds. */
  title: string;
  /** Where the specification says so. */
  section: string;
  needs?: Need[];
  run: (trial: Trial) => Promise<void>;
}

/** The cases of one part of the platform. */
export interface Area {
  name: string;
  cases: Case[];
}

/** The id of a case. It depends only on the area and the title, so that reports of two runs can be compared. */
export const idOf = (area: string, title: string): string =>
  `${area}/${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`;

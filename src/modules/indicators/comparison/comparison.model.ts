import type { ObjectId } from '../../../kernel/ids.ts';

/** The fields of a grant that a comparison needs. */
export interface ComparedGrant {
  id: ObjectId;
  userId: ObjectId;
  handle: string;
  status: string;
  version: number;
  /** Whether the grant did not change while the listing was read, so that the two are comparable. */
  isUnchanged: boolean;
}

/** The actor of what a comparison does. */
export const COMPARER = 'service:indicators';

/** Holders at the charting platform whom a comparison reports and leaves there. */
export const FINDING_KINDS = ['unexpected', 'stranger'] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** A difference between a grant, if there is one, and the charting platform. */
interface Difference {
  scannerId: ObjectId;
  chartingUsername: string;
  kind: FindingKind | 'missing';
}

/** What was found of an indicator whose list of holders is reliable. */
export interface Compared {
  scannerId: ObjectId;
  drift: Difference[];
}

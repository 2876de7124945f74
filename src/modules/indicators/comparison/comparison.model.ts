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

import type { ObjectId } from '../../../kernel/ids.ts';

/** A closed period; both ends are inclusive. */
export interface Period {
  from?: Date;
  to?: Date;
}

/** A range of an account's entries: sequence numbers greater than `after`, up to and including `upTo`. */
export interface EntryRange {
  accountId: ObjectId;
  after: number;
  upTo: number;
}

import type { Queries } from '../../kernel/database/queries.ts';
import type { EventKind } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';

/** What can be found (part 2, Analytics, and beyond it). */
export const SEARCH_TYPES = ['post', 'course', 'trade', 'user', 'educator', 'chatroom', 'indicator'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** The audience of what every member may see. */
export const EVERYBODY = 'all';
/** The audience of one member. */
export const audienceOf = (userId: ObjectId): string => `user:${userId}`;
/** The audience of those who hold a permission; administrators are of all of them. */
export const audienceWith = (permission: 'admin' | 'moderator'): string => `with:${permission}`;

/** Something that can be found, as it reads now. */
export interface SearchDocument {
  id: ObjectId;
  title: string;
  body: string;
  /** Who may find it: a caller who is of one of these audiences. */
  audiences: string[];
  /** The title is a name that may be suggested; of a post it is only its beginning. */
  hasName: boolean;
  /** How many members enrolled, joined or reacted. */
  popularity: number;
  createdAt: Date;
}

/** What a caller may find beyond what everybody may, and what of that they may not. */
interface SearchRights {
  audiences: string[];
  /** Wins over every audience. */
  excluded: string[];
}

/** An event after which documents read differently, are there, or are gone. */
export interface SearchChange {
  // biome-ignore lint/suspicious/noExplicitAny: the kind says what the data is
  kind: EventKind<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  idsOf(data: any): ObjectId[];
}

export const changes = <Data extends object>(
  kind: EventKind<Data>,
  idsOf: (data: Data) => ObjectId[],
): SearchChange => ({ kind, idsOf });

/** A kind of record that can be found. */
export interface Searchable {
  type: SearchType;
  /**
   * Published in the transaction of the change, once it is written: search reads the documents again within it, so that
   * what is found is right at each commit.
   */
  changes: SearchChange[];
  /** Returns the documents of these records; what is missing cannot be found. */
  read(ids: ObjectId[], queries: Queries): Promise<SearchDocument[]>;
  /** Returns ids in their order after an id; for building the index anew. */
  idsAfter(id: ObjectId, limit: number): Promise<ObjectId[]>;
  rightsOf?(caller: UserCaller): Promise<SearchRights>;
}

import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { EventKind } from '../../kernel/messaging/events.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';

/** The audience of records that every member may see. */
export const EVERYBODY = 'all';
/** The audience of one member. */
export const audienceOf = (userId: ObjectId): string => `user:${userId}`;
/** The audience of members with a permission; administrators belong to all of them. */
export const audienceWith = (permission: 'admin' | 'moderator'): string => `with:${permission}`;

/** The current searchable content of a record. */
export interface SearchDocument {
  id: ObjectId;
  title: string;
  body: string;
  /** Callers in any of these audiences may find it. */
  audiences: string[];
  /** Whether the title is a name that may be suggested; a post's title is only its beginning. */
  hasName: boolean;
  /** Number of members who enrolled, joined or reacted. */
  popularity: number;
  createdAt: Date;
}

/** A caller's additional audiences, and the records excluded for them. */
interface SearchRights {
  audiences: string[];
  /** Takes precedence over every audience. */
  excluded: string[];
}

/** An event after which documents have changed, appeared or disappeared. */
export interface SearchChange {
  // biome-ignore lint/suspicious/noExplicitAny: the kind says what the data is
  kind: EventKind<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  idsOf(data: any, queries: Queries): ObjectId[] | Promise<ObjectId[]>;
}

/**
 * Declares that records of a type change with an event. `idsOf` names them; it may look them up, in the transaction of
 * the event, as when a change of a member affects all that they published.
 */
export const changes = <Data extends object>(
  kind: EventKind<Data>,
  idsOf: (data: Data, queries: Queries) => ObjectId[] | Promise<ObjectId[]>,
): SearchChange => ({ kind, idsOf });

/** A searchable type of record, contributed by the module that owns the records. */
export interface Searchable {
  /** As clients name it: `trade`. */
  type: string;
  /** What the description of the search calls them: `trades`. */
  plural: string;
  /** The path within the client, followed by the id: `/trades`. */
  path: string;
  /** Prominence of the type, in units of e-fold popularity: equal matches of a more prominent type come first. */
  prominence: number;
  /**
   * Whether words that no document has any longer stop being corrections of typing mistakes at once, rather than with the
   * next rebuild. For types whose words are names or chosen by people; it costs a look-up for each such word.
   */
  forgetsWords: boolean;
  /**
   * Must be published in the transaction of the change, after the write: search reads the documents again within it, so
   * that the index is correct at each commit. They are events of the module itself: what it copies from the event of
   * another module may not be written yet when the search receives that event.
   */
  changes: SearchChange[];
  /** Returns the documents of the records; a record without a document cannot be found. */
  read(ids: ObjectId[], queries: Queries): Promise<SearchDocument[]>;
  /** Returns ids in order, starting after an id; used to rebuild the index. */
  idsAfter(id: ObjectId, limit: number): Promise<ObjectId[]>;
  rightsOf?(caller: UserCaller): Promise<SearchRights>;
}

declare module '../module.ts' {
  interface Contributions {
    /** Records that the search indexes. */
    searchable?: Searchable[];
  }
}

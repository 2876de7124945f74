import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { EventKind } from '../../kernel/messaging/events.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';

/** The audience of records that every member may see. */
export const EVERYBODY = 'all';
/** The audience of one member. */
export const audienceOf = (userId: ObjectId): string => `user:${userId}`;
/** The audience of members with a permission; administrators belong to all such audiences. */
export const audienceWith = (permission: 'admin' | 'moderator'): string => `with:${permission}`;

/** The current searchable content of a record. */
export interface SearchDocument {
  id: ObjectId;
  title: string;
  body: string;
  /** Callers in any of these audiences may find it. */
  audiences: string[];
  /** Whether the title is a name that may be suggested; the title of a post is only its beginning. */
  hasName: boolean;
  /** Number of members who enrolled, joined or reacted. */
  popularity: number;
  createdAt: Date;
}

/** A caller's additional audiences, and the records of the type that are excluded for them. */
interface SearchRights {
  audiences: string[];
  /** Takes precedence over all audiences. */
  excluded: ObjectId[];
}

/** Records that a caller may not find, contributed by a module that does not own them. */
export interface SearchExclusion {
  /** The {@link Searchable.type} of the records. */
  type: string;
  idsFor(caller: UserCaller): Promise<ObjectId[]>;
}

/** An event after which documents have changed, appeared or disappeared. */
export interface SearchChange {
  // biome-ignore lint/suspicious/noExplicitAny: `kind` determines the type of the data
  kind: EventKind<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  idsOf(data: any, queries: Queries): ObjectId[] | Promise<ObjectId[]>;
}

/**
 * Declares that an event changes records of a type. `idsOf` returns their ids; it may query them in the transaction of
 * the event, for example when a change of a member affects all their publications.
 */
export const changes = <Data extends object>(
  kind: EventKind<Data>,
  idsOf: (data: Data, queries: Queries) => ObjectId[] | Promise<ObjectId[]>,
): SearchChange => ({ kind, idsOf });

/** A searchable type of record, contributed by the module that owns the records. */
export interface Searchable {
  /** The name of the type in the API: `trade`. */
  type: string;
  /** The plural of the type in the description of the search: `trades`. */
  plural: string;
  /** The path within the client, followed by the id: `/trades`. */
  path: string;
  /** Prominence of the type, in units of e-fold popularity: equal matches of a more prominent type come first. */
  prominence: number;
  /**
   * Whether a word that no document contains any longer is removed from the corrections at once, rather than by the
   * next rebuild. For types whose words are names or free texts; it costs a lookup for each such word.
   */
  forgetsWords: boolean;
  /**
   * Must be published in the transaction of the change, after the write: search reads the documents again within it, so
   * that the index is correct at each commit. They must be events of the module itself: data that it copies from the
   * event of another module may not be written yet when the search receives that event.
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
    /** Record types that the search indexes. */
    searchable?: Searchable[];
    /** Records of other modules that the search keeps from a caller. */
    searchExclusions?: SearchExclusion[];
  }
}

import type { ObjectId } from '../../kernel/ids.ts';

/** Maximum number of results of a query, over all pages. */
export const MAX_FOUND = 1_000;
export const MAX_SUGGESTIONS = 10;
/** Number of members who must have searched for a query before it is suggested to others. */
export const MIN_SEARCHERS = 5;
/** Maximum number of queries in the history of a member. */
export const MAX_HISTORY = 100;

/** Minimum length of a prefix that finds words. */
const MIN_PREFIX_LENGTH = 2;
/** Returns whether the last word of a query also finds words that begin with it. */
export const isPrefix = (last: string): boolean => last.length >= MIN_PREFIX_LENGTH;

/** Texts of tsqueries: all words but the last, the last one, and the last one as a prefix. */
export interface QueryTexts {
  first: string;
  last: string;
  prefix: string;
}

/** The caller's audiences, and the records excluded for them, as {@link recordKey} writes them. */
export interface Rights {
  audiences: string[];
  excluded: string[];
}

/** Returns how a record is named among those excluded. */
export const recordKey = (type: string, id: ObjectId): string => `${type}/${id}`;

/** A query and its caller's rights. */
export interface Question {
  query: QueryTexts;
  /** The whole normalized query, which is compared with titles. */
  key: string;
  rights: Rights;
  /** Only documents of this type; undefined means all. */
  type: string | undefined;
}

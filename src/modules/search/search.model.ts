/** Maximum number of results of a query, over all pages. */
export const MAX_FOUND = 1_000;
export const MAX_SUGGESTIONS = 10;
/** Number of members who must have searched for a query before it is suggested to others. */
export const MIN_SEARCHERS = 5;
/** Maximum number of queries in the history of a member. */
export const MAX_HISTORY = 100;

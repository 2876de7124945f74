// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import type * as wire from '../wire.ts';

/** Search announcements, certificates, chatrooms, courses, educators, indicators, lessons, people, posts and trades. `GET /v1/search` For member. */
export const search: Operation<{
  query: {
    /** Words to search for. Letter case and accents are ignored, and one typing mistake in a longer word is tolerated */
    q: string;
    type?: 'announcement' | 'certificate' | 'chatroom' | 'course' | 'educator' | 'indicator' | 'lesson' | 'post' | 'trade' | 'user';
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.SearchFindings;
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'search',
  method: 'GET',
  path: '/v1/search',
};

/** Suggest completions of a query. `GET /v1/search/suggestions` For member. */
export const suggestSearches: Operation<{
  query: {
    /** The beginning of a name or a query. Letter case and accents are ignored */
    q: string;
  };
  data: string[];
  code: AnyCode | TokenCode;
}> = {
  id: 'suggestSearches',
  method: 'GET',
  path: '/v1/search/suggestions',
};

/** List your recent searches, newest first. `GET /v1/search/history` For member. */
export const listSearchHistory: Operation<{
  data: {
    query: string;
    resultCount: number;
    searchedAt: wire.DateTime;
  }[];
  code: AnyCode | TokenCode;
}> = {
  id: 'listSearchHistory',
  method: 'GET',
  path: '/v1/search/history',
};

/** Clear your search history. `DELETE /v1/search/history` For member. */
export const clearSearchHistory: Operation<{
  data: wire.ClearSearchHistoryResult;
  code: AnyCode | TokenCode | WriteCode;
}> = {
  id: 'clearSearchHistory',
  method: 'DELETE',
  path: '/v1/search/history',
};

import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { answer, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { FoundShape, HistoryShape, SearchQuery, SuggestSearchesQuery } from './search.schemas.ts';
import type { SearchRules } from './search.ts';

const tag = 'Search';

export const searchOperations = (search: SearchRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/search',
    id: 'search',
    tag,
    summary: 'Find posts, courses, trades, people, educators, chatrooms and indicators',
    description:
      'All words must be there, the last one perhaps only begun. The best comes first: the very title, a title that begins so, all words in the title, all words anywhere; then the newer and the more popular. Everybody finds only what they may read.',
    access: member,
    query: SearchQuery,
    success: ok(FoundShape, { hasPagination: true }),
    handle: async ({ query: { page, limit, ...asked }, caller }) => {
      const found = await search.search(asked, { page, limit }, caller);
      return answer(found, { pagination: { page, limit, total: found.totalResults } });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/search/suggestions',
    id: 'suggestSearches',
    tag,
    summary: 'What a query might become',
    description:
      'Up to ten: names that begin like this, or have a word that does, and what five members or more have searched for.',
    access: member,
    query: SuggestSearchesQuery,
    success: ok(Type.Array(Type.String({ examples: ['Gold for beginners'] }))),
    handle: ({ query, caller }) => search.suggestions(query.q, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/search/history',
    id: 'listSearchHistory',
    tag,
    summary: 'What you searched for, newest first',
    description: 'One entry for each query, the newest hundred.',
    access: member,
    success: ok(HistoryShape),
    handle: ({ caller }) => search.historyOf(caller.userId),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/search/history',
    id: 'clearSearchHistory',
    tag,
    summary: 'Forget what you searched for',
    access: member,
    success: ok(Type.Null(), { message: 'Search history cleared' }),
    handle: async ({ caller }) => {
      await search.forget(caller.userId);
      return null;
    },
  }),
];

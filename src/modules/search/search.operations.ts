import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { answer, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { spelled } from '../../kernel/text/numbers.ts';
import type { Searchable } from './contract.ts';
import { MAX_HISTORY, MAX_SUGGESTIONS, MIN_SEARCHERS } from './search.model.ts';
import { foundShape, HistoryShape, SuggestSearchesQuery, searchQuery } from './search.schemas.ts';
import type { SearchRules } from './search.ts';

const tag = 'Search';

const list = new Intl.ListFormat('en-GB');
const typesOf = (searchables: Searchable[]): string[] => searchables.map(({ type }) => type);

export const searchOperations = (search: SearchRules, searchables: Searchable[]): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/search',
    id: 'search',
    tag,
    summary: `Search ${list.format(searchables.map(({ plural }) => plural).sort())}`,
    description:
      'Results contain all words of the query; the last word may be a prefix. They are ranked by exact title, title prefix, all words in the title and all words anywhere, then by recency and popularity. Results include only items that you may read.',
    access: member,
    query: searchQuery(typesOf(searchables)),
    success: ok(foundShape(typesOf(searchables)), { hasPagination: true }),
    handle: async ({ query: { page, limit, ...filter }, caller }) => {
      const found = await search.search(filter, { page, limit }, caller);
      return answer(found, { pagination: { page, limit, total: found.totalResults } });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/search/suggestions',
    id: 'suggestSearches',
    tag,
    summary: 'Suggest completions of a query',
    description: `Returns up to ${spelled(MAX_SUGGESTIONS)} suggestions: names that begin with the query or contain a word that does, and queries that at least ${spelled(MIN_SEARCHERS)} members have searched for.`,
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
    summary: 'List your recent searches, newest first',
    description: `Lists each query once, up to the ${MAX_HISTORY} most recent.`,
    access: member,
    success: ok(HistoryShape),
    handle: ({ caller }) => search.historyOf(caller.userId),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/search/history',
    id: 'clearSearchHistory',
    tag,
    summary: 'Clear your search history',
    access: member,
    success: ok(Type.Null(), { message: 'Search history cleared' }),
    handle: async ({ caller }) => {
      await search.forget(caller.userId);
      return null;
    },
  }),
];

import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { answer, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { DateTime, nullable, ObjectIdShape, oneOf, pageQuery } from '../../kernel/operations/shapes.ts';
import { SEARCH_TYPES } from './contract.ts';
import type { SearchRules } from './search.ts';

const tag = 'Search';
const Query = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Words; letter case, accents and one mistake in a longer word are forgiven',
  examples: ['gold breakout'],
});

const ResultShape = Type.Object(
  {
    type: oneOf(SEARCH_TYPES),
    id: ObjectIdShape,
    title: Type.String({ examples: ['Gold breaks out'] }),
    excerpt: Type.String({
      description: 'HTML: escaped text, with what was searched for in `<mark>`',
      examples: ['<mark>Gold</mark> breaks out!'],
    }),
    url: Type.String({
      description: 'A path within the client',
      examples: ['/posts/6740f1c2a9b3e4d5f6a7b8c9'],
    }),
    score: Type.Number(),
    createdAt: DateTime,
  },
  { $id: 'SearchResult' },
);
const FoundShape = Type.Object(
  {
    results: Type.Array(ResultShape),
    totalResults: Type.Integer({ description: 'At most 2,000' }),
    corrected: nullable(
      Type.String({ description: 'What was searched for instead, where a word had a mistake' }),
    ),
  },
  { $id: 'SearchFindings' },
);
const HistoryShape = Type.Array(
  Type.Object({ query: Type.String(), resultCount: Type.Integer(), searchedAt: DateTime }),
);

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
    query: Type.Object({
      q: Query,
      type: Type.Optional(oneOf(SEARCH_TYPES)),
      ...pageQuery({ limit: 20, maximum: 50 }),
    }),
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
    query: Type.Object({ q: Query }),
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

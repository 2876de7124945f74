import { Type } from 'typebox';
import {
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  pageQuery,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { inDigits } from '../../kernel/text/numbers.ts';
import { MAX_FOUND } from './search.model.ts';

const Query = readableText(200, {
  description:
    'Words to search for. Letter case and accents are ignored, and one typing mistake in a longer word is tolerated',
  examples: ['gold breakout'],
});

const resultShape = (types: string[]) =>
  Type.Object(
    {
      type: oneOf(types),
      id: ObjectIdShape,
      title: Type.String({ examples: ['Gold breaks out'] }),
      excerpt: Type.String({
        description: 'HTML: escaped text, with matches in `<mark>`',
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

export const foundShape = (types: string[]) =>
  Type.Object(
    {
      results: Type.Array(resultShape(types)),
      totalResults: Type.Integer({ description: `At most ${inDigits(MAX_FOUND)}` }),
      corrected: nullable(
        Type.String({ description: 'The query that was used instead, if a word had a typing mistake' }),
      ),
    },
    { $id: 'SearchFindings' },
  );

export const HistoryShape = Type.Array(
  Type.Object({ query: Type.String(), resultCount: Type.Integer(), searchedAt: DateTime }),
);

export const searchQuery = (types: string[]) =>
  Type.Object({
    q: Query,
    type: Type.Optional(oneOf(types)),
    ...pageQuery({ limit: 20 }),
  });

export const SuggestSearchesQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The beginning of a name or a query. Letter case and accents are ignored',
    examples: ['gold br'],
  }),
});

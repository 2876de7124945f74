import { Type } from 'typebox';
import { DateTime, nullable } from './shapes.ts';

/** Sums over everything that a list's filter matches, in `meta.summary`. */
export const ListSummary = Type.Object(
  {
    count: Type.Integer({ description: 'All that match, without a limit', examples: [3] }),
    keys: Type.Integer({ description: 'The sum of their Keys', examples: [120] }),
    usd: Type.Number({ description: 'The sum of their US dollars', examples: [120] }),
    oldestAt: nullable(DateTime),
  },
  { $id: 'ListSummary', description: 'Sums over all that the filter matches; only with `summary=true`' },
);

/** The query parameter of lists that have a summary. */
export const summaryQuery = {
  summary: Type.Optional(
    Type.Boolean({ description: 'Whether `meta.summary` sums up everything that the filter matches' }),
  ),
};

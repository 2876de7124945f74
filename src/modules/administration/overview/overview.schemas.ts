import { Type } from 'typebox';
import { DateTime, nullable, oneOf } from '../../../kernel/operations/shapes.ts';
import type { OverviewPart, Worklist } from '../contract.ts';

/** Returns the shape of the overview with these worklists and parts. */
export const overviewShape = (worklists: Worklist[], parts: OverviewPart[]) =>
  Type.Object(
    {
      worklists: Type.Array(
        Type.Object(
          {
            name: oneOf(
              worklists.map(({ name }) => name),
              { examples: ['reports'] },
            ),
            count: Type.Integer({ description: 'At most 10,000', examples: [3] }),
            oldestAt: nullable({ ...DateTime, description: 'Since when the oldest of them waits' }),
          },
          { $id: 'Worklist' },
        ),
      ),
      degraded: Type.Array(Type.String({ examples: ['redis'] }), {
        description: 'Optional dependencies that some process cannot reach',
      }),
      ...Object.fromEntries(parts.map(({ name, shape }) => [name, shape])),
    },
    { $id: 'Overview' },
  );

import { changes, EVERYBODY, type Searchable } from '../search/contract.ts';
import type { CatalogueStore } from './catalogue/catalogue.store.ts';
import { indicatorChanged } from './contract.ts';

/** Makes offered indicators searchable by every member. */
export const indicatorSearchable = ({ findOffered, idsAfter }: CatalogueStore): Searchable[] => [
  {
    type: 'indicator',
    plural: 'indicators',
    path: '/indicators',
    prominence: 6,
    forgetsWords: false,
    changes: [changes(indicatorChanged, ({ indicatorId }) => [indicatorId])],
    read: async (ids, queries) =>
      (await findOffered(ids, queries)).map(({ id, name, description, createdAt }) => ({
        id,
        title: name,
        body: description,
        audiences: [EVERYBODY],
        hasName: true,
        popularity: 0,
        createdAt,
      })),
    idsAfter,
  },
];

import { changes, EVERYBODY, type Searchable } from '../search/contract.ts';
import { tradeChanged, tradeCreated } from './contract.ts';
import type { TradeStore } from './trades.store.ts';

/** Makes trade ideas searchable by every member. */
export const tradeSearchable = ({ findAll, idsAfter }: TradeStore): Searchable[] => [
  {
    type: 'trade',
    plural: 'trades',
    path: '/trades',
    prominence: 1,
    forgetsWords: false,
    changes: [
      changes(tradeCreated, ({ tradeId }) => [tradeId]),
      changes(tradeChanged, ({ tradeId }) => [tradeId]),
    ],
    read: async (ids, queries) =>
      (await findAll(ids, queries)).map(({ id, symbol, direction, note, createdAt }) => ({
        id,
        title: `${symbol} ${direction}`,
        body: note,
        audiences: [EVERYBODY],
        hasName: true,
        popularity: 0,
        createdAt,
      })),
    idsAfter,
  },
];

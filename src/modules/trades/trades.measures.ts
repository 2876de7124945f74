import { Type } from 'typebox';
import { Count, facts, figures, type Measures, Percentage, percentOf } from '../analytics/contract.ts';
import { tradeClosed, tradeCreated } from './contract.ts';
import type { TradeStore } from './trades.store.ts';

const type = 'trading';

export const tradeMeasures = ({ figuresOf }: Pick<TradeStore, 'figuresOf'>): Measures => ({
  facts: [
    facts(tradeCreated, ({ userId, tradeId, symbol, direction }) => [
      { userId, name: 'trade.created', type, metadata: { tradeId, symbol, direction } },
    ]),
    facts(tradeClosed, ({ userId, tradeId, outcome }) => [
      { userId, name: `trade.${outcome}`, type, metadata: { tradeId } },
    ]),
  ],
  tracked: { names: ['trade.created', 'trade.viewed', 'market.searched'], types: [type] },
  ofMember: [
    figures(
      type,
      { trades: Count, winRate: Type.Number({ description: 'Percentage of closed trades' }) },
      figuresOf,
    ),
  ],
  ofPlatform: [
    figures(type, { tradesCreated: Count, tradesWon: Count, winRate: Percentage }, ({ facts }) => {
      const tradesWon = facts.count('trade.won');
      const closed = facts.count('trade.won', 'trade.lost', 'trade.even');
      return {
        tradesCreated: facts.count('trade.created'),
        tradesWon,
        winRate: percentOf(tradesWon, closed),
      };
    }),
  ],
});

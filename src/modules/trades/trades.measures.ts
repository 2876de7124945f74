import { facts, type Measures } from '../analytics/contract.ts';
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
  ofMember: async (userId) => ({ trading: await figuresOf(userId) }),
});

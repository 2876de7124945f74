import { type Notice, type NotificationType, notice, noticeAction } from '../notifications/contract.ts';
import { tradeCreated } from './contract.ts';
import type { TradeStore } from './trades.store.ts';

const TRADE_UPDATE: NotificationType = {
  name: 'trade_update',
  priority: 'high',
  channels: ['push', 'email'],
};

export const tradeNotices = ({ findAll }: Pick<TradeStore, 'findAll'>): Notice[] => [
  notice(tradeCreated, {
    type: TRADE_UPDATE,
    action: noticeAction('open-trade', {
      opens: 'the trade idea',
      path: '/v1/trades/{tradeId}',
      ids: ['tradeId'],
    }),
    read: async (all, queries) => {
      const trades = await findAll(
        all.map(({ tradeId }) => tradeId),
        queries,
      );
      return new Map(trades.map((trade) => [trade.id, trade]));
    },
    write: ({ tradeId, userId }, trades) => {
      const trade = trades.get(tradeId);
      if (!trade) return [];
      const { symbol, direction, entryPrice } = trade;
      return [
        {
          topic: 'TRADE_IDEAS',
          from: userId,
          channels: ['push'],
          title: `${symbol}, ${direction}`,
          message: `A new trade idea: ${direction} at ${entryPrice}.`,
          ids: { tradeId },
        },
      ];
    },
  }),
];

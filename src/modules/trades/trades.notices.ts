import { type Notice, notice } from '../notifications/contract.ts';
import { tradeCreated } from './contract.ts';

export const tradeNotices: Notice[] = [
  notice(tradeCreated, ({ tradeId, userId, symbol, direction, entryPrice, isQuiet }) =>
    isQuiet
      ? []
      : [
          {
            topic: { topic: 'TRADE_IDEAS', from: userId },
            type: 'trade_update',
            channels: ['push'],
            title: `${symbol}, ${direction}`,
            message: `A new trade idea: ${direction} at ${entryPrice}.`,
            metadata: { action: 'open-trade', tradeId },
          },
        ],
  ),
];

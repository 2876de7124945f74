import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import { tradeChanged, tradeClosed, tradeCreated } from './contract.ts';

const trade = { tradeId: ObjectIdShape, userId: ObjectIdShape };

export const tradePublicEvents: PublicEvent[] = [
  publicEvent('trade.created', {
    about: 'A member published a trade idea',
    data: Type.Object({
      ...trade,
      symbol: Type.String({ description: 'What is traded', examples: ['EURUSD'] }),
      direction: Type.String({ description: '`long` or `short`', examples: ['long'] }),
    }),
    from: [
      fromEvent(tradeCreated, ({ tradeId, userId, symbol, direction }) => ({
        tradeId,
        userId,
        symbol,
        direction,
      })),
    ],
  }),
  publicEvent('trade.closed', {
    about: 'A trade idea was closed',
    data: Type.Object({
      ...trade,
      outcome: Type.String({ description: '`won`, `lost` or `even`', examples: ['won'] }),
    }),
    from: [fromEvent(tradeClosed, ({ tradeId, userId, outcome }) => ({ tradeId, userId, outcome }))],
  }),
];

export const tradeInternalEvents: InternalEvent[] = internalEvents(
  'The note of a trade idea is read from it, and who deletes one withdraws it',
  tradeChanged,
);

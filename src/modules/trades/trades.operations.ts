import { Type } from 'typebox';
import { SYMBOL_PATTERN } from '../../external/prices/port.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { notAnnounced } from '../../kernel/fan-out.ts';
import { member } from '../../kernel/operations/access.ts';
import { bodyId, pathId } from '../../kernel/operations/ids.ts';
import { answer, created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DateTime, nullable, ObjectIdShape, oneOf, pageQuery } from '../../kernel/operations/shapes.ts';
import { DIRECTIONS, TRADE_STATUSES } from './trades.store.ts';
import { type TradeRules, tradeClosed, tradeNotFound } from './trades.ts';

const tag = 'Trade ideas';
const SymbolShape = Type.String({ pattern: SYMBOL_PATTERN, examples: ['EURUSD'] });
const Price = Type.Number({ exclusiveMinimum: 0, maximum: 1e12, examples: [1.0842] });
const TradeShape = Type.Object(
  {
    id: ObjectIdShape,
    userId: ObjectIdShape,
    symbol: SymbolShape,
    direction: oneOf(DIRECTIONS),
    entryPrice: Price,
    stopLoss: nullable(Price),
    takeProfit: nullable(Price),
    note: Type.String(),
    status: oneOf(TRADE_STATUSES),
    exitPrice: nullable(Price),
    createdAt: DateTime,
    closedAt: nullable(DateTime),
  },
  { $id: 'Trade' },
);
const params = Type.Object({ tradeId: pathId('trade') });

export const tradeOperations = (trades: TradeRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/trades',
    id: 'listTrades',
    tag,
    summary: 'Trade ideas, newest first',
    access: member,
    query: Type.Object({
      ...pageQuery(),
      symbol: Type.Optional(SymbolShape),
      status: Type.Optional(oneOf(TRADE_STATUSES)),
      userId: Type.Optional(bodyId('user')),
    }),
    success: pageOf(TradeShape),
    handle: ({ query: { page, limit, ...filter } }) => trades.pageOf(filter, { page, limit }),
  }),
  operation({
    method: 'POST',
    path: '/v1/trades',
    id: 'createTrade',
    tag,
    summary: 'Announce a trade',
    description:
      'Everybody who is connected is told (`trade:created`), and those who follow the topic `TRADE_IDEAS` are notified: up to 20 an hour of one author, 60 of an educator. Further ones are created all the same, without news of them.',
    access: member,
    body: Type.Object({
      symbol: SymbolShape,
      direction: oneOf(DIRECTIONS),
      entryPrice: Price,
      stopLoss: Type.Optional(Price),
      takeProfit: Type.Optional(Price),
      note: Type.Optional(Type.String({ maxLength: 2000 })),
    }),
    success: created(TradeShape, { message: 'Trade created' }),
    handle: async ({ body: { stopLoss = null, takeProfit = null, note = '', ...rest }, caller }) => {
      const draft = { ...rest, stopLoss, takeProfit, note };
      const { trade, isAnnounced } = await trades.create(draft, caller);
      return answer(trade, isAnnounced ? {} : { message: notAnnounced('Trade created') });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/trades/:tradeId',
    id: 'getTrade',
    tag,
    summary: 'One trade idea',
    access: member,
    params,
    success: ok(TradeShape),
    failures: [tradeNotFound],
    handle: ({ params }) => trades.find(params.tradeId),
  }),
  operation({
    method: 'POST',
    path: '/v1/trades/:tradeId/close',
    id: 'closeTrade',
    tag,
    summary: 'Close a trade',
    description: 'Whose it is, or an administrator. It is `won`, `lost` or `even` by the price.',
    access: member,
    params,
    body: Type.Object({ exitPrice: Price }),
    success: ok(TradeShape, { message: 'Trade closed' }),
    failures: [tradeNotFound, insufficientPermissions, tradeClosed],
    load: ({ params, caller }) => trades.owned(params.tradeId, caller),
    handle: ({ loaded: trade, body }) => trades.close(trade, body.exitPrice),
  }),
];

import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { notAnnounced } from '../../kernel/fan-out.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { answer, created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { CloseTradeBody, CreateTradeBody, ListTradesQuery, TradeShape } from './trades.schemas.ts';
import { type TradeRules, tradeClosed, tradeNotFound } from './trades.ts';

const tag = 'Trade ideas';
const params = Type.Object({ tradeId: pathId('trade') });

export const tradeOperations = (trades: TradeRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/trades',
    id: 'listTrades',
    tag,
    summary: 'Trade ideas, newest first',
    access: member,
    query: ListTradesQuery,
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
    body: CreateTradeBody,
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
    body: CloseTradeBody,
    success: ok(TradeShape, { message: 'Trade closed' }),
    failures: [tradeNotFound, insufficientPermissions, tradeClosed],
    load: ({ params, caller }) => trades.owned(params.tradeId, caller),
    handle: ({ loaded: trade, body }) => trades.close(trade, body.exitPrice),
  }),
];

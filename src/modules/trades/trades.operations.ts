import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { only } from '../../kernel/only.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../kernel/operations/lost-updates.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../kernel/operations/shapes.ts';
import { type Identity, withMembers } from '../identity/contract.ts';
import { muted } from '../moderation/contract.ts';
import { ANNOUNCED_PER_HOUR, announcedAnswer } from '../notifications/contract.ts';
import type { ChangedTrade } from './changes-live.ts';
import type { Trade } from './trades.model.ts';
import {
  CloseTradeBody,
  CreateTradeBody,
  ListTradesQuery,
  TradeShape,
  UpdateTradeBody,
} from './trades.schemas.ts';
import { type CreatedTrade, type TradeRules, tradeIsClosed, tradeNotFound } from './trades.ts';

const tag = 'Trade ideas';
const OF_AUTHOR = 'Requires its author or a moderator, who tells the author the `reason`.';
const TOLD = `All connected clients receive \`trade:updated\`, for as many changes of a member an hour as new ones are announced.`;
const params = Type.Object({ tradeId: pathId('trade') });

const createdTrade = ({ trade, isAnnounced }: CreatedTrade) =>
  announcedAnswer(trade, 'Trade created', isAnnounced);
const toldOf = ({ trade, isAnnounced }: ChangedTrade, message: string) =>
  announcedAnswer(trade, message, isAnnounced);

export function tradeOperations(trades: TradeRules, identity: Pick<Identity, 'profilesOf'>): Operation[] {
  const withAuthor = async (trade: Trade) => only(await withMembers(identity, [trade]));
  return [
    operation({
      method: 'GET',
      path: '/v1/trades',
      id: 'listTrades',
      tag,
      summary: 'List trade ideas, newest first',
      access: member,
      query: ListTradesQuery,
      success: pageOf(TradeShape),
      handle: async ({ query: { page, limit, before, ...filter } }) => {
        const found = await trades.pageOf(filter, { page, limit, before });
        return { ...found, items: await withMembers(identity, found.items) };
      },
    }),
    operation({
      method: 'POST',
      path: '/v1/trades',
      id: 'createTrade',
      tag,
      summary: 'Create a trade idea',
      description: `All connected clients receive \`trade:created\`, and subscribers of the topic \`TRADE_IDEAS\` are notified, for up to ${ANNOUNCED_PER_HOUR.member} trade ideas an hour from one author (${ANNOUNCED_PER_HOUR.educator} from an educator). Further ones are created without being announced.`,
      access: member,
      idempotent: true,
      body: CreateTradeBody,
      success: created(TradeShape, { message: 'Trade created' }),
      failures: [muted],
      handle: async ({ body, caller, idempotency }) => {
        const { stopLoss = null, takeProfit = null, note = '', ...rest } = body;
        const draft = { ...rest, stopLoss, takeProfit, note };
        return createdTrade(await trades.create(draft, caller, { idempotency, of: createdTrade }));
      },
    }),
    operation({
      method: 'GET',
      path: '/v1/trades/:tradeId',
      id: 'getTrade',
      tag,
      summary: 'Retrieve a trade idea',
      access: member,
      params,
      success: ok(TradeShape),
      failures: [tradeNotFound],
      handle: async ({ params }) => withAuthor(await trades.find(params.tradeId)),
    }),
    operation({
      method: 'PUT',
      path: '/v1/trades/:tradeId',
      id: 'updateTrade',
      tag,
      summary: 'Change a trade idea',
      description: `${OF_AUTHOR} Fields that are left out keep their values. Of a closed one only the note can be changed. ${TOLD}`,
      access: member,
      params,
      isAlsoForStaff: true,
      body: UpdateTradeBody,
      success: ok(TradeShape, { message: 'Trade updated' }),
      failures: [tradeNotFound, insufficientPermissions, muted, tradeIsClosed, changedMeanwhile],
      load: ({ params, caller }) => trades.managed(params.tradeId, caller),
      handle: async ({ loaded: trade, body, caller, facts }) =>
        toldOf(await trades.update(trade, body, caller, facts), 'Trade updated'),
    }),
    operation({
      method: 'DELETE',
      path: '/v1/trades/:tradeId',
      id: 'deleteTrade',
      tag,
      summary: 'Delete a trade idea',
      description: OF_AUTHOR,
      access: member,
      params,
      isAlsoForStaff: true,
      success: ok(DeletedRecord, { message: 'Trade deleted' }),
      failures: [tradeNotFound, insufficientPermissions],
      load: ({ params, caller }) => trades.managed(params.tradeId, caller),
      handle: async ({ loaded: trade, caller, facts }) => {
        await trades.delete(trade, caller, facts);
        return { id: trade.id };
      },
    }),
    operation({
      method: 'POST',
      path: '/v1/trades/:tradeId/close',
      id: 'closeTrade',
      tag,
      summary: 'Close a trade idea',
      description: `Requires its author or an administrator. The exit price decides whether the status becomes \`won\`, \`lost\` or \`even\`. ${TOLD}`,
      access: member,
      params,
      body: CloseTradeBody,
      success: ok(TradeShape, { message: 'Trade closed' }),
      failures: [tradeNotFound, insufficientPermissions, tradeIsClosed],
      load: ({ params, caller }) => trades.owned(params.tradeId, caller),
      handle: async ({ loaded: trade, body, caller }) =>
        toldOf(await trades.close(trade, body.exitPrice, caller), 'Trade closed'),
    }),
  ];
}

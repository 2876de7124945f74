import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { TradeShape } from './trades.schemas.ts';

/** The fields of the specification, and the author; see docs/decisions/realtime.md. */
export const tradeAnnounced = liveMessage(
  'trade:created',
  Type.Object({
    tradeId: ObjectIdShape,
    user: MemberShape,
    symbol: Type.String({ examples: ['EURUSD'] }),
    direction: oneOf(['long', 'short'], { examples: ['long'] }),
    entryPrice: Type.Number({ examples: [1.0842] }),
  }),
  { summary: 'A member has published a trade idea.', audience: 'everyone' },
);

/** The complete trade, so that clients replace the one that they show. */
export const tradeUpdated = liveMessage('trade:updated', TradeShape, {
  summary: 'A trade idea has been changed or closed.',
  audience: 'everyone',
});

export const tradeRemoved = liveMessage('trade:deleted', Type.Object({ tradeId: ObjectIdShape }), {
  summary: 'A trade idea has been deleted.',
  audience: 'everyone',
});

import { Type } from 'typebox';
import { eventKind } from '../../kernel/messaging/events.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** A trade idea was closed, with its outcome: won, lost or even. */
export const tradeClosed = eventKind('trades.closed', {
  version: 1,
  data: Type.Object({ tradeId: ObjectIdShape, userId: ObjectIdShape, outcome: Type.String() }),
});

/** A member published a trade idea. */
export const tradeCreated = eventKind('trades.created', {
  version: 1,
  data: Type.Object({
    tradeId: ObjectIdShape,
    userId: ObjectIdShape,
    symbol: Type.String(),
    direction: Type.String(),
    entryPrice: Type.Number(),
    isQuiet: Type.Optional(
      Type.Boolean({ description: 'The author exceeded the hourly limit, so nobody is notified' }),
    ),
  }),
});

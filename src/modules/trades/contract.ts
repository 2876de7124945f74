import { Type } from 'typebox';
import { eventKind } from '../../kernel/messaging/events.ts';
import { without } from '../../kernel/messaging/versions.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { IsQuiet } from '../notifications/contract.ts';

/** A trade idea was closed, with its outcome: won, lost or even. */
export const tradeClosed = eventKind('trades.closed', {
  version: 1,
  data: Type.Object({ tradeId: ObjectIdShape, userId: ObjectIdShape, outcome: Type.String() }),
});

/** A trade idea was changed or deleted. */
export const tradeChanged = eventKind('trades.changed', {
  version: 1,
  data: Type.Object({ tradeId: ObjectIdShape }),
});

/** A member published a trade idea. */
export const tradeCreated = eventKind('trades.created', {
  version: 2,
  data: Type.Object({
    tradeId: ObjectIdShape,
    userId: ObjectIdShape,
    symbol: Type.String(),
    direction: Type.String(),
    isQuiet: IsQuiet,
  }),
  upgrades: { 1: without('entryPrice') },
});

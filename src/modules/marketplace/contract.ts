import { Type } from 'typebox';
import { notFound } from '../../kernel/failures.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

export const productNotFound = notFound('Product');
export const requestNotFound = notFound('Access request');

/** A member's request was approved or denied. */
export const requestDecided = eventKind('marketplace.request-decided', {
  version: 1,
  data: Type.Object({
    requestId: ObjectIdShape,
    userId: ObjectIdShape,
    productId: ObjectIdShape,
    productName: Type.String(),
    decision: oneOf(['approved', 'denied']),
    reason: Type.String(),
  }),
});

import { Type } from 'typebox';
import { notFound } from '../../kernel/failures.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import { without } from '../../kernel/messaging/versions.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

export const productNotFound = notFound('Product');
export const requestNotFound = notFound('Access request');

/** A member's request was approved or denied. */
export const requestDecided = eventKind('marketplace.request-decided', {
  version: 2,
  data: Type.Object({
    requestId: ObjectIdShape,
    userId: ObjectIdShape,
    productId: ObjectIdShape,
    decision: oneOf(['approved', 'denied']),
  }),
  upgrades: { 1: without('productName', 'reason') },
});

/** A product became available to members. */
export const productOffered = eventKind('marketplace.product-offered', {
  version: 1,
  data: Type.Object({ productId: ObjectIdShape }),
});

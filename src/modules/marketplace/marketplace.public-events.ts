import { Type } from 'typebox';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import { productOffered, requestDecided } from './contract.ts';

export const marketplacePublicEvents: PublicEvent[] = [
  publicEvent('access_request.decided', {
    about: 'A request for access to a product was approved or denied',
    data: Type.Object({
      requestId: ObjectIdShape,
      userId: ObjectIdShape,
      productId: ObjectIdShape,
      decision: oneOf(['approved', 'denied'], { description: 'How it was decided' }),
    }),
    from: [
      fromEvent(requestDecided, ({ requestId, userId, productId, decision }) => ({
        requestId,
        userId,
        productId,
        decision,
      })),
    ],
  }),
];

export const marketplaceInternalEvents: InternalEvent[] = internalEvents(
  'It notifies members who are subscribed to the topic',
  productOffered,
);

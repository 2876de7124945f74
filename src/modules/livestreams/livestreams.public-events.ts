import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import { livestreamEnded, livestreamStarted } from './contract.ts';

export const livestreamPublicEvents: PublicEvent[] = [
  publicEvent('livestream.started', {
    about: 'A livestream went live',
    data: Type.Object({ livestreamId: ObjectIdShape, hostId: ObjectIdShape }),
    from: [fromEvent(livestreamStarted, ({ livestreamId, hostId }) => ({ livestreamId, hostId }))],
  }),
];

export const livestreamInternalEvents: InternalEvent[] = internalEvents(
  'Only of livestreams that nobody ended, for the live channel',
  livestreamEnded,
);

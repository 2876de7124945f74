import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import { accessBegan, accessEnded, graceBegan, indicatorChanged } from './contract.ts';

const data = Type.Object({
  userId: ObjectIdShape,
  scannerIds: Type.Array(ObjectIdShape, { description: 'The indicators' }),
});

export const indicatorPublicEvents: PublicEvent[] = [
  publicEvent('indicator_access.began', {
    about: 'A member can use indicators at the charting platform',
    data,
    from: [fromEvent(accessBegan, ({ userId, scannerIds }) => ({ userId, scannerIds }))],
  }),
  publicEvent('indicator_access.ended', {
    about: 'A member can no longer use indicators at the charting platform',
    data,
    from: [fromEvent(accessEnded, ({ userId, scannerIds }) => ({ userId, scannerIds }))],
  }),
];

export const indicatorInternalEvents: InternalEvent[] = [
  ...internalEvents('It keeps the search up to date', indicatorChanged),
  ...internalEvents('Access goes on meanwhile; `indicator_access.ended` is public', graceBegan),
];

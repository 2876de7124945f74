import { Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { DateTime, nullable, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { PersonShape } from '../administration/contract.ts';
import { MOST_LISTED, SHOWN_ROOMS } from './live-administration.model.ts';

export const LiveNodeShape = Type.Object(
  {
    id: Type.String({ description: 'The process', examples: ['api-1-5f3a9c1e'] }),
    connections: Type.Integer({ examples: [1_250] }),
    rooms: Type.Integer({ description: 'Chatrooms with a subscribed connection', examples: [40] }),
    framesPerSecond: Type.Number({
      description: 'Messages delivered, in the last seconds',
      examples: [310.5],
    }),
    slow: Type.Integer({
      description: 'Connections closed since the start because they read too slowly',
      examples: [2],
    }),
    bus: Type.Boolean({ description: 'Whether its messages reach other processes' }),
  },
  { $id: 'LiveNode' },
);

export const ListLiveConnectionsQuery = Type.Object({ userId: Type.Optional(bodyId('user')) });

const LiveConnectionShape = Type.Object(
  {
    id: ObjectIdShape,
    userId: nullable({ ...ObjectIdShape, description: 'Null before it is authenticated' }),
    user: nullable(PersonShape),
    node: Type.String({ description: 'The process that holds it', examples: ['api-1-5f3a9c1e'] }),
    since: DateTime,
    rooms: Type.Array(ObjectIdShape, {
      description: `The chatrooms that it is subscribed to, at most ${SHOWN_ROOMS}`,
    }),
    device: nullable(
      Type.String({ description: 'Platform and device of its session', examples: ['app, iPhone 17'] }),
    ),
  },
  { $id: 'LiveConnection' },
);

export const LiveConnections = Type.Array(LiveConnectionShape, {
  description: `At most the ${MOST_LISTED} newest`,
});

export const ClosedConnection = Type.Object({ id: ObjectIdShape, userId: nullable(ObjectIdShape) });

export const LiveCount = Type.Integer({ description: 'Connections of all processes', examples: [1_250] });

import { Type } from 'typebox';
import { administrator } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import {
  ClosedConnection,
  ListLiveConnectionsQuery,
  LiveConnections,
  LiveNodeShape,
} from './live-administration.schemas.ts';
import { connectionNotFound, type LiveAdministration } from './live-administration.ts';

const tag = 'Live channel';
const base = '/v1/admin/live';

export const liveOperations = (live: LiveAdministration): Operation[] => [
  operation({
    method: 'GET',
    path: base,
    id: 'listLiveNodes',
    tag,
    summary: 'List the processes that hold live connections',
    access: administrator,
    success: ok(Type.Array(LiveNodeShape)),
    handle: () => live.nodes(),
  }),
  operation({
    method: 'GET',
    path: `${base}/connections`,
    id: 'listLiveConnections',
    tag,
    summary: 'List the live connections of all members or of one, newest first',
    access: administrator,
    query: ListLiveConnectionsQuery,
    success: ok(LiveConnections),
    handle: ({ query }) => live.list(query.userId),
  }),
  operation({
    method: 'DELETE',
    path: `${base}/connections/:id`,
    id: 'closeLiveConnection',
    tag,
    summary: 'Close a live connection',
    description: 'The client may connect again as long as its session lasts; end the session to prevent it.',
    access: administrator,
    params: Type.Object({ id: pathId('connection') }),
    success: ok(ClosedConnection, { message: 'Connection closed' }),
    failures: [connectionNotFound],
    handle: ({ params, caller, facts }) => live.close(params.id, actorOf(caller, facts)),
  }),
];

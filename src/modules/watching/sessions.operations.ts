import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { SECOND_MS } from '../../kernel/time.ts';
import { HeartbeatInBody, SessionInBody, SessionShape, StartedSession } from './sessions.schemas.ts';
import type { WatchSession } from './sessions.store.ts';
import { type SessionRules, sessionEnded, sessionNotFound } from './sessions.ts';

const tag = 'Watch sessions';
const params = Type.Object({ id: pathId('watch session') });

const viewOf = ({ id, startedAt, seenAt, endedAt }: WatchSession) => ({
  id,
  startedAt,
  lastHeartbeatAt: seenAt > startedAt ? seenAt : null,
  endedAt,
  watchSecs: Math.floor(((endedAt ?? seenAt).getTime() - startedAt.getTime()) / SECOND_MS),
});

export const sessionOperations = (sessions: SessionRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/watch-sessions',
    id: 'startWatchSession',
    tag,
    summary: 'Begin to watch something',
    description:
      'Send a heartbeat every 30 seconds, and one before the end: without a heartbeat a session has no length. After 60 seconds of silence it has ended at its last heartbeat, and after a day in any case. A member has at most five open sessions; another one ends the oldest.',
    access: member,
    body: SessionInBody,
    success: created(StartedSession, { message: 'Watch session started' }),
    handle: ({ body, caller }) => sessions.start(body, caller),
  }),
  operation({
    method: 'PUT',
    path: '/v1/watch-sessions/:id/heartbeat',
    id: 'beatWatchSession',
    tag,
    summary: 'Say that you are still watching',
    access: member,
    params,
    body: HeartbeatInBody,
    success: ok(SessionShape),
    failures: [sessionNotFound, sessionEnded],
    load: ({ params, caller }) => sessions.owned(params.id, caller),
    handle: async ({ loaded, body }) => viewOf(await sessions.heartbeat(loaded, body.positionSeconds)),
  }),
  operation({
    method: 'POST',
    path: '/v1/watch-sessions/:id/end',
    id: 'endWatchSession',
    tag,
    summary: 'Stop watching',
    description: 'Ending a session again changes nothing.',
    access: member,
    params,
    success: ok(SessionShape, { message: 'Watch session ended' }),
    failures: [sessionNotFound],
    load: ({ params, caller }) => sessions.owned(params.id, caller),
    handle: async ({ loaded }) => viewOf(await sessions.end(loaded)),
  }),
];

import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { spelled } from '../../kernel/text/numbers.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import type { WatchSession } from './sessions.model.ts';
import { HeartbeatInBody, SessionInBody, SessionShape, StartedSession } from './sessions.schemas.ts';
import {
  MAX_OPEN_SESSIONS,
  type SessionRules,
  SILENCE_MS,
  sessionEnded,
  sessionNotFound,
} from './sessions.ts';

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
    summary: 'Start a watch session',
    description: `Send a heartbeat every ${SILENCE_MS / 2 / SECOND_MS} seconds and one before ending the session; a session without heartbeats has no length. A session without a heartbeat for ${SILENCE_MS / SECOND_MS} seconds ends at its last heartbeat, and every session ends after a day. A member can have at most ${spelled(MAX_OPEN_SESSIONS)} open sessions; starting another one ends the oldest. A session of a lesson counts for the educator of its course; otherwise an \`educatorId\` of somebody who is no educator is ignored.`,
    access: member,
    idempotent: true,
    body: SessionInBody,
    success: created(StartedSession, { message: 'Watch session started' }),
    handle: ({ body, caller, idempotency }) => sessions.start(body, caller, idempotency),
  }),
  operation({
    method: 'PUT',
    path: '/v1/watch-sessions/:id/heartbeat',
    id: 'beatWatchSession',
    tag,
    summary: 'Send a heartbeat for a watch session',
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
    summary: 'End a watch session',
    description: 'Repeating the request has no further effect.',
    access: member,
    params,
    isRepeatable: true,
    success: ok(SessionShape, { message: 'Watch session ended' }),
    failures: [sessionNotFound],
    load: ({ params, caller }) => sessions.owned(params.id, caller),
    handle: async ({ loaded }) => viewOf(await sessions.end(loaded)),
  }),
];

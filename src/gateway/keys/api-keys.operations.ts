import { Type } from 'typebox';
import { administrator } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DateTime, nullable, ObjectIdShape, oneOf, pageQuery } from '../../kernel/operations/shapes.ts';
import { TIERS } from '../limits/tiers.model.ts';
import { KEY_NAME, MAX_KEY_NAME } from './api-keys.model.ts';
import { type ApiKeys, apiKeyNotActive, apiKeyNotFound } from './api-keys.ts';

const tag = 'API keys';
/** A name of today; older ones may be on several lines. */
const NewName = Type.String({
  minLength: 1,
  maxLength: MAX_KEY_NAME,
  pattern: KEY_NAME,
  format: 'visible',
  description: 'On one line, without control characters; blanks at its ends are left out',
  examples: ['Mobile app 3.2'],
});
const Name = Type.String({ examples: ['Mobile app 3.2'] });
const TierShape = oneOf(TIERS, { description: 'Rate-limit tier', examples: ['mobile'] });

const ApiKey = Type.Object(
  {
    id: ObjectIdShape,
    name: Name,
    tier: TierShape,
    environment: oneOf(['development', 'production']),
    createdAt: DateTime,
    revokedAt: nullable(DateTime),
    expiresAt: nullable({ ...DateTime, description: 'When a key that was rolled stops being valid' }),
    replacedBy: nullable({ ...ObjectIdShape, description: 'The key that it was rolled to' }),
  },
  { $id: 'ApiKey' },
);

const UsedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    lastUsedAt: nullable({ ...DateTime, description: 'Up to five seconds late' }),
    requestsToday: Type.Integer({ description: 'Requests of this day (UTC)', examples: [1200] }),
    rejectedToday: Type.Integer({
      description: 'Of these, how many were refused because a limit was exceeded',
      examples: [3],
    }),
  },
  { $id: 'UsedApiKey' },
);

const NewApiKey = Type.Object(
  {
    id: ObjectIdShape,
    name: Name,
    tier: TierShape,
    environment: oneOf(['development', 'production']),
    key: Type.String({
      description: 'The key. It is shown only in this response',
      examples: ['pk_development_6740f1c2a9b3e4d5f6a7b8c9_Zk3v...'],
    }),
    createdAt: DateTime,
  },
  { $id: 'NewApiKey' },
);

const RolledApiKey = Type.Object(
  {
    ...NewApiKey.properties,
    replaces: { ...ObjectIdShape, description: 'The key that was rolled' },
    previousExpiresAt: { ...DateTime, description: 'When that key stops being valid' },
  },
  { $id: 'RolledApiKey' },
);

const MAX_OVERLAP_HOURS = 72;
const DEFAULT_OVERLAP_HOURS = 24;

const params = Type.Object({ id: pathId('API key') });

export const apiKeyOperations = (keys: ApiKeys): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/admin/api-keys',
    id: 'createApiKey',
    tag,
    summary: 'Issue an API key for this environment',
    access: administrator,
    isSensitive: true,
    idempotent: true,
    answersSecret: true,
    body: Type.Object({ name: NewName, tier: TierShape }),
    success: created(NewApiKey, { message: 'API key created' }),
    handle: ({ body: { name, tier }, caller, facts, idempotency }) =>
      keys.create({ name: name.trim(), tier }, actorOf(caller, facts), idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/api-keys',
    id: 'listApiKeys',
    tag,
    summary: 'List API keys, newest first',
    access: administrator,
    query: Type.Object(pageQuery()),
    success: pageOf(UsedApiKey),
    handle: ({ query }) => keys.list(query),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/admin/api-keys/:id',
    id: 'revokeApiKey',
    tag,
    summary: 'Revoke an API key, effective from the next request',
    access: administrator,
    needsStepUp: true,
    params,
    success: ok(ApiKey, { message: 'API key revoked' }),
    failures: [apiKeyNotFound],
    handle: ({ params, caller, facts }) => keys.revoke(params.id, actorOf(caller, facts)),
  }),
  operation({
    method: 'PATCH',
    path: '/v1/admin/api-keys/:id',
    id: 'updateApiKey',
    tag,
    summary: 'Rename an API key',
    access: administrator,
    params,
    body: Type.Object({ name: NewName }),
    success: ok(ApiKey, { message: 'API key renamed' }),
    failures: [apiKeyNotFound],
    handle: ({ params, body, caller, facts }) =>
      keys.rename(params.id, body.name.trim(), actorOf(caller, facts)),
  }),
  operation({
    method: 'POST',
    path: '/v1/admin/api-keys/:id/roll',
    id: 'rollApiKey',
    tag,
    summary: 'Replace an API key by a new one of the same name and tier',
    description:
      'The old key stays valid for `overlapHours`, in which `lastUsedAt` and `requestsToday` of the list show who still uses it.',
    access: administrator,
    isSensitive: true,
    idempotent: true,
    answersSecret: true,
    params,
    body: Type.Object({
      overlapHours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_OVERLAP_HOURS,
          description: `How long the old key stays valid; ${DEFAULT_OVERLAP_HOURS} by default, 0 ends it at once`,
          examples: [DEFAULT_OVERLAP_HOURS],
        }),
      ),
    }),
    success: created(RolledApiKey, { message: 'API key rolled' }),
    failures: [apiKeyNotFound, apiKeyNotActive],
    handle: ({ params, body: { overlapHours = DEFAULT_OVERLAP_HOURS }, caller, facts, idempotency }) =>
      keys.roll(params.id, overlapHours, actorOf(caller, facts), idempotency),
  }),
];

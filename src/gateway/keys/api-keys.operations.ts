import { Type } from 'typebox';
import { notFound } from '../../kernel/failures.ts';
import { administrator } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DateTime, nullable, ObjectIdShape, oneOf, pageQuery } from '../../kernel/operations/shapes.ts';
import { TIERS } from '../limits/tiers.model.ts';
import type { ApiKeys } from './api-keys.ts';

const tag = 'API keys';
const Name = Type.String({ minLength: 1, maxLength: 100, examples: ['Mobile app 3.2'] });
const TierShape = oneOf(TIERS, { description: 'Rate-limit tier', examples: ['mobile'] });

const ApiKey = Type.Object(
  {
    id: ObjectIdShape,
    name: Name,
    tier: TierShape,
    environment: oneOf(['development', 'production']),
    createdAt: DateTime,
    revokedAt: nullable(DateTime),
  },
  { $id: 'ApiKey' },
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

export const apiKeyOperations = (keys: ApiKeys): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/admin/api-keys',
    id: 'createApiKey',
    tag,
    summary: 'Issue an API key for this environment',
    access: administrator,
    isSensitive: true,
    body: Type.Object({ name: Name, tier: TierShape }),
    success: created(NewApiKey, { message: 'API key created' }),
    handle: ({ body, caller, facts }) => keys.create(body, actorOf(caller, facts)),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/api-keys',
    id: 'listApiKeys',
    tag,
    summary: 'List API keys, newest first',
    access: administrator,
    query: Type.Object(pageQuery()),
    success: pageOf(ApiKey),
    handle: ({ query }) => keys.list(query),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/admin/api-keys/:id',
    id: 'revokeApiKey',
    tag,
    summary: 'Revoke an API key, effective from the next request',
    access: administrator,
    params: Type.Object({ id: pathId('API key') }),
    success: ok(ApiKey, { message: 'API key revoked' }),
    failures: [notFound('API key')],
    handle: ({ params, caller, facts }) => keys.revoke(params.id, actorOf(caller, facts)),
  }),
];

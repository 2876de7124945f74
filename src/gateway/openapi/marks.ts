import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_MAX_BODY_BYTES, type Operation } from '../../kernel/operations/operation.ts';
import { USUAL_AUDIENCE } from './audiences.ts';
import type { Json } from './schemas.ts';

/** Returns the extension fields of an operation; docs/api.md explains them. */
export function marksOf(operation: Operation): Json {
  const { access, query, body, success, idempotent, isRepeatable, maxBodyBytes } = operation;
  const { properties = {} } = (query ?? {}) as {
    properties?: Record<string, { clampTo?: number; cursorOf?: string[] }>;
  };
  const cursors = ['before', 'after'].filter((name) => name in properties);
  const maxLimit = properties.limit?.clampTo;
  return {
    ...(isDeepStrictEqual(access.audience, USUAL_AUDIENCE) ? {} : { 'x-audience': access.audience }),
    ...(success.isFeed
      ? { 'x-pagination': { style: 'cursor', ...(maxLimit !== undefined && { maxLimit }), cursors } }
      : {}),
    ...(success.paged || success.hasPagination
      ? {
          'x-pagination': {
            style: cursors.length > 0 ? 'page-or-cursor' : 'page',
            ...(maxLimit === undefined ? {} : { maxLimit }),
            ...(cursors.length > 0 ? { cursors, cursorOf: properties[cursors[0] as string]?.cursorOf } : {}),
          },
        }
      : {}),
    ...(idempotent ? { 'x-idempotent': true } : {}),
    ...(isRepeatable ? { 'x-repeatable': true } : {}),
    ...(body && maxBodyBytes && maxBodyBytes !== DEFAULT_MAX_BODY_BYTES
      ? { 'x-max-body-bytes': maxBodyBytes }
      : {}),
  };
}

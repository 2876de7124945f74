import { DEFAULT_MAX_BODY_BYTES, type Operation } from '../../kernel/operations/operation.ts';
import type { Json } from './schemas.ts';

/** Who calls an operation, by the name of its access. */
const AUDIENCES: Record<string, string[]> = {
  'api-key': ['client'],
  'admin-key': ['operator'],
  user: ['member'],
  moderator: ['moderator', 'administrator'],
  'educator-or-admin': ['educator', 'administrator'],
  admin: ['administrator'],
  'user-or-internal': ['member', 'service'],
  'admin-or-internal': ['administrator', 'service'],
  'signed-webhook': ['provider'],
  'webhook-secret': ['backoffice'],
  'signed-link': ['anybody'],
};

/** What the description says of an operation beyond OpenAPI's own words; docs/api.md tells what the marks mean. */
export function marksOf({ access, query, body, success, idempotent, maxBodyBytes }: Operation): Json {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, { clampTo?: number }> };
  const cursors = ['before', 'after'].filter((name) => name in properties);
  const maxLimit = properties.limit?.clampTo;
  return {
    'x-audience': AUDIENCES[access.name] ?? ['administrator', 'service'],
    ...(success.paged
      ? {
          'x-pagination': {
            style: cursors.length > 0 ? 'page-or-cursor' : 'page',
            ...(maxLimit === undefined ? {} : { maxLimit }),
            ...(cursors.length > 0 ? { cursors } : {}),
          },
        }
      : {}),
    ...(idempotent ? { 'x-idempotent': true } : {}),
    ...(body ? { 'x-max-body-bytes': maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES } : {}),
  };
}

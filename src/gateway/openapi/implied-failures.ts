import { type FailureMaker, serviceUnavailable, validationFailed } from '../../kernel/failures.ts';
import { keyReused, requestInProgress } from '../../kernel/idempotency.ts';
import type { Credential } from '../../kernel/operations/access.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import { adminKeyRequired } from '../authentication.ts';
import { payloadTooLarge } from '../http/failures.ts';
import { malformedForm } from '../http/form-body.ts';
import { invalidIdempotencyKey } from '../http/idempotent.ts';
import { malformedJson, unsupportedMediaType } from '../http/json-body.ts';
import { apiKeyRequired, invalidApiKey } from '../keys/api-keys.ts';
import { rateLimitExceeded } from '../limits/rate-limits.ts';

/** What an operation may answer because of its access and its shapes. */
export function impliedFailures({
  access,
  params,
  query,
  body,
  form,
  idempotent,
}: Operation): FailureMaker[] {
  const asks = (credential: Credential) => access.credentials.some((set) => set.includes(credential));
  return [
    ...(body ? [malformedJson, payloadTooLarge, unsupportedMediaType] : []),
    ...(form ? [malformedForm] : []),
    ...[params, query, body].flatMap(refusalsOf),
    ...(asks('apiKey') ? [apiKeyRequired, invalidApiKey] : []),
    ...(asks('bearer') ? [access.unauthenticated] : []),
    ...(access.adminKey ? [adminKeyRequired] : []),
    ...(asks('bearer') && access.name !== 'user' ? [access.refused] : []),
    ...(query || body ? [() => validationFailed([{ field: 'field', message: 'is required' }])] : []),
    ...(idempotent ? [invalidIdempotencyKey, keyReused, requestInProgress] : []),
    () => rateLimitExceeded(30),
    () => serviceUnavailable(),
  ];
}

/** The failures that shapes name for their own violation. */
function refusalsOf(shape: unknown): FailureMaker[] {
  const { properties = {} } = (shape ?? {}) as {
    properties?: Record<string, { refusal?: { refusal: FailureMaker; whenMissing: FailureMaker | null } }>;
  };
  return Object.values(properties).flatMap(({ refusal }) =>
    refusal ? [...new Set([refusal.refusal, refusal.whenMissing ?? refusal.refusal])] : [],
  );
}

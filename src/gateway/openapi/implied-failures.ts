import { type FailureMaker, serviceUnavailable, validationFailed } from '../../kernel/failures.ts';
import {
  accountInactive,
  type Credential,
  expiredToken,
  invalidToken,
  webhookNotConfigured,
  wrongWebhookSecret,
} from '../../kernel/operations/access.ts';
import { DEFAULT_MAX_BODY_BYTES, type Operation } from '../../kernel/operations/operation.ts';
import { stepUpRequired, stepUpRuleOf } from '../../kernel/operations/step-up.ts';
import { emailNotVerified } from '../../kernel/operations/verified-email.ts';
import { keyReused, requestInProgress } from '../../kernel/records/idempotency.ts';
import { unsafeText } from '../../kernel/text/safe-text.ts';
import { adminKeyRequired } from '../authentication.ts';
import { expectationFailed, headersTooLarge, requestTimeout } from '../http/broken-requests.ts';
import {
  internalError,
  malformedRequest,
  malformedUrl,
  methodNotAllowed,
  payloadTooLarge,
  routeNotFound,
} from '../http/failures.ts';
import { malformedForm } from '../http/form-body.ts';
import { invalidIdempotencyKey } from '../http/idempotent.ts';
import {
  invalidUtf8,
  jsonTooDeep,
  jsonTooDense,
  malformedJson,
  unsupportedMediaType,
} from '../http/json-body.ts';
import { apiKeyRequired, invalidApiKey } from '../keys/api-keys.ts';
import { rateLimitExceeded } from '../limits/rate-limits.ts';
import { upgradeRequired } from '../pages/live.ts';

/** Failures of requests that reach no operation. */
export const SERVER_FAILURES: FailureMaker[] = [
  routeNotFound,
  () => methodNotAllowed([]),
  upgradeRequired,
  headersTooLarge,
  requestTimeout,
  expectationFailed,
  () => internalError(undefined),
];

/** Returns the failures implied by an operation's access and shapes. */
export function impliedFailures(operation: Operation): FailureMaker[] {
  const {
    access,
    method,
    params,
    query,
    body,
    form,
    idempotent,
    maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  } = operation;
  const requires = (credential: Credential) => access.credentials.some((set) => set.includes(credential));
  return [
    malformedRequest,
    malformedUrl,
    unsafeText,
    // Bodies are parsed, and may be rejected, even where the operation does not use them.
    ...(method === 'GET'
      ? []
      : [malformedJson, invalidUtf8, jsonTooDeep, () => payloadTooLarge(maxBodyBytes), unsupportedMediaType]),
    ...(method !== 'GET' && maxBodyBytes > DEFAULT_MAX_BODY_BYTES ? [jsonTooDense] : []),
    ...(form ? [malformedForm] : []),
    ...[params, query, body].flatMap(refusalsOf),
    ...(requires('webhookSecret') ? [wrongWebhookSecret, webhookNotConfigured] : []),
    ...(requires('apiKey') ? [apiKeyRequired, invalidApiKey] : []),
    ...(requires('bearer') ? [access.unauthenticated, invalidToken, expiredToken, accountInactive] : []),
    ...(access.adminKey && !requires('bearer') ? [adminKeyRequired] : []),
    ...(requires('bearer') && access.isSelective ? [access.refused] : []),
    ...(stepUpRuleOf(operation) === false ? [] : [stepUpRequired]),
    ...(operation.needsVerifiedEmail ? [emailNotVerified] : []),
    () => validationFailed([{ field: 'field', message: 'is required' }]),
    ...(idempotent ? [invalidIdempotencyKey, keyReused, requestInProgress] : []),
    () => rateLimitExceeded(30),
    () => serviceUnavailable(),
  ];
}

/** Returns the failures that shapes name for their own violation. */
function refusalsOf(shape: unknown): FailureMaker[] {
  const { refusal: named, properties = {}, items } = (shape ?? {}) as Refusing;
  const own = named ? [...new Set([named.refusal, named.whenMissing ?? named.refusal])] : [];
  const inner = [...Object.values(properties), ...(items ? [items] : [])];
  return [...own, ...inner.flatMap(refusalsOf)];
}

interface Refusing {
  refusal?: { refusal: FailureMaker; whenMissing: FailureMaker | null };
  properties?: Record<string, unknown>;
  items?: unknown;
}

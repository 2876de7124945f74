import type { FastifyRequest } from 'fastify';
import { Failure, failure } from '../kernel/failures.ts';
import {
  type Access,
  type Credential,
  webhookNotConfigured,
  wrongWebhookSecret,
} from '../kernel/operations/access.ts';
import type { Caller, UserCaller } from '../kernel/operations/callers.ts';
import { sameSecret } from '../kernel/secrets.ts';
import type { StoredKey } from './keys/api-keys.model.ts';
import { type ApiKeys, apiKeyRequired } from './keys/api-keys.ts';

/**
 * Returns the current user of a bearer token. Provided by the module that owns the sessions. Throws a 401 failure when
 * the token is invalid.
 */
export type Authenticate = (token: string) => Promise<UserCaller>;

export const adminKeyRequired = failure(403, 'FORBIDDEN', 'An API key of the Admin tier is required');

/** The credentials of a request, read before access is decided. */
export interface Credentials {
  key?: StoredKey;
  keyFailure?: Failure;
  user?: UserCaller;
  /** The failure of an invalid token. */
  tokenFailure?: Failure;
  /** Whether there is an `Authorization` that holds no bearer token. */
  hasOtherAuthorization?: boolean;
  isService: boolean;
  /** Whether the request has the webhook secret; undefined when none is configured. */
  hasWebhookSecret: boolean | undefined;
  /** The same for the secret of the mail service. */
  hasMailSecret: boolean | undefined;
}

interface AuthenticationDeps {
  keys: ApiKeys;
  authenticate: Authenticate;
  /** Accepted keys of internal services; several during rotation. */
  internalKeys: readonly string[];
  /** The same of the backoffice. */
  webhookSecrets: readonly string[];
  /** The same of the mail service. */
  mailSecrets: readonly string[];
}

const BEARER = /^Bearer +([\w\-.~+/]+=*)$/i;

/** Reads and checks the credentials of a request (API key, bearer token, internal key) in parallel. */
export function authentication({
  keys,
  authenticate,
  internalKeys,
  webhookSecrets,
  mailSecrets,
}: AuthenticationDeps) {
  return async function readCredentials(request: FastifyRequest): Promise<Credentials> {
    const { headers } = request;
    const key = headers['x-api-key'];
    const authorization = headers.authorization;
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    const secret = headers['x-webhook-secret'];
    const internal = headers['x-internal-api-key'];
    const credentials: Credentials = {
      isService: isOneOf(internalKeys, internal) === true,
      hasWebhookSecret: isOneOf(webhookSecrets, secret),
      hasMailSecret: isOneOf(mailSecrets, secret ?? secretElsewhere(request)),
    };
    await Promise.all([
      settle(
        key === undefined ? undefined : keys.identify(String(key)),
        (found) => {
          credentials.key = found;
        },
        (fault) => {
          credentials.keyFailure = fault;
        },
      ),
      settle(
        token === undefined ? undefined : authenticate(token),
        (user) => {
          credentials.user = user;
        },
        (fault) => {
          credentials.tokenFailure = fault;
        },
      ),
    ]);
    if (key === undefined) credentials.keyFailure = apiKeyRequired();
    if (authorization !== undefined && token === undefined) credentials.hasOtherAuthorization = true;
    return credentials;
  };
}

const BASIC = /^Basic +([\w+/]+=*)$/i;

/** Returns the webhook secret of mail services that cannot send a header: in the query, or as a password. */
function secretElsewhere({ headers, query }: FastifyRequest): string | undefined {
  const { secret } = (query ?? {}) as { secret?: unknown };
  if (typeof secret === 'string') return secret;
  const given = BASIC.exec(headers.authorization ?? '')?.[1];
  if (given === undefined) return undefined;
  const text = Buffer.from(given, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

/** Compares with every secret in constant time; returns undefined when there are none. */
function isOneOf(secrets: readonly string[], given: string | string[] | undefined): boolean | undefined {
  if (secrets.length === 0) return undefined;
  if (given === undefined) return false;
  let isOne = false;
  for (const secret of secrets) if (sameSecret(String(given), secret)) isOne = true;
  return isOne;
}

async function settle<T>(
  promise: Promise<T> | undefined,
  keep: (value: T) => void,
  refuse: (failure: Failure) => void,
): Promise<void> {
  try {
    if (promise) keep(await promise);
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    refuse(error);
  }
}

/** Whether a request has the webhook secret of such operations; undefined when none is configured. */
export const hasSecretFor = (
  { isOfMailService }: Access,
  { hasWebhookSecret, hasMailSecret }: Credentials,
): boolean | undefined => (isOfMailService ? hasMailSecret : hasWebhookSecret);

/** Credentials that the operation itself checks. */
const SIGNATURES: Credential[] = ['webhookSignature', 'signedLink'];

/**
 * Returns the caller that the operation receives.
 * @param checkPath throws 400 for a malformed path; called before a signed-in caller is refused, where the access
 *   says so
 * @throws 401 when credentials are missing or invalid, 403 when the caller lacks access, 503 when no webhook secret is
 * configured
 */
export function admitCaller(access: Access, credentials: Credentials, checkPath?: () => void): Caller {
  if (credentials.isService && access.credentials.some((set) => set.includes('internalKey')))
    return { kind: 'service' };
  if (access.credentials.some((set) => set.some((one) => SIGNATURES.includes(one))))
    return { kind: 'client' };
  if (access.credentials.some((set) => set.includes('webhookSecret'))) {
    const hasSecret = hasSecretFor(access, credentials);
    if (hasSecret === undefined) throw webhookNotConfigured();
    if (!hasSecret) throw wrongWebhookSecret();
    return { kind: 'client' };
  }
  if (!credentials.key) throw credentials.keyFailure ?? apiKeyRequired();
  const takesToken = access.credentials.some((set) => set.includes('bearer'));
  const { user, tokenFailure, hasOtherAuthorization } = credentials;
  const meansToken = user !== undefined || tokenFailure !== undefined || hasOtherAuthorization === true;
  const isKeyFine = !access.adminKey || credentials.key.tier === 'admin';
  const sufficesAlone = access.credentials.some((set) => set.length === 1 && set[0] === 'apiKey');
  if (!takesToken && !isKeyFine) throw adminKeyRequired();
  if (!takesToken || (sufficesAlone && isKeyFine && !meansToken)) return { kind: 'client' };
  if (!user) throw tokenFailure ?? access.unauthenticated();
  if (!access.allows(user)) throw refusalOf(access, checkPath);
  return user;
}

/** Returns the failure of a signed-in caller who is not admitted. @throws as `checkPath` does, where the access says so */
function refusalOf({ checksPathFirst, refused }: Access, checkPath?: () => void): Failure {
  if (checksPathFirst) checkPath?.();
  return refused();
}

import type { FastifyRequest } from 'fastify';
import { Failure, failure } from '../kernel/failures.ts';
import {
  type Access,
  authenticationRequired,
  type Credential,
  webhookNotConfigured,
  wrongWebhookSecret,
} from '../kernel/operations/access.ts';
import type { Caller, UserCaller } from '../kernel/operations/callers.ts';
import { sameSecret } from '../kernel/secrets.ts';
import type { StoredKey } from './keys/api-keys.store.ts';
import { type ApiKeys, apiKeyRequired } from './keys/api-keys.ts';

/**
 * Knows whom a bearer token stands for, as of now: handed in by whoever owns the sessions.
 * Throws a 401 failure when the token is no good.
 */
export type Authenticate = (token: string) => Promise<UserCaller>;

export const adminKeyRequired = failure(403, 'FORBIDDEN', 'An API key of the Admin tier is required');

/** The credentials that a request carries, before access is decided. */
export interface Credentials {
  key?: StoredKey;
  keyFailure?: Failure;
  user?: UserCaller;
  /** Of a token that was sent and is no good. */
  tokenFailure?: Failure;
  isService: boolean;
  /** Whether the webhook secret was shown; undefined where none is configured. */
  hasWebhookSecret: boolean | undefined;
}

interface AuthenticationDeps {
  keys: ApiKeys;
  authenticate: Authenticate;
  internalKey: string | undefined;
  /** Any of them is accepted, so that a secret can be rotated. */
  webhookSecrets: readonly string[];
}

const BEARER = /^Bearer +([\w\-.~+/]+=*)$/i;

/** Reads and checks the credentials of a request: API key, bearer token and internal key, side by side. */
export function authentication({ keys, authenticate, internalKey, webhookSecrets }: AuthenticationDeps) {
  return async function readCredentials({ headers }: FastifyRequest): Promise<Credentials> {
    const key = headers['x-api-key'];
    const authorization = headers.authorization;
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    const secret = String(headers['x-webhook-secret'] ?? '');
    const credentials: Credentials = {
      isService: false,
      hasWebhookSecret: webhookSecrets.length > 0 ? isOneOf(webhookSecrets, secret) : undefined,
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
    if (authorization !== undefined && token === undefined)
      credentials.tokenFailure = authenticationRequired();
    const internal = headers['x-internal-api-key'];
    credentials.isService =
      internalKey !== undefined && internal !== undefined && sameSecret(String(internal), internalKey);
    return credentials;
  };
}

/** Compares with each of them in constant time. */
function isOneOf(secrets: readonly string[], given: string): boolean {
  let isOne = false;
  for (const secret of secrets) if (sameSecret(given, secret)) isOne = true;
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

/** What the operation itself checks. */
const SIGNATURES: Credential[] = ['webhookSignature', 'signedLink'];

/**
 * The caller that an operation will see.
 * @throws 401 when credentials are missing or no good, 403 when this caller may not, 503 when a webhook has no secret
 */
export function admitCaller(access: Access, credentials: Credentials): Caller {
  if (credentials.isService && access.credentials.some((set) => set.includes('internalKey')))
    return { kind: 'service' };
  if (access.credentials.some((set) => set.some((one) => SIGNATURES.includes(one))))
    return { kind: 'client' };
  if (access.credentials.some((set) => set.includes('webhookSecret'))) {
    if (credentials.hasWebhookSecret === undefined) throw webhookNotConfigured();
    if (!credentials.hasWebhookSecret) throw wrongWebhookSecret();
    return { kind: 'client' };
  }
  if (!credentials.key) throw credentials.keyFailure ?? apiKeyRequired();
  if (!access.credentials.some((set) => set.includes('bearer'))) {
    if (access.adminKey && credentials.key.tier !== 'admin') throw adminKeyRequired();
    return { kind: 'client' };
  }
  if (!credentials.user) throw credentials.tokenFailure ?? access.unauthenticated();
  if (!access.allows(credentials.user)) throw access.refused();
  return credentials.user;
}

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { failure } from '../../kernel/failures.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import type { Credentials } from '../authentication.ts';
import { operationOf } from '../http/requests.ts';
import type { StoredKey } from '../keys/api-keys.model.ts';
import type { ConsoleCookies, ConsoleSession } from './cookies.ts';

export const consoleSessionEnded = failure(401, 'CONSOLE_SESSION_ENDED', 'Sign in to the console again');
const notOfConsole = failure(403, 'NOT_FROM_CONSOLE', 'Only pages of the console may make this request');
const passwordRequired = failure(403, 'PASSWORD_REQUIRED', 'Enter your password again for this');

/** For how long an entered password vouches for acts that move money or rights. */
export const PROOF_MS = 5 * MINUTE_MS;

/** What the console counts against: its requests carry a cookie in place of a key. */
const CONSOLE_KEY: StoredKey = {
  id: '000000000000000000000000',
  name: 'Console',
  tier: 'crm',
  environment: 'production',
  createdAt: new Date(0),
  revokedAt: null,
  expiresAt: null,
  replacedBy: null,
};

const PREFIX = '/console/api';

/** The header by which the console's own requests for a browser are known, and the operations that these may sign in by. */
export const INSIDE_HEADER = 'x-console-inside';
const SIGN_INS = ['signIn', 'signInByPasskey'];
/** The only operation that a page calls before anybody is signed in. */
const BEFORE_SIGN_IN = 'getPasskeySignInOptions';

/** Returns the URL of the operation that a request of the console names, and every other URL as it is. */
export const withoutConsolePrefix = ({ url = '' }: Pick<IncomingMessage, 'url'>): string =>
  url.startsWith(`${PREFIX}/v1/`) ? url.slice(PREFIX.length) : url;

/** Whether a request came to the API under the path of the console. */
export const isOfConsole = ({ originalUrl }: FastifyRequest): boolean => originalUrl.startsWith(`${PREFIX}/`);

/**
 * Refuses requests that other sites made the browser send: they cannot set this header, and a browser names their
 * origin. `SameSite=Strict` keeps the cookie from them, too.
 * @throws notOfConsole
 */
export function mustBeOfConsole({ headers, method }: FastifyRequest, publicOrigin: string | undefined): void {
  if (headers['x-console'] === undefined) throw notOfConsole();
  if (method === 'GET' || method === 'HEAD') return;
  const { origin } = headers;
  const isOwn =
    origin !== undefined && (origin === publicOrigin || hostOf(origin) === headers.host?.toLowerCase());
  if (!isOwn) throw notOfConsole();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

interface CredentialDeps {
  cookies: ConsoleCookies;
  clock: Clock;
  /** The origin of `PUBLIC_URL`, where a proxy changes the host. */
  publicOrigin: string | undefined;
  /** The value of {@link INSIDE_HEADER}, which nobody outside of this process knows. */
  inside: string;
  /** Returns the current data of the members whose sessions are active. */
  callersOf: (sessionIds: string[]) => Promise<UserCaller[]>;
}

/** Returns the credentials of requests of the console: the member whose sign-in the cookie holds. */
export function consoleCredentials({ cookies, clock, publicOrigin, inside, callersOf }: CredentialDeps) {
  return async (request: FastifyRequest): Promise<Credentials> => {
    mustBeOfConsole(request, publicOrigin);
    const credentials: Credentials = {
      key: CONSOLE_KEY,
      isService: false,
      hasWebhookSecret: false,
      hasMailSecret: false,
    };
    const session = cookies.read(request.headers.cookie);
    const [user] = session ? await callersOf([session.sessionId]) : [];
    if (!session || !user) {
      credentials.tokenFailure = consoleSessionEnded();
      if (!mayComeBeforeSignIn(request)) {
        // Otherwise everybody could call the API without an API key.
        delete credentials.key;
        credentials.keyFailure = consoleSessionEnded();
      }
    }
    // A second factor takes the place of the password: the operation asks for a step-up.
    else if (!user.hasFactor && needsPassword(request, session))
      credentials.tokenFailure = passwordRequired();
    else credentials.user = user;
    return credentials;
  };

  function mayComeBeforeSignIn(request: FastifyRequest): boolean {
    const id = operationOf(request)?.id ?? '';
    return id === BEFORE_SIGN_IN || (SIGN_INS.includes(id) && request.headers[INSIDE_HEADER] === inside);
  }

  function needsPassword(request: FastifyRequest, { provedAt }: ConsoleSession): boolean {
    return operationOf(request)?.isSensitive === true && clock.now() - provedAt > PROOF_MS;
  }
}

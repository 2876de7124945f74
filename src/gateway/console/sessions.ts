import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { ok } from '../../kernel/operations/operation.ts';
import { bodyCheck } from '../../kernel/operations/validation.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import type { Authenticate } from '../authentication.ts';
import { enclose } from '../http/envelope.ts';
import { type ConsoleCookies, type ConsoleSession, IDLE_MS, LONGEST_MS } from './cookies.ts';
import { consoleSessionEnded, INSIDE_HEADER, isOfConsole, mustBeOfConsole, PROOF_MS } from './credentials.ts';

const Password = Type.String({ minLength: 1, maxLength: 1024 });
const readSignIn = bodyCheck(
  Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Password,
    mfaCode: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  }),
);
/** What the browser answered for a passkey; the operation checks it. */
const readPasskeySignIn = bodyCheck(
  Type.Object({ passkey: Type.Object({}, { additionalProperties: true }) }),
);
const readProof = bodyCheck(Type.Object({ password: Password }));

/** The cookie is renewed at most this often. */
const RENEWAL_MS = MINUTE_MS;
/** Requests that a page makes by itself, which do not keep a console in use. */
const POLL = 'poll';

const SIGN_IN = '/console/api/v1/auth/signin';
const PASSKEY_SIGN_IN = '/console/api/v1/auth/passkeys/signin';
const SIGN_OUT = '/console/api/v1/auth/signout';
const PLATFORM = 'backoffice';
/** What the operations need to know of the browser. */
const FORWARDED = ['host', 'origin', 'cookie', 'x-console', 'x-forwarded-for', 'user-agent', 'traceparent'];

interface SessionDeps {
  cookies: ConsoleCookies;
  clock: Clock;
  newId: NewId;
  publicOrigin: string | undefined;
  /** By which the operations know that a request comes from here. */
  inside: string;
  environment: string;
  offersPasskeys: boolean;
  version: string;
  authenticate: Authenticate;
  callersOf: (sessionIds: string[]) => Promise<UserCaller[]>;
}

/** With what somebody signs in, and by which operation. */
type SignInProof =
  | { by?: typeof SIGN_IN; email: string; password: string; mfaCode?: string }
  | { by: typeof PASSKEY_SIGN_IN; response: object };

function proofOf(body: unknown): SignInProof {
  const isByPasskey = (body as { passkey?: unknown } | null | undefined)?.passkey !== undefined;
  if (!isByPasskey) return readSignIn(body) as SignInProof;
  const { passkey } = readPasskeySignIn(body) as { passkey: object };
  return { by: PASSKEY_SIGN_IN, response: passkey };
}

/**
 * Adds the console's own routes: `GET`, `POST` and `DELETE /console/session`, and `POST /console/session/proof`, which
 * takes the password again. Signing in and out are the operations of the API, with their limits and reports.
 */
export function addConsoleSessions(app: FastifyInstance, deps: SessionDeps): void {
  const { cookies, clock, publicOrigin, inside } = deps;

  /** Runs an operation of the API for the browser that made a request. */
  const run = (request: FastifyRequest, url: string, payload: object, cookie = request.headers.cookie) => {
    const headers: FastifyRequest['headers'] = { ...request.headers, cookie };
    const forwarded = FORWARDED.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []));
    return app.inject({
      method: 'POST',
      url,
      payload,
      headers: { ...Object.fromEntries(forwarded), [INSIDE_HEADER]: inside },
      remoteAddress: request.raw.socket.remoteAddress ?? '',
    });
  };

  const answer = (data: unknown) => enclose(ok(Type.Unknown()), 200, 'OK', data, clock.now());

  const around = { environment: deps.environment, offersPasskeys: deps.offersPasskeys };

  const describe = ({ email, userId, permissions }: UserCaller, session: ConsoleSession) => ({
    user: { id: userId, email, permissions },
    ...around,
    version: deps.version,
    idleSeconds: IDLE_MS / 1000,
    endsAt: new Date(session.startedAt + LONGEST_MS).toISOString(),
    provedUntil: new Date(session.provedAt + PROOF_MS).toISOString(),
  });

  /** Signs in by an operation; the response of a refusal is passed on as it is. */
  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    { device, startedAt, by = SIGN_IN, ...proof }: SignInProof & { device: string; startedAt?: number },
  ) {
    const signedIn = await run(request, by, { ...proof, platform: PLATFORM, device });
    if (signedIn.statusCode !== 200) {
      const retryAfter = signedIn.headers['retry-after'];
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
      return reply.code(signedIn.statusCode).type('application/json; charset=utf-8').send(signedIn.payload);
    }
    const caller = await deps.authenticate(signedIn.json().data.accessToken);
    const now = clock.now();
    const { sessionId } = caller;
    const session = { sessionId, device, startedAt: startedAt ?? now, usedAt: now, provedAt: now };
    const cookie = cookies.keep(session);
    if (caller.permissions.length === 0) {
      await run(request, SIGN_OUT, { platform: PLATFORM, device }, cookie);
      throw insufficientPermissions();
    }
    return reply.header('set-cookie', cookie).send(answer(describe(caller, session)));
  }

  /** Returns the session of the browser and its member. @throws consoleSessionEnded */
  async function current(request: FastifyRequest) {
    const session = cookies.read(request.headers.cookie);
    const [caller] = session ? await deps.callersOf([session.sessionId]) : [];
    if (!session || !caller) throw consoleSessionEnded();
    return { session, caller };
  }

  const config = { allowanceOf: () => 'address' as const };

  app.get('/console/session', { config }, async (request) => {
    mustBeOfConsole(request, publicOrigin);
    const found = await current(request).catch((error) => {
      if (consoleSessionEnded.is(error)) return undefined;
      throw error;
    });
    return answer(found ? describe(found.caller, found.session) : { user: null, ...around });
  });

  app.post('/console/session', { config }, async (request, reply) => {
    mustBeOfConsole(request, publicOrigin);
    // A sign-in ends the former one of the same device; each browser is a device of its own.
    return signIn(request, reply, { ...proofOf(request.body), device: `console ${deps.newId()}` });
  });

  app.post('/console/session/proof', { config }, async (request, reply) => {
    mustBeOfConsole(request, publicOrigin);
    const { password } = readProof(request.body) as { password: string };
    const { session, caller } = await current(request);
    const { device, startedAt } = session;
    return signIn(request, reply, { email: caller.email, password, device, startedAt });
  });

  app.delete('/console/session', { config }, async (request, reply) => {
    mustBeOfConsole(request, publicOrigin);
    const session = cookies.read(request.headers.cookie);
    if (session) await run(request, SIGN_OUT, { platform: PLATFORM, device: session.device });
    return reply.header('set-cookie', cookies.forget).send(answer(null));
  });

  app.addHook('onRequest', async (request, reply) => {
    if (!isOfConsole(request) || !request.credentials?.user || request.headers['x-console'] === POLL) return;
    const session = cookies.read(request.headers.cookie);
    if (session && clock.now() - session.usedAt >= RENEWAL_MS)
      reply.header('set-cookie', cookies.keep({ ...session, usedAt: clock.now() }));
  });
}

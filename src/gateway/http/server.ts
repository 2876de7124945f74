import build, { type Schema } from 'fast-json-stringify';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { lazy, memoized } from '../../kernel/concurrency/lazy.ts';
import { DatabaseUse } from '../../kernel/database-use.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { RequestLoad } from '../../kernel/messaging/back-off.ts';
import type { Forwarding } from '../../kernel/net/forwarding.ts';
import { deprecationHeaders } from '../../kernel/operations/deprecation.ts';
import { DEFAULT_MAX_BODY_BYTES, type Operation } from '../../kernel/operations/operation.ts';
import { pathCheck } from '../../kernel/operations/validation.ts';
import type { Idempotency } from '../../kernel/records/idempotency.ts';
import { type Clock, SECOND_MS } from '../../kernel/time/time.ts';
import { newTrace, type Trace, type Tracing, traceFrom, withTrace } from '../../kernel/trace.ts';
import { admitCaller, type Credentials } from '../authentication.ts';
import { withoutConsolePrefix } from '../console/credentials.ts';
import { takeAllowance, takePageAllowance } from '../limits/allowances.ts';
import type { RateLimits, RateVerdict } from '../limits/rate-limits.ts';
import type { Metrics } from '../metrics.ts';
import type { AccessLog } from './access-log.ts';
import { answerBrokenRequest, answerExpectation, MAX_HEADER_KIBIBYTES } from './broken-requests.ts';
import { closeConnections } from './closing.ts';
import { compressAnswers } from './compression.ts';
import { type FailureAnswers, malformedRequest, methodNotAllowed, routeNotFound } from './failures.ts';
import { acceptFormBodies } from './form-body.ts';
import { corsHeaders, hasOneHost, securityHeaders } from './headers.ts';
import { idempotent, type KeptAnswerSecrets } from './idempotent.ts';
import { acceptJsonBodies } from './json-body.ts';
import { type KnownPaths, knownPaths, MAX_PARAMETER } from './known-paths.ts';
import { addPage, type Page } from './pages.ts';
import { handleInTurn } from './pipelining.ts';
import { receivingLargeBodies } from './receiving.ts';
import { addRequestSpan } from './request-spans.ts';
import { addressOf, operationOf, requestIdOf } from './requests.ts';
import { addRoute } from './routes.ts';
import { closeStalledClients } from './stalled-clients.ts';
import { streaming } from './streams.ts';

export interface ServerDeps {
  operations: Operation[];
  readCredentials: (request: FastifyRequest) => Promise<Credentials>;
  limits: RateLimits;
  /** Counts a request with an API key. */
  countKeyUse: (keyId: string, isRejected: boolean) => void;
  failures: FailureAnswers;
  metrics: Metrics;
  tracing: Tracing | undefined;
  idempotency: Idempotency;
  keptAnswers: KeptAnswerSecrets;
  load: RequestLoad;
  clock: Clock;
  newId: NewId;
  isProduction: boolean;
  forwarding: Pick<Forwarding, 'note'>;
  /** Networks whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  corsOrigins: string[] | undefined;
  isDraining: () => boolean;
  /** Time after which a connection is closed whose client accepts no data of a pending response. */
  stalledClientMs: number;
  logAccess: AccessLog | undefined;
  /** Adds the routes with which operators sign in to the console. */
  addConsole: (app: FastifyInstance) => void;
  /** Pages outside the API: health, metrics, reference, and raw routes of modules. */
  pages: Page[];
}

/** How long before its body has arrived the credentials of a request may have been read. */
const BELIEVED_MS = SECOND_MS;
/** How often Node looks for requests that take too long to arrive. */
const ARRIVAL_CHECKS_MS = 5 * SECOND_MS;

/** Builds each serializer once per process, however many platforms the process runs. */
const serializerOf = memoized((shape: object) => build(shape as Schema));

/** Builds the HTTP server: Fastify without the defaults that violate the specification. */
export function buildServer(deps: ServerDeps): FastifyInstance {
  const { operations, failures, limits, clock, newId, pages } = deps;
  const common = securityHeaders(deps.isProduction);
  const app = Fastify({
    logger: false,
    bodyLimit: DEFAULT_MAX_BODY_BYTES,
    trustProxy: deps.trustedProxies.length > 0 ? deps.trustedProxies : false,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: withoutConsolePrefix,
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], newId),
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: MAX_PARAMETER },
    http: {
      requireHostHeader: false,
      headersTimeout: 10_000,
      connectionsCheckingInterval: ARRIVAL_CHECKS_MS,
      maxHeaderSize: MAX_HEADER_KIBIBYTES * 1024,
      // Some clients offer HTTP/2 with each request; only WebSocket upgrades are supported.
      shouldUpgradeCallback: (request) =>
        request.headers.upgrade?.toLowerCase() === 'websocket' && hasOneHost(request),
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...common, ...limits.unlimited().headers, 'x-request-id': request.id });
      request.startedMs = performance.now();
      failures.send(error, request as FastifyRequest, reply as FastifyReply);
      deps.logAccess?.(request as FastifyRequest, reply as FastifyReply);
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, surroundings()),
  });
  /** Returns what responses outside Fastify's request lifecycle carry. */
  function surroundings() {
    const rate = Object.entries(limits.unlimited().headers).map(([name, value]) => [name, String(value)]);
    const headers = { ...common, ...Object.fromEntries(rate), 'x-request-id': `req_${newId()}` };
    return { common: headers, nowMs: clock.now() };
  }
  // Node remembers the address once it has been read. After a reset it would be unknown, and the request would escape
  // the rate limit.
  app.server.on('connection', (socket) => void socket.remoteAddress);
  closeStalledClients(app.server, deps.stalledClientMs);
  handleInTurn(app.server);
  closeConnections(app);
  app.server.on('checkExpectation', (_request, response) => answerExpectation(response, surroundings()));
  acceptJsonBodies(app);
  acceptFormBodies(app);
  compressAnswers(app);
  app.decorateRequest('credentials', undefined);
  app.decorateRequest('caller', undefined);
  for (const name of ['startedMs', 'admittedMs'] as const) app.decorateRequest(name, 0);
  app.decorateRequest('text', '');
  app.decorateRequest('bodyFault', undefined);
  app.decorateRequest('trace', undefined);
  app.decorateRequest('refusal', undefined);

  const paths = knownPaths([...operations, ...pages.map((page) => ({ method: 'GET', ...page }))]);
  app.addHook('onRequest', requestHook(deps, common, paths));
  app.addHook('onResponse', async (request, reply) => {
    deps.metrics.observe(operationOf(request)?.id ?? 'other', {
      status: reply.statusCode,
      ms: performance.now() - request.startedMs,
      use: request.trace?.databaseUse,
    });
    deps.logAccess?.(request, reply);
  });
  // Building all serializers takes a tenth of the start; each is built for its first response.
  app.setSerializerCompiler(({ schema }) => {
    const serializer = lazy(() => serializerOf(schema as object));
    return (answer) => serializer()(answer);
  });
  app.setErrorHandler((error, request, reply) => failures.send(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const methods = paths.methodsOf(request.url);
    reply.headers(paths.deprecationOf(request.url));
    return failures.send(methods.length > 0 ? methodNotAllowed(methods) : routeNotFound(), request, reply);
  });

  const runOnce = idempotent(deps.idempotency, deps.keptAnswers);
  const route = { clock, runOnce, sendStream: streaming(deps.load), readmit: readmitting(deps) };
  for (const operation of operations) addRoute(app, operation, route);
  for (const page of pages) addPage(app, page);
  deps.addConsole(app);
  return app;
}

/** Returns a function that selects the CORS rules of a request. */
function corsRules(origins: string[] | undefined, paths: KnownPaths) {
  const own = corsHeaders(origins);
  const open = corsHeaders(undefined);
  return (request: FastifyRequest) => (!operationOf(request) && paths.isOpen(request.url) ? open : own);
}

/** Returns the hook that every request passes first: common headers, preflights, credentials, rate limit, access. */
function requestHook(
  {
    readCredentials,
    limits,
    countKeyUse,
    corsOrigins,
    isDraining,
    logAccess,
    metrics,
    tracing,
    forwarding,
    load,
  }: ServerDeps,
  common: Record<string, string>,
  paths: KnownPaths,
) {
  const corsFor = corsRules(corsOrigins, paths);
  const admitBody = receivingLargeBodies();

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    load.countRequest();
    request.startedMs = performance.now();
    request.trace = traceOf(request);
    tracing?.begin(request.trace, true);
    reply.headers(common).header('x-request-id', request.id);
    const deprecated = operationOf(request)?.deprecated;
    if (deprecated) reply.headers(deprecationHeaders(deprecated, request.params as Record<string, string>));
    if (isDraining()) reply.header('connection', 'close');
    metrics.begun();
    reply.raw.once('close', () => {
      metrics.ended();
      if (request.trace?.spans) addRequestSpan(request, reply);
      // Fastify's `onResponse` fires only for completed responses.
      if (logAccess && !reply.raw.writableFinished) logAccess(request, reply);
    });
  }

  async function credentialsOf(request: FastifyRequest, reply: FastifyReply): Promise<Credentials> {
    try {
      return await withTrace(request.trace, () => readCredentials(request));
    } catch (error) {
      // The caller is unknown, so there is no allowance to report in headers.
      reply.headers(limits.unlimited().headers);
      throw error;
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    begin(request, reply);
    forwarding.note(request.raw);
    const operation = operationOf(request);
    const { origin } = request.headers;
    const cors = corsFor(request);
    if (origin !== undefined) reply.headers(cors(origin));
    if (!hasOneHost(request.raw)) {
      reply.headers(limits.unlimited().headers);
      throw malformedRequest();
    }
    if (request.method === 'OPTIONS') {
      const methods = paths.methodsOf(request.url);
      if (methods.length > 0) {
        reply.headers({ ...cors(origin, methods), ...limits.unlimited().headers, allow: methods.join(', ') });
        return reply.code(204).send();
      }
    }
    const { allowanceOf } = request.routeOptions.config;
    const address = addressOf(request);
    if (allowanceOf !== undefined) {
      admit(reply, await takePageAllowance(limits, allowanceOf(request), address));
      return;
    }
    const credentials = await credentialsOf(request, reply);
    request.credentials = credentials;
    const verdict = await takeAllowance(limits, operation, credentials, address);
    if (credentials.key) countKeyUse(credentials.key.id, verdict.refusal !== undefined);
    admit(reply, verdict);
    if (operation)
      request.caller = admitCaller(operation.access, credentials, () => checkPath(operation, request));
    request.admittedMs = performance.now();
    admitBody(request, reply);
  };
}

/**
 * Returns a function that admits a caller again whose request has taken longer to arrive than credentials are believed:
 * somebody who has lost a right, or signed out, could otherwise act as before by ending a request half a minute later.
 */
function readmitting({ readCredentials }: ServerDeps) {
  const readmit = async (request: FastifyRequest, { access }: Operation): Promise<void> => {
    const credentials = await readCredentials(request);
    request.credentials = credentials;
    request.caller = admitCaller(access, credentials);
  };
  // Nearly all requests arrive at once, and need no promise.
  return (request: FastifyRequest, operation: Operation): Promise<void> | undefined =>
    performance.now() - request.admittedMs < BELIEVED_MS ? undefined : readmit(request, operation);
}

/** @throws 400 for a malformed path, such as one with a malformed id */
function checkPath({ params }: Operation, request: FastifyRequest): void {
  if (params) pathCheck(params)(request.params);
}

/** Sets the headers that state the remaining allowance. @throws 429 when it is exhausted */
function admit(reply: FastifyReply, { headers, refusal }: RateVerdict): void {
  reply.headers(headers);
  if (refusal) throw refusal;
}

/** Returns the trace that the client sent, or a new one. */
function traceOf({ headers, id }: FastifyRequest): Trace {
  const trace = traceFrom(headers.traceparent) ?? newTrace();
  trace.requestId = id;
  trace.databaseUse = new DatabaseUse();
  return trace;
}

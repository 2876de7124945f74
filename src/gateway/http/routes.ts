import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { lazy, memoized } from '../../kernel/concurrency/lazy.ts';
import {
  Answer,
  DEFAULT_MAX_BODY_BYTES,
  HtmlPage,
  type Operation,
  type RawRequest,
  Streamed,
  type Success,
} from '../../kernel/operations/operation.ts';
import { ReasonBody, separateReason } from '../../kernel/operations/reasons.ts';
import { hasSteppedUp, stepUpRequired, stepUpRuleOf } from '../../kernel/operations/step-up.ts';
import { namedIgnored, unnamedFields } from '../../kernel/operations/unnamed-fields.ts';
import { bodyCheck, type Check, closed, pathCheck, queryCheck } from '../../kernel/operations/validation.ts';
import { mustHaveVerifiedEmail } from '../../kernel/operations/verified-email.ts';
import type { IdempotencyContext } from '../../kernel/records/idempotency.ts';
import { isDecodable } from '../../kernel/text/percent-encoding.ts';
import { isSafeText, unsafeText } from '../../kernel/text/safe-text.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { withTrace } from '../../kernel/trace.ts';
import { enclose, paginationOf, successEnvelope } from './envelope.ts';
import { malformedUrl } from './failures.ts';
import { HandlerInput } from './handler-input.ts';
import { sendPage } from './html-pages.ts';
import type { idempotent } from './idempotent.ts';
import { withAllFaults } from './input-faults.ts';
import { factsOf } from './requests.ts';
import type { SendStream } from './streams.ts';

export interface RouteDeps {
  clock: Clock;
  runOnce: ReturnType<typeof idempotent>;
  sendStream: SendStream;
  /** Admits the caller again if the request has taken long to arrive. @throws 401, 403 */
  readmit: (request: FastifyRequest, operation: Operation) => Promise<void> | undefined;
}

/** The query or the body of an operation that takes none. */
const NO_FIELDS = Type.Object({});

/** The shapes of complete answers with the same `data`, by what else distinguishes them. */
const shapesOfAnswers = memoized((_data: TSchema) => new Map<string, unknown>());

/**
 * Returns the shape from which the serializer of an operation is built: the same for the same answers, however many
 * platforms the process runs.
 */
function shapeOfAnswer(success: Success<unknown>): unknown {
  const { data, status, alternative, paged, hasPagination, isFeed } = success;
  const shapes = shapesOfAnswers(data);
  const key = JSON.stringify([status, alternative, paged, hasPagination, isFeed]);
  const shape = shapes.get(key) ?? closed(successEnvelope(success));
  shapes.set(key, shape);
  return shape;
}

/** Adds the route of an operation: checks the input, calls the handler, wraps the result in the envelope. */
export function addRoute(
  app: FastifyInstance,
  operation: Operation,
  { clock, runOnce, sendStream, readmit }: RouteDeps,
): void {
  const { method, path, success } = operation;
  if (!operation.access) throw new Error(`${method} ${path} does not say who may call it`);
  const readParams = operation.params && pathCheck(operation.params);
  const readQuery = queryCheck(operation.query ?? NO_FIELDS, operation.isLink === true);
  const body = operation.body ?? (operation.reasonIsExtra ? ReasonBody : undefined);
  const readBody = body && bodyCheck(body);
  const unnamedIn = unnamedFields(body ?? NO_FIELDS);
  const envelope = shapeOfAnswer(success);
  const needsStepUp = stepUpRuleOf(operation);

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const readmission = readmit(request, operation);
    if (readmission) await readmission;
    const { caller } = request;
    const facts = factsOf(request);
    checkUrl(request, operation);
    // Checks the path (400), then loads what it names (403, 404), then checks query and body (422).
    const params = readParams?.(request.params);
    let ignored: string[] | undefined;
    let loaded: unknown;
    let refusedBody: { refusal: unknown; received: unknown } | undefined;
    const input = lazy(() => {
      const query = readQuery(request.query);
      const received = receivedBody(request);
      // Collected before the check, which removes them.
      ignored = unnamedIn(received);
      try {
        return { params, query, body: read(readBody, received) };
      } catch (refusal) {
        refusedBody = { refusal, received };
        throw refusal;
      }
    });
    const hasProved = caller === undefined || hasSteppedUp(caller);
    const mustHaveProved = () => {
      if (needsStepUp === true && !hasProved) throw stepUpRequired();
    };
    // A repetition of such a request returns the secret again.
    if (operation.answersSecret) mustHaveProved();
    const prepare = async () => {
      if (operation.needsVerifiedEmail && caller) mustHaveVerifiedEmail(caller);
      mustHaveProved();
      const checked = await loadAndCheck(operation, { params, caller, facts }, (found) => {
        loaded = found;
        return separateReason(input(), operation.reasonIsExtra);
      });
      const { reason } = checked;
      if (typeof needsStepUp === 'function' && !hasProved && needsStepUp(checked.input.body as never))
        throw stepUpRequired();
      return (idempotency: IdempotencyContext) =>
        operation.handle(
          new HandlerInput(reply.raw, {
            ...checked.input,
            caller,
            facts: reason === undefined ? facts : { ...facts, reason },
            loaded,
            idempotency,
            raw: rawOf(request),
          }),
        );
    };
    try {
      const answered = await runOnce(operation, request, reply, { input, prepare });
      return send(reply, success, answered, ignored);
    } catch (error) {
      if (!refusedBody || error !== refusedBody.refusal) throw error;
      throw await withAllFaults(operation, error, refusedBody.received, loaded);
    }
  }

  function send(
    reply: FastifyReply,
    expected: Success<unknown>,
    answered: unknown,
    ignored: string[] | undefined,
  ): unknown {
    if (answered instanceof HtmlPage) return sendPage(reply, answered);
    if (answered instanceof Streamed) return sendStream(reply, answered, expected, clock.now());
    if (!(answered instanceof Answer)) {
      reply.code(expected.status);
      return enclose(expected, expected.status, expected.message, answered, clock.now(), ignored);
    }
    const { departures, data } = answered;
    const { status = expected.status, message = expected.message, headers, pagination } = departures;
    reply.code(status);
    if (headers) reply.headers(headers);
    const all = departures.ignored ? namedIgnored(ignored, departures.ignored) : ignored;
    const enclosed = enclose(expected, status, message, data, clock.now(), all);
    return pagination ? { ...enclosed, pagination: paginationOf(pagination) } : enclosed;
  }

  app.route({
    method,
    url: path,
    config: { operation },
    bodyLimit: operation.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    schema: {
      response: {
        [success.status]: envelope,
        ...(success.alternative ? { [success.alternative]: envelope } : {}),
      },
    },
    handler: (request, reply) => withTrace(request.trace, () => serve(request, reply)),
  });
}

/**
 * Loads what the path names (404, 403), then checks query and body (422). Where the handler repeats what `load` refuses, a
 * request whose input is accepted is not loaded twice.
 */
async function loadAndCheck<Checked>(
  { load, repeatsLoad }: Operation,
  named: object,
  check: (loaded: unknown) => Checked,
): Promise<Checked> {
  if (!repeatsLoad) return check(await load?.(named));
  try {
    return check(undefined);
  } catch (refusal) {
    await load?.(named);
    throw refusal;
  }
}

const rawOf = ({ text, headers }: FastifyRequest): RawRequest => ({
  text,
  header: (name) => String(headers[name] ?? ''),
});

/** @throws the failure of a body that was refused before it was parsed */
function receivedBody({ body, bodyFault }: FastifyRequest): unknown {
  if (bodyFault) throw bodyFault;
  return body;
}

const read = (check: Check | undefined, value: unknown): unknown => check?.(value);

/** Returns the name of a parameter as the query parser reads it. */
function nameOf(part: string): string {
  const name = part.split('=', 1)[0] as string;
  return isDecodable(name) ? decodeURIComponent(name) : name;
}

/**
 * Of a link only the parameters that it has are checked, since nobody reads those that others have added to it.
 * @throws 400 for percent-encoding that is not UTF-8, and for text that PostgreSQL cannot store
 */
function checkUrl({ url, params }: FastifyRequest, { isLink, query }: Operation): void {
  if (!url.includes('%')) return;
  const [path = '', ...rest] = url.split('?');
  const names = Object.keys(query?.properties ?? {});
  const isRead = (part: string) => !isLink || names.includes(nameOf(part));
  const given = rest.join('?').split('&').filter(isRead).join('&');
  // The router has decoded the path; the query parser leaves undecodable text unchanged.
  if (!isDecodable(given)) throw malformedUrl();
  // A NUL can only arrive percent-encoded.
  if (`${path}?${given}`.includes('%00') || !Object.values(params as object).every(isSafeText))
    throw unsafeText();
}

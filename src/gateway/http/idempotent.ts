import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, failure, serviceUnavailable } from '../../kernel/failures.ts';
import { Answer, answer, type Operation } from '../../kernel/operations/operation.ts';
import {
  type Idempotency,
  type IdempotencyContext,
  notIdempotent,
  requestInProgress,
  userScope,
} from '../../kernel/records/idempotency.ts';
import type { Sealer, Signer } from '../../kernel/secrets.ts';
import { enclose } from './envelope.ts';

export const invalidIdempotencyKey = failure(
  400,
  'INVALID_IDEMPOTENCY_KEY',
  'Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters without spaces',
);

export interface KeptAnswerSecrets {
  /** Seals answers that contain a secret. */
  sealer: Sealer;
  /** Signs requests that contain a password, which could be guessed from a digest without a key. */
  signer: Pick<Signer, 'sign'>;
}

/** The stored part of a response. */
type Kept =
  | {
      data: unknown;
      departures: Answer<unknown>['departures'];
      /** Whether `data` is what was sent, not the record that it was made from. */
      isSent?: true;
    }
  | { refusal: Pick<Failure, 'status' | 'code' | 'message' | 'details'> };

/** The input by which requests are compared: only checked input, so that unknown fields make no difference. */
interface CheckedInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** The work of a request whose path has been checked. */
interface Work {
  /** Returns the checked input. @throws 422 */
  input: () => CheckedInput;
  /** Loads what the path names and checks the input; returns the handler. Its failures are not saved. */
  prepare: () => Promise<(idempotency: IdempotencyContext) => Promise<unknown>>;
}

/**
 * Runs an operation, or replays its response to an earlier identical request. Looks for that response before anything
 * is loaded: after the first request, the same request might no longer be allowed.
 */
export function idempotent(store: Idempotency, { sealer: { seal, open }, signer }: KeptAnswerSecrets) {
  /** @throws serviceUnavailable once the key is gone that sealed it; it may be named in SECRET_KEY_FALLBACKS again */
  function opened(sealed: string): Kept {
    try {
      return JSON.parse(open(Buffer.from(sealed, 'base64')));
    } catch (cause) {
      throw serviceUnavailable(
        new Error('a saved answer was sealed with a key that is no longer in SECRET_KEY_FALLBACKS', {
          cause,
        }),
      );
    }
  }

  return async (
    operation: Operation,
    request: FastifyRequest,
    reply: FastifyReply,
    { input, prepare }: Work,
  ): Promise<unknown> => {
    const key = operation.idempotent ? keyOf(request) : undefined;
    if (key === undefined) return (await prepare())(notIdempotent);
    const fingerprint = (): string => {
      const { params = {}, query = {}, body = null } = input();
      const text = canonical([operation.id, params, query, body]);
      return operation.takesSecret ? signer.sign(text).toString('hex') : text;
    };
    const lookup = { scope: scopeOf(request), key, request: fingerprint };
    const outcome = await store.once(lookup, async (context, claim) => {
      let isRecorded = false;
      const keeping: IdempotencyContext = {
        id: context.id,
        record: (answer) => {
          isRecorded = true;
          const whole = () => kept(operation, reply, answer());
          const sealed = () => ({ sealed: seal(JSON.stringify(whole())).toString('base64') });
          return context.record(operation.answersSecret ? sealed : whole);
        },
      };
      const handle = await prepare();
      const giveBack =
        operation.idempotent === 'by-nature' ? await claim(refused(requestInProgress())) : undefined;
      try {
        const answered = await handle(keeping);
        if (operation.idempotent === 'by-nature' && !isRecorded)
          await store.saveResponse(keeping.record(() => answered));
        return answered;
      } catch (error) {
        if (isRefusal(error)) await store.saveResponse(context.record(() => refused(error)));
        else if (isInvalid(error)) await giveBack?.();
        throw error;
      }
    });
    if ('answered' in outcome) return outcome.answered;
    reply.header('idempotent-replayed', 'true');
    const { sealed } = outcome.remembered as { sealed?: string };
    const before = sealed === undefined ? (outcome.remembered as Kept) : opened(sealed);
    if (!('refusal' in before)) {
      // Not by the shape of today, which may require what the answer did not have then.
      if (before.isSent) reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
      return answer(before.data, before.departures);
    }
    const { status, code, message, details } = before.refusal;
    throw new Failure(status, code, message, details);
  };
}

/** Returns what is kept of an answer: no more than is sent. Rules may answer with records that have further fields. */
function kept({ success }: Operation, reply: FastifyReply, answered: unknown): Kept {
  const { data, departures } = answered instanceof Answer ? answered : answer(answered, {});
  const { status = success.status, message = success.message } = departures;
  const sent = reply.serializeInput(enclose(success, status, message, data, 0), String(status));
  return { data: JSON.parse(String(sent)).data, departures, isSent: true };
}

const refused = ({ status, code, message, details: { cause, ...details } }: Failure): Kept => ({
  refusal: { status, code, message, details },
});

/** After a new sign-in, a change of rights, less haste, or the end of another request the same request may succeed. */
const PASSING = [401, 403, 409, 429];

/** Whether a refusal is kept. What is wrong with fields often depends on records that others change. */
const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && error.status < 500 && !PASSING.includes(error.status) && !isInvalid(error);

const isInvalid = (error: unknown): boolean => error instanceof Failure && error.code === 'VALIDATION_FAILED';

/**
 * Returns the key: bare, or in the quotes of a structured header. Node joins a repeated header with a comma and a
 * space, which makes the key invalid.
 */
function keyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = String(header).replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalidIdempotencyKey();
  return key;
}

function scopeOf({ caller, credentials }: FastifyRequest): string {
  return caller?.kind === 'user' ? userScope(caller.userId) : `key:${credentials?.key?.id ?? 'internal'}`;
}

/** Returns identical text for equal values, regardless of field order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

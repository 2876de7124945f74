import { randomId } from './host.ts';
import type { Answer, AnswerOf, DataOf, Operation, Request, RequestOf, TypesOf } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import type { Feed, Pages } from './pages.ts';
import { perform } from './repeated-requests.ts';
import { type Session, sessionOf } from './session.ts';
import { memoryStorage } from './storage.ts';

/** The state of one call, which may take several attempts. */
export interface Call<Data> extends Promise<Data> {
  /** The Idempotency-Key that all of its attempts carry, where the operation accepts one. */
  readonly idempotencyKey: string | undefined;
}

/** The result of a call: a list that can be continued, or the data. */
export type Called<O> =
  TypesOf<O> extends { feed: true }
    ? Feed<ItemOf<O>>
    : TypesOf<O> extends { paged: true }
      ? DataOf<O> extends (infer Item)[]
        ? Pages<Item>
        : Call<DataOf<O>>
      : Call<DataOf<O>>;

/** The request, which may be left out where nothing in it is required, and options. */
export type RawArguments<O> =
  // Any operation, of which nothing is known.
  Operation extends O
    ? [request?: Request, options?: CallOptions]
    : Record<never, never> extends RequestOf<O>
      ? [request?: RequestOf<O>, options?: CallOptions]
      : [request: RequestOf<O>, options?: CallOptions];

type ItemOf<O> = DataOf<O> extends (infer Item)[] ? Item : never;

/** Calls the operations that a program imports; bundles contain no others. */
export interface Caller {
  call<O extends Operation>(operation: O, request: RequestOf<O>, options?: CallOptions): Called<O>;
  /** Calls an operation and returns the whole response, with `message`, `meta` and `pagination`. */
  raw<O extends Operation>(operation: O, ...given: RawArguments<O>): Promise<AnswerOf<O>>;
  readonly session: Session;
  /** The properties without the API key, so that a client can be logged safely. */
  readonly options: Omit<ClientOptions, 'apiKey'>;
}

export function createCaller(given: ClientOptions): Caller {
  const all = { ...given, baseUrl: given.baseUrl.replace(/\/+$/, '') };
  const { apiKey, ...options } = all;
  const session = sessionOf(
    options.storage ?? memoryStorage(),
    (body) =>
      raw({ id: 'refreshToken', method: 'POST', path: '/v1/auth/refresh-token', isOpen: true }, { body }),
    (reason) => options.onSignedOut?.(reason),
  );

  function raw(operation: Operation, request: Request = {}, own?: CallOptions): Promise<Answer> {
    // A call has one key for all its attempts. Operations that accept no key get none, because they would ignore
    // it.
    const idempotencyKey = operation.isIdempotent && (own?.idempotencyKey || randomId());
    const send = (complete: Request) =>
      perform(operation, complete, all, { ...own, session, idempotencyKey });
    return Object.assign(operation.around?.(request, session, send) ?? send(request), { idempotencyKey });
  }

  function call(operation: Operation, request: Request, own?: CallOptions): unknown {
    if (operation.pages) {
      const ask = (query: Request['query']) => raw(operation, { ...request, query }, own);
      return operation.pages(ask, request.query, operation.cursor);
    }
    const answer = raw(operation, request, own);
    // With its Idempotency-Key.
    return Object.assign(
      answer.then((whole) => whole.data),
      answer,
    );
  }

  // The type of the operation states the types of its results.
  return { session, options, raw: raw as unknown as Caller['raw'], call: call as Caller['call'] };
}

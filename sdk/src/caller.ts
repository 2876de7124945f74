import { randomId } from './host.ts';
import type { Answer, DataOf, Operation, Request, RequestOf, TypesOf } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import type { Feed, Pages } from './pages.ts';
import { perform } from './repeated-requests.ts';
import { type Session, sessionOf } from './session.ts';
import { memoryStorage } from './storage.ts';

/** A call under way. */
export interface Call<Data> extends Promise<Data> {
  /** The Idempotency-Key that all of its attempts carry, where the operation accepts one. */
  readonly idempotencyKey: string | undefined;
}

/** What a call of an operation returns: a list that goes on, or the data. */
export type Called<O> =
  TypesOf<O> extends { feed: true }
    ? Feed<ItemOf<O>>
    : TypesOf<O> extends { paged: true }
      ? DataOf<O> extends (infer Item)[]
        ? Pages<Item>
        : Call<DataOf<O>>
      : Call<DataOf<O>>;

type ItemOf<O> = DataOf<O> extends (infer Item)[] ? Item : never;

/** Calls operations that a program names, and contains no others. */
export interface Caller {
  call<O extends Operation>(operation: O, request: RequestOf<O>, options?: CallOptions): Called<O>;
  /** Calls an operation and answers the whole answer, with `message`, `meta` and `pagination`. */
  raw(operation: Operation, request?: Request, options?: CallOptions): Promise<Answer>;
  readonly session: Session;
  /** All but the API key, so that a client can be logged. */
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
    // Made once for a call, however often it is sent. Where none is accepted, one would promise too much.
    const idempotencyKey = operation.isIdempotent && (own?.idempotencyKey ?? randomId());
    const send = (complete: Request) =>
      perform(operation, complete, all, { ...own, session, idempotencyKey });
    return Object.assign(operation.around?.(request, session, send) ?? send(request), { idempotencyKey });
  }

  function call(operation: Operation, request: Request, own?: CallOptions): unknown {
    const ask = (query: Request['query']) => raw(operation, { ...request, query }, own);
    if (operation.pages) return operation.pages(ask, request.query, operation.cursor);
    const answer = ask(request.query);
    // With its key.
    return Object.assign(
      answer.then(({ data }) => data),
      answer,
    );
  }

  // What a call returns follows from the operation, as its type says.
  return { session, options, raw, call: call as Caller['call'] };
}

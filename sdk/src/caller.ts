import { randomId } from './host.ts';
import type { Tokens } from './kept.ts';
import type { Answer, DataOf, Operation, Request, RequestOf, TypesOf } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { type Pages, pagesOf } from './pages.ts';
import { perform, REFRESH } from './performing.ts';
import { type Session, sessionOf } from './session.ts';
import { memoryStorage } from './storage.ts';

/** A call under way. */
export interface Call<Data> extends Promise<Data> {
  /** The Idempotency-Key that all of its attempts carry, where the operation accepts one. */
  readonly idempotencyKey: string | undefined;
}

/** What a call of an operation returns: a list that goes on, or the data. */
export type Called<O> =
  TypesOf<O> extends { paged: true }
    ? DataOf<O> extends (infer Item)[]
      ? Pages<Item>
      : Call<DataOf<O>>
    : Call<DataOf<O>>;

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
  const options = { ...given, baseUrl: given.baseUrl.replace(/\/+$/, '') };
  const { storage = memoryStorage(), baseUrl } = options;
  const session = sessionOf({
    storage,
    lockName: `${baseUrl} refresh`,
    exchange: async (token) => (await start(REFRESH, { body: { refreshToken: token } }, {})).data as Tokens,
    onSignedOut: (reason) => options.onSignedOut?.(reason),
  });

  const start = (operation: Operation, request: Request, own: CallOptions): Promise<Answer> => {
    const send = (complete: Request) => perform(operation, complete, own, { session, options });
    return operation.around?.(request, session, send) ?? send(request);
  };

  const raw = (operation: Operation, request: Request = {}, own?: CallOptions) =>
    start(operation, request, withKey(operation, own));

  function call(operation: Operation, request: Request, own?: CallOptions): unknown {
    const keyed = withKey(operation, own);
    if (operation.pages)
      return pagesOf(
        (query) => start(operation, { ...request, query }, keyed),
        { ...request.query },
        operation,
      );
    const data = start(operation, request, keyed).then((answer) => answer.data);
    return Object.assign(data, { idempotencyKey: keyed.idempotencyKey });
  }

  const { apiKey, ...others } = options;
  // What a call returns follows from the operation, as its type says.
  return { session, options: others, raw, call: call as Caller['call'] };
}

/** A key is made once for a call, however often it is sent. Where none is accepted, one would promise too much. */
const withKey = ({ isIdempotent }: Operation, own: CallOptions = {}): CallOptions => ({
  ...own,
  idempotencyKey: isIdempotent && (own.idempotencyKey ?? randomId()),
});

import { PlatformError } from './errors.ts';
import { refreshToken, signOut } from './generated/operations/sign-in.ts';
import { randomId } from './host.ts';
import { intents } from './intents.ts';
import type { DataOf, Operation, RequestOf, TypesOf } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { type Pages, pagesOf } from './pages.ts';
import { performing, type Request } from './performing.ts';
import type { Answer } from './sending.ts';
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
  /** Signs this device out, and no other. Its tokens are forgotten even if the platform cannot be reached. */
  signOut(): Promise<void>;
  readonly session: Session;
  readonly options: ClientOptions;
}

/** The tokens of a sign-in. */
interface Tokens {
  accessToken: string;
  refreshToken: string;
}

export function createCaller(options: ClientOptions): Caller {
  const storage = options.storage ?? memoryStorage();
  const kept = intents(storage, randomId);
  const perform = performing(options, () => session);
  const session = sessionOf({
    storage,
    lockName: `${options.baseUrl} refresh`,
    exchange: async (token) =>
      (await perform(refreshToken, { body: { refreshToken: token } }, {})).data as Tokens,
    onSignedOut: (reason) => options.onSignedOut?.(reason),
  });

  /** Signing in names the device where the caller does not, and keeps the tokens. */
  async function performAndKeep(operation: Operation, request: Request, own: CallOptions): Promise<Answer> {
    const isSigningIn = operation.takes === 'body' && /^sign(In|Up)/.test(operation.id);
    const body = isSigningIn
      ? { device: await session.deviceId(), ...(request.body as object) }
      : request.body;
    const answer = await perform(operation, { ...request, body }, own);
    const tokens = answer.data as Partial<Tokens> | null;
    if (tokens?.accessToken && tokens.refreshToken) await session.keep(tokens as Tokens, body as object);
    return answer;
  }

  async function start(operation: Operation, request: Request, own: CallOptions): Promise<Answer> {
    const { intent } = own;
    if (intent === undefined) return performAndKeep(operation, request, own);
    try {
      return await performAndKeep(operation, request, { ...own, idempotencyKey: await kept.keyOf(intent) });
    } catch (error) {
      if (error instanceof PlatformError) await kept.refused(intent, error);
      throw error;
    }
  }

  const raw = (operation: Operation, request: Request = {}, own: CallOptions = {}) =>
    start(operation, request, withKey(operation, own));

  function call(operation: Operation, request: Request, own: CallOptions = {}): unknown {
    const { pages, cursorOf = ['id'] } = operation;
    if (pages) {
      const ask = (query: object) => raw(operation, { ...request, query }, own);
      return pagesOf(ask, { ...request.query }, { by: pages, cursorOf });
    }
    const keyed = withKey(operation, own);
    const data = start(operation, request, keyed).then((answer) => answer.data);
    return Object.assign(data, { idempotencyKey: keyed.idempotencyKey });
  }

  return {
    session,
    options,
    raw,
    // What it returns follows from the operation, as its type says.
    call: call as Caller['call'],
    async signOut() {
      const body = await session.place();
      try {
        if (await session.token()) await raw(signOut, { body });
      } finally {
        await session.end('signed-out');
      }
    },
  };
}

/** A key is made once for a call, however often it is sent. */
const withKey = (operation: Operation, own: CallOptions): CallOptions =>
  operation.isIdempotent && own.intent === undefined
    ? { ...own, idempotencyKey: own.idempotencyKey ?? randomId() }
    : own;

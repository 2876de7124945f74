import type { Fetch, Signal, SocketMaker } from './host.ts';
import type { SignedOutReason } from './signed-in.ts';
import type { Storage } from './storage.ts';

export interface ClientOptions {
  /** Address of the platform, such as `https://api.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Where tokens are stored; by default in memory. */
  storage?: Storage;
  /** Time limit of one attempt; 15 seconds by default. */
  timeoutMs?: number;
  /** How often a request is repeated where that is safe; 3 times by default. */
  retries?: number;
  /** Replaces the global `fetch`. */
  fetch?: Fetch;
  WebSocket?: SocketMaker;
  /** Called when the member has to sign in again. */
  onSignedOut?(reason: SignedOutReason): void;
}

/** Throws a TypeError that names the expected value, because programs in JavaScript have no compiler to check it. */
export function checkOptions(options: Partial<ClientOptions> = {}): void {
  const { baseUrl, apiKey, storage, timeoutMs = 1, retries = 0 } = options;
  if (typeof baseUrl !== 'string' || !/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(baseUrl))
    throw new TypeError(
      `'baseUrl' must be an address such as 'https://api.example.com', but is ${shown(baseUrl)}`,
    );
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey))
    throw new TypeError(`'apiKey' must be an API key, but is ${apiKey ? typeof apiKey : 'empty'}`);
  if (storage && !(typeof storage.get === 'function' && typeof storage.set === 'function'))
    throw new TypeError("'storage' must have 'get' and 'set', such as browserStorage()");
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0))
    throw new TypeError(`'timeoutMs' must be a number of milliseconds above 0, but is ${timeoutMs}`);
  if (!(typeof retries === 'number' && retries >= 0))
    throw new TypeError(`'retries' must be a number, 0 or more, but is ${retries}`);
  for (const name of ['fetch', 'WebSocket', 'onSignedOut', 'onStepUp'] as const) {
    const given = (options as Record<string, unknown>)[name];
    if (given !== undefined && typeof given !== 'function')
      throw new TypeError(`'${name}' must be a function, but is ${typeof given}`);
  }
}

/**
 * Throws a TypeError for an Idempotency-Key that the platform would refuse. `fetch` cannot send some of them, which
 * would look like a lost connection, and an empty one would not protect the call.
 */
export function checkKey({ idempotencyKey: key }: CallOptions): void {
  if (key !== undefined && key !== null && !(typeof key === 'string' && /^[!-~]{1,255}$/.test(key)))
    throw new TypeError("'idempotencyKey' must have 1 to 255 visible ASCII characters without spaces");
}

/** A password in an address is not shown. */
const shown = (value: unknown): string =>
  typeof value === 'string' && !/@/.test(value) ? `'${value}'` : typeof value;

export interface CallOptions {
  signal?: Signal | undefined;
  timeoutMs?: number | undefined;
  /** The Idempotency-Key, if the operation accepts one; by default the SDK creates it. */
  idempotencyKey?: string | undefined;
}

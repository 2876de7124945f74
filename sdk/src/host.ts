// The parts of the environment that the SDK uses. Browsers, React Native and servers differ, so the SDK depends on
// no types of theirs.

/** The part of `AbortSignal` that the SDK uses. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** `fetch`, or a replacement. */
export type Fetch = { fetch(url: string, init: object): Promise<HttpResponse> }['fetch'];

export interface Socket {
  readonly readyState: number;
  onopen: unknown;
  onmessage: unknown;
  onclose: unknown;
  onerror: unknown;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** `WebSocket`, or a replacement. */
export type SocketMaker = new (url: string) => Socket;

interface Events {
  addEventListener?(
    type: string,
    listener: (event: { key?: string | null; persisted?: boolean }) => void,
  ): void;
  removeEventListener?(type: string, listener: () => void): void;
}

interface Host extends Events {
  fetch?: Fetch;
  WebSocket?: SocketMaker;
  AbortController: new () => { signal: Signal; abort(): void };
  setTimeout(work: () => void, ms?: number): unknown;
  clearTimeout(timer: unknown): void;
  atob?(text: string): string;
  crypto?: { randomUUID?(): string; subtle?: Subtle };
  TextEncoder: new () => { encode(text: string): Uint8Array };
  TextDecoder: new () => { decode(bytes: Uint8Array): string };
  navigator?: { locks?: { request<T>(name: string, work: () => Promise<T>): Promise<T> } };
  document?: Events & { visibilityState?: string };
  XMLHttpRequest?: new () => Xhr;
  localStorage?: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
}

/** The part of `XMLHttpRequest` that uploads use. */
export interface Xhr {
  readonly status: number;
  readonly upload: { onprogress: unknown };
  onload: unknown;
  onerror: unknown;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: unknown): void;
  abort(): void;
}

interface Subtle {
  importKey(
    format: 'raw',
    key: Uint8Array,
    algorithm: object,
    extractable: false,
    usages: ['sign'],
  ): Promise<object>;
  sign(algorithm: 'HMAC', key: object, data: Uint8Array): Promise<ArrayBuffer>;
}

declare const AbortController: Host['AbortController'];
declare const setTimeout: Host['setTimeout'];
declare const clearTimeout: Host['clearTimeout'];

export const host: Host = globalThis as unknown as Host;

/** Returns a random text of at most 64 characters, also where there is no `crypto.randomUUID`. */
export const randomId = (): string => host.crypto?.randomUUID?.() ?? `${Math.random()}-${Math.random()}`;

/**
 * Runs work with a signal that is aborted after a time, or together with the given signal. The function returns at that
 * time even if the work ignores the signal, and throws the reason of the given signal if that was aborted. It throws the
 * error of the work if that comes first.
 */
export function within(
  ms: number,
  signal?: Signal,
  work?: (limit: Signal) => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController();
  let stop!: () => void;
  let timer: unknown;
  return new Promise<void>((resolve, reject) => {
    stop = () => resolve(controller.abort());
    // Longer timers fire at once.
    timer = setTimeout(stop, Math.min(ms, 2e9));
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    else work?.(controller.signal).then(resolve as () => void, reject);
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    throwIfAborted(signal);
  });
}

/** Waits for a time; throws the signal's reason if it is aborted before. */
export { within as sleep };

/** Throws the error with which an aborted call is rejected. */
export function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? Object.assign(Error('Aborted'), { name: 'AbortError' });
}

/** Calls listeners. An error of a listener is reported as uncaught and does not stop the others. */
export function tell<Event>(listeners: ((event: Event) => void)[], event: Event): void {
  for (const listener of listeners)
    try {
      listener(event);
    } catch (error) {
      setTimeout(() => {
        throw error;
      });
    }
}

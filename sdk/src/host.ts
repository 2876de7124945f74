// What surrounds the SDK: browsers, React Native and servers differ, and no types of theirs are needed to use it.

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

/** `fetch`, or what stands for it. */
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

/** `WebSocket`, or what stands for it. */
export type SocketMaker = new (url: string) => Socket;

interface Events {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

interface Host extends Events {
  fetch?: Fetch;
  WebSocket?: SocketMaker;
  AbortController: new () => { signal: Signal; abort(): void };
  setTimeout(work: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  atob?(text: string): string;
  crypto?: { getRandomValues?(bytes: Uint8Array): Uint8Array; subtle?: Subtle };
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

export const host: Host = globalThis as unknown as Host;

/** Returns 32 random hexadecimal digits, also where there is no `crypto.randomUUID`. */
export function randomId(): string {
  const bytes = new Uint8Array(16);
  if (host.crypto?.getRandomValues) host.crypto.getRandomValues(bytes);
  else for (let place = 0; place < 16; place++) bytes[place] = Math.random() * 256;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Waits so long, or until the signal is aborted; then it throws the signal's reason. */
export function sleep(ms: number, signal?: Signal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => end(() => reject(abortOf(signal)));
    const timer = host.setTimeout(() => end(resolve), ms);
    const end = (settle: () => void) => {
      host.clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      settle();
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
  });
}

/** Returns what an aborted call is rejected with. */
export const abortOf = (signal?: Signal): unknown =>
  signal?.reason ?? Object.assign(new Error('The call was aborted'), { name: 'AbortError' });

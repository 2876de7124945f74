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
  addEventListener?(
    type: string,
    listener: (event: { key?: string | null; oldValue?: string | null }) => void,
  ): void;
  removeEventListener?(type: string, listener: () => void): void;
}

interface Host extends Events {
  fetch?: Fetch;
  WebSocket?: SocketMaker;
  AbortController: new () => { signal: Signal; abort(): void };
  setTimeout(work: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  atob?(text: string): string;
  crypto?: { getRandomValues?(numbers: Uint32Array): Uint32Array; subtle?: Subtle };
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

/** Returns 128 random bits as a text of at most 43 characters, also where there is no `crypto.randomUUID`. */
export function randomId(): string {
  const numbers = new Uint32Array(4).map(() => Math.random() * 2 ** 32);
  host.crypto?.getRandomValues?.(numbers);
  return numbers.join('-');
}

/** Does work with a signal that is aborted after so long, or with the given one. */
export async function within<T>(
  ms: number,
  signal: Signal | undefined,
  work: (limit: Signal) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  const controller = new host.AbortController();
  const abort = () => controller.abort();
  const timer = host.setTimeout(abort, ms);
  signal?.addEventListener('abort', abort);
  try {
    return await work(controller.signal);
  } finally {
    host.clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Waits so long, or until the signal is aborted; then it throws the signal's reason. */
export async function sleep(ms: number, signal?: Signal): Promise<void> {
  const over = (limit: Signal) => new Promise<void>((resolve) => limit.addEventListener('abort', resolve));
  await within(ms, signal, over);
  throwIfAborted(signal);
}

/** Throws what an aborted call is rejected with. */
export function throwIfAborted(signal?: Signal): void {
  if (signal?.aborted) throw abortOf(signal);
}

/** Returns what an aborted call is rejected with. */
export const abortOf = ({ reason }: Signal): unknown =>
  reason ?? Object.assign(new Error('The call was aborted'), { name: 'AbortError' });

/** Calls a listener. What it throws is reported as uncaught, and stops nothing else. */
export function tell<Event>(listener: (event: Event) => void, event: Event): void {
  try {
    listener(event);
  } catch (error) {
    host.setTimeout(() => {
      throw error;
    }, 0);
  }
}

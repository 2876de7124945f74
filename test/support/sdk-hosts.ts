// Misbehaving surroundings of an SDK client: servers, storages, sockets and missing features of the host.
import assert from 'node:assert/strict';
import * as sdk from '../../sdk/src/index.ts';
import { type CreateClientOptions, createClient, memoryStorage, type Storage } from '../../sdk/src/index.ts';

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect?: string;
}
export type Reply = (sent: Sent) => Response | Promise<Response>;

/** A successful response. A list is a single page unless `more` says otherwise. */
export const ok = (data: unknown, more: object = {}) =>
  Response.json({
    success: true,
    message: 'OK',
    data,
    ...(Array.isArray(data) && { pagination: { page: 1, limit: 100, total: data.length, pages: 1 } }),
    meta: { timestamp: new Date().toISOString() },
    ...more,
  });
export const refused = (status: number, error: string) =>
  Response.json({ success: false, status, message: error, error, errorId: 'e', meta: {} }, { status });

/** A token that is valid for fifteen minutes after `iat`. */
export const tokenOf = (name: string, iat = 0) =>
  `${name}.${Buffer.from(JSON.stringify({ iat, exp: iat + 900 })).toString('base64url')}.s`;

export const signedInAs = (name: string) => ({ accessToken: tokenOf(name), refreshToken: `${name}-refresh` });

/** A server with replies by the end of the path; a request without a reply fails the test. */
function serverOf(replies: Record<string, Reply>) {
  const sent: Sent[] = [];
  const fetch = async (url: string, init: object): Promise<Response> => {
    const one = { url, ...init } as Sent;
    sent.push(one);
    const reply = Object.entries(replies).find(([end]) => new URL(url).pathname.endsWith(end))?.[1];
    assert.ok(reply, `there is no reply for ${url}`);
    return reply(one);
  };
  return { sent, fetch };
}

export const clientOf = (replies: Record<string, Reply>, more: Partial<CreateClientOptions> = {}) => {
  const { sent, fetch } = serverOf({ '/signin': () => ok(signedInAs('ada')), ...replies });
  const options = { baseUrl: 'http://platform.test', apiKey: 'secret-key', fetch, ...more };
  const api = createClient(options);
  const signIn = () => api.auth.signIn({ email: 'a@b.c', password: 'p', platform: 'web' });
  return { api, sent, options, signIn };
};

export const failureOf = async (call: PromiseLike<unknown>): Promise<sdk.PlatformError> => {
  const failure = await Promise.resolve(call).then(
    () => assert.fail('the request succeeded'),
    (error: unknown) => error,
  );
  assert.ok(failure instanceof sdk.PlatformError, String(failure));
  return failure;
};

/** An asynchronous storage with a delay, like that of a phone. */
export function slowStorage(): Storage {
  const storage = memoryStorage();
  const later = () => new Promise((resolve) => setTimeout(resolve, 2));
  return {
    get: async (key) => later().then(() => storage.get(key)),
    set: async (key, value) => later().then(() => storage.set(key, value)),
  };
}

type StorageListener = Parameters<NonNullable<Storage['subscribe']>>[0];

/** The storages of two browser tabs, each of which is notified about changes by the other. */
export function twoTabs(): [Storage, Storage] {
  const shared = memoryStorage();
  const listeners = [new Set<StorageListener>(), new Set<StorageListener>()] as const;
  const tab = (own: 0 | 1): Storage => ({
    get: shared.get,
    set: (key, value) => {
      shared.set(key, value);
      for (const listener of listeners[own === 0 ? 1 : 0]) listener(key);
    },
    subscribe: (listener) => void listeners[own].add(listener),
  });
  return [tab(0), tab(1)];
}

/** Runs work while a property of an object of the host, such as a global function, is undefined. */
export async function without(place: object, name: string, work: () => Promise<void>): Promise<void> {
  const own = Object.getOwnPropertyDescriptor(place, name);
  Object.defineProperty(place, name, { value: undefined, configurable: true, writable: true });
  try {
    await work();
  } finally {
    if (own) Object.defineProperty(place, name, own);
    else Reflect.deleteProperty(place, name);
  }
}

export class FakeSocket {
  static instances: FakeSocket[] = [];
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onopen: unknown = null;
  onmessage: unknown = null;
  onclose: unknown = null;
  onerror: unknown = null;
  constructor() {
    FakeSocket.instances.push(this);
    setTimeout(() => (this.onopen as (() => void) | null)?.(), 0);
  }
  send(text: string): void {
    const message = JSON.parse(text);
    this.sent.push(message);
    if (message.type === 'auth') this.say({ type: 'auth:success', data: { userId: 'u' } });
    if (message.type === 'subscribe')
      this.say({
        type: 'subscribed',
        requestId: message.requestId,
        data: { chatroomId: message.chatroomId, seq: 0, memberCount: 1, activeNow: 1, more: true },
      });
  }
  say(message: object): void {
    setTimeout(
      () => (this.onmessage as ((event: object) => void) | null)?.({ data: JSON.stringify(message) }),
      0,
    );
  }
  raw(data: string): void {
    (this.onmessage as ((event: object) => void) | null)?.({ data });
  }
  /** Closes the connection, as a lost network does unless there is a code. */
  disconnect(code = 1006): void {
    (this.onclose as ((event: object) => void) | null)?.({ code, reason: '' });
  }
  close(): void {
    this.readyState = 3;
  }
}

export const message = (seq: number) => ({
  type: 'chat:message',
  seq,
  data: { chatroomId: 'room', messageId: `m${seq}`, userId: 'u', message: `no. ${seq}`, timestamp: 'now' },
});

export const WebSocket = FakeSocket as unknown as sdk.SocketMaker;

import { host } from './host.ts';

type Eventually<T> = T | Promise<T>;

/** Where the SDK keeps tokens, the id of the device and the keys of intents, all as text. */
export interface Storage {
  get(key: string): Eventually<string | null | undefined>;
  /** undefined removes it. */
  set(key: string, value: string | undefined): Eventually<void>;
  /** Tells what others have changed who share it, such as other tabs, and what was there before. */
  subscribe?(listener: (key: string, former: string | null | undefined) => void): void;
}

/** Forgets everything with the process: for servers and tests. */
export function memoryStorage(): Storage {
  const kept = new Map<string, string | undefined>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
  };
}

/** Keeps everything in the browser's local storage, for all tabs of the origin. */
export function browserStorage(name = 'platform'): Storage {
  const { localStorage } = host;
  if (!localStorage) throw new Error('There is no localStorage here: use memoryStorage, or bring a storage');
  return {
    get: (key) => localStorage.getItem(`${name}:${key}`),
    set: (key, value) =>
      value === undefined
        ? localStorage.removeItem(`${name}:${key}`)
        : localStorage.setItem(`${name}:${key}`, value),
    subscribe: (listener) =>
      host.addEventListener?.('storage', ({ key, oldValue }) => {
        if (key?.startsWith(`${name}:`)) listener(key.slice(name.length + 1), oldValue);
      }),
  };
}

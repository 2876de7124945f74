import { host } from './host.ts';

type Eventually<T> = T | Promise<T>;

/** The storage of the SDK: tokens, the id of the device and the keys of intents, all as text. */
export interface Storage {
  get(key: string): Eventually<string | null | undefined>;
  /** undefined removes the value. */
  set(key: string, value: string | undefined): Eventually<void>;
  /** Calls the listener with each key that others who share the storage have changed, such as other tabs. */
  subscribe?(listener: (key: string) => void): void;
  /** Runs work exclusively among those who share the storage, because a refresh token can be used only once. */
  alone?<T>(work: () => Promise<T>): Promise<T>;
}

/** Runs work in one tab of the browser at a time, if the browser has locks. */
const aloneAmongTabs: NonNullable<Storage['alone']> = (work) =>
  host.navigator?.locks?.request('platform refresh', work) ?? work();

/** A custom storage, which tabs may share. */
export const sharedByTabs = (storage: Storage): Storage => ({
  get: (key) => storage.get(key),
  set: (key, value) => storage.set(key, value),
  ...(storage.subscribe && { subscribe: (listener) => storage.subscribe?.(listener) }),
  alone: (work) => storage.alone?.(work) ?? aloneAmongTabs(work),
});

/** Stores everything in memory: for servers and tests. */
export function memoryStorage(): Storage {
  const kept = new Map<string, string | undefined>();
  return {
    get: (key) => kept.get(key),
    set(key, value) {
      kept.set(key, value);
    },
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
    subscribe(listener) {
      host.addEventListener?.('storage', ({ key }) => {
        // Without a key everything was cleared.
        if (key === null) listener('tokens');
        else if (key?.startsWith(`${name}:`)) listener(key.slice(name.length + 1));
      });
      // A page restored from the back/forward cache has missed all changes in the meantime.
      host.addEventListener?.('pageshow', ({ persisted }) => {
        if (persisted) listener('tokens');
      });
    },
    alone: aloneAmongTabs,
  };
}

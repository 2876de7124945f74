import { useEffect, useState } from 'preact/hooks';

/** A value that components follow. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

export function store<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders again whenever the store changes. */
export function useStore<Value>({ get, subscribe }: Store<Value>): Value {
  const [value, setValue] = useState(get);
  useEffect(() => {
    const follow = () => setValue(() => get());
    follow();
    return subscribe(follow);
  }, [get, subscribe]);
  return value;
}

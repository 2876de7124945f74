import { useEffect, useState } from 'preact/hooks';

/** An observable value. */
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

/** Returns the store's value, and renders the component again when it changes. */
export function useStore<Value>({ get, subscribe }: Store<Value>): Value {
  const [value, setValue] = useState(get);
  useEffect(() => {
    const follow = () => setValue(() => get());
    follow();
    return subscribe(follow);
  }, [get, subscribe]);
  return value;
}

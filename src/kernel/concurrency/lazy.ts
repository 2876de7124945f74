/** Returns a function that computes a value on its first call and returns the same value on every later one. */
export function lazy<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

/** Returns a function that computes a value on the first call with an object, and returns it for the same object later. */
export function memoized<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const computed = new WeakMap<Key, { value: Value }>();
  return (key) => {
    let remembered = computed.get(key);
    if (!remembered) {
      remembered = { value: compute(key) };
      computed.set(key, remembered);
    }
    return remembered.value;
  };
}

/** Returns a function whose concurrent callers share one run of `work`; the next caller begins another. */
export function shared<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

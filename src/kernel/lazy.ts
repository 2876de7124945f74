/** Returns a function that computes a value on its first call and returns the same value on every later one. */
export function lazy<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

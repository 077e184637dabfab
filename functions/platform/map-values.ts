/** A record with the same keys, and for each value what `map` makes of it. */
export const mapValues = <Key extends string, Value, Result>(
  record: Readonly<Record<Key, Value>>,
  map: (value: Value) => Result,
): Record<Key, Result> =>
  Object.fromEntries(Object.entries<Value>(record).map(([key, value]) => [key, map(value)])) as Record<
    Key,
    Result
  >

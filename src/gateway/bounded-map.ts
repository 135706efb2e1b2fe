/** BoundedMap: a Map that forgets what was longest unused. */

export interface BoundedMap<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
}

/** @param limit the sum of the sizes that it holds at most */
export function boundedMap<Value>(limit: number, sizeOf: (value: Value) => number): BoundedMap<Value> {
  const values = new Map<string, Value>();
  let size = 0;
  const remove = (key: string): void => {
    const value = values.get(key);
    if (value !== undefined && values.delete(key)) size -= sizeOf(value);
  };
  return {
    get: (key) => {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set: (key, value) => {
      remove(key);
      values.set(key, value);
      size += sizeOf(value);
      for (const oldest of values.keys()) {
        if (size <= limit || values.size === 1) break;
        remove(oldest);
      }
    },
  };
}

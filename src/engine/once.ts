/** once: what is made from an object that never changes, made once and kept as long as the object is there. */
export function once<Key extends object, Made>(): (key: Key | undefined, make: () => Made) => Made {
  const known = new WeakMap<Key, Made>();
  return (key, make) => {
    let made = key && known.get(key);
    if (made === undefined) {
      made = make();
      if (key) known.set(key, made);
    }
    return made;
  };
}

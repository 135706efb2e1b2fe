/** hasName: whether a Host header has one of some names, on any port. */

/** @param names in small letters */
export function hasName(host: string, names: readonly string[]): boolean {
  return names.includes(host.replace(/:\d{1,5}$/, "").toLowerCase());
}

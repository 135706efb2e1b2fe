/** Unlisted names: what a door keeps in an archive beside conversations, and no list of conversations shows. */

export const UNLISTED_PREFIX = "unlisted:";

/** `unlisted("local/3f…")` → the name under which it is stored. */
export function unlisted(name: string): string {
  return `${UNLISTED_PREFIX}${name}`;
}

/** Unlisted names: what a door keeps in an archive beside conversations, and no list of conversations shows. */
import type { Forget } from "./archive.ts";

export const UNLISTED_PREFIX = "unlisted:";

/** `unlisted("local/3f…")` → the name under which it is stored. */
export function unlisted(name: string): string {
  return `${UNLISTED_PREFIX}${name}`;
}

/** What a door clears away of its own: nobody has read it anywhere else. */
export function isOfUnlisted(what: Forget): boolean {
  return "conversation" in what && what.conversation.startsWith(UNLISTED_PREFIX);
}

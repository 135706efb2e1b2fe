/** Fence: marks where untrusted text begins and ends, in a way that the text itself cannot imitate (R47). */
import { createHash } from "node:crypto";

export interface Fence {
  readonly open: string;
  readonly close: string;
}

/** The same texts give the same fence; its name is made from them and is in none of them. */
export function fenceFor(texts: readonly string[]): Fence {
  for (let salt = 0; ; salt++) {
    const hash = createHash("sha256").update(String(salt));
    for (const text of texts) hash.update(text).update("\0");
    const name = `turn-${hash.digest("hex").slice(0, 12)}`;
    if (!texts.some((text) => text.includes(name))) return { open: `<${name}>`, close: `</${name}>` };
  }
}

/** Any fence of ours, whatever its name: no summary has a reason to hold one. */
export const ANY_FENCE = /<\/?turn-[0-9a-f]{12}>/;

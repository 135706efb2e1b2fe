/** Seals: signatures and ciphertext of thinking, wherever an SDK has put what the provider gave. */
import { isObject } from "../json/wire-value.ts";

const SEAL_KEYS: ReadonlySet<string> = new Set([
  "signature",
  "thoughtSignature",
  "encrypted_content",
  "encryptedContent",
  "reasoningEncryptedContent",
  "redactedData",
  "redactedContent",
]);

/**
 * All of them, one after the other; "" where there are none.
 *
 *     { anthropic: { signature: "EpEQ…" } } → "EpEQ…"
 */
export function sealIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(sealIn).join("");
  if (!isObject(value)) return "";
  return Object.entries(value)
    .map(([key, member]) => {
      if (typeof member !== "string") return sealIn(member);
      return SEAL_KEYS.has(key) || (key === "data" && value.type === "redacted_thinking") ? member : "";
    })
    .join("");
}

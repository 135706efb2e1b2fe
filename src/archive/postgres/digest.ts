/** digestOf: the hash that stands for the name of a conversation, which may be longer than an index entry. */
import { createHash } from "node:crypto";

/** The SHA-256 by which a conversation is found. */
export function digestOf(name: string): Buffer {
  return createHash("sha256").update(name).digest();
}

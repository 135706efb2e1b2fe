/** The split: which recorded conversations may be read while an engine is made, and which only give figures. */
import { createHash } from "node:crypto";

export type Half = "open" | "closed";

/** By the first byte of the sha256 of its id: odd is closed. What works on the closed half was not made from it. */
export function halfOf(conversation: string): Half {
  return createHash("sha256").update(conversation).digest()[0]! % 2 === 1 ? "closed" : "open";
}

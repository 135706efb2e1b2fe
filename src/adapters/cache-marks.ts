/**
 * Cache marks: where a caller wants the provider's cache to break. They move from call to call, so they are no part of
 * what a message says.
 */
import { createHash } from "node:crypto";
import { asBlocks } from "../json/canonical-text.ts";

/** As the Anthropic API, the AI SDK and Bedrock have them. */
const CACHE_KEYS: ReadonlySet<string> = new Set(["cache_control", "cacheControl", "cachePoint"]);

/** What a message says, in short: equal for equal messages, wherever the cache marks are. A text that became a block to carry one is still the same. */
export function fingerprintOf(message: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(asBlocks(withoutCacheMarks(message))) ?? "")
    .digest("base64url");
}

export function hasCacheMarks(value: unknown): boolean {
  return withoutCacheMarks(value) !== value;
}

/** The same without the marks, and without the objects that held nothing else; the very value where there are none. */
export function withoutCacheMarks<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || isLeaf(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutCacheMarks);
    return items.every((item, index) => item === value[index]) ? value : (items as Value);
  }
  let changed = false;
  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const rest = CACHE_KEYS.has(key) ? undefined : withoutCacheMarks(member);
    if (rest !== member) changed = true;
    if (rest === member || !isEmpty(rest)) kept.push([key, rest]);
  }
  if (!changed) return value;
  return Object.assign(Object.create(Object.getPrototypeOf(value)), Object.fromEntries(kept));
}

function isLeaf(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof URL || value instanceof Date;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

/** canonicalText: one text for all the ways to write the same message of a request. */
import { isObject } from "./wire-value.ts";

/**
 * Keys sorted, nothing that is null or empty, and without the cache marks that clients move from message to message. A text
 * that becomes a block to carry such a mark is still the same.
 */
export function canonicalText(message: unknown): string {
  return textOf(asBlocks(message));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .filter((key) => !isNothing(value[key]) && !(key === "cache_control" && isObject(value[key])))
    .sort()
    .map((key) => `${JSON.stringify(key)}:${textOf(value[key])}`);
  return `{${members.join(",")}}`;
}

/** A text as the block that a cache mark needs: `content: "x"` → `content: [{ type: "text", text: "x" }]` */
export function asBlocks(message: unknown): unknown {
  if (!isObject(message) || typeof message.content !== "string") return message;
  return { ...message, content: [{ type: "text", text: message.content }] };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

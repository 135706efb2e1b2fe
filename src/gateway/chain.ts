/** The hash chain over a client's messages: equal prefixes of two conversations have equal links, and no others. */
import { hash } from "node:crypto";
import { isObject } from "../json/wire-value.ts";

/** What tells two conversations apart that say the same. */
export interface ChainSeed {
  readonly tenant: string;
  /** The name that the client gives its conversation, where it gives one. */
  readonly conversation?: string | undefined;
}

/** The link before any message. */
export function firstLink({ tenant, conversation }: ChainSeed): string {
  return hash("sha256", JSON.stringify(["pith-chain-1", tenant, conversation ?? null]));
}

export function nextLink(link: string, digest: string): string {
  return hash("sha256", `${link}${digest}`);
}

/** What stands for a message in the chain. */
export function digestOf(message: unknown): string {
  return hash("sha256", canonicalText(asBlocks(message)));
}

/**
 * One text for all the ways to write the same message: keys sorted, nothing that is null or empty, and without the cache
 * marks that clients move from message to message. A text that becomes a block to carry such a mark is still the same.
 */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .filter((key) => !isNothing(value[key]) && !(key === "cache_control" && isObject(value[key])))
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${members.join(",")}}`;
}

function asBlocks(message: unknown): unknown {
  if (!isObject(message) || typeof message.content !== "string") return message;
  return { ...message, content: [{ type: "text", text: message.content }] };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

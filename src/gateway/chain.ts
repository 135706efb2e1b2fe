/** The hash chain over a client's messages: equal prefixes of two conversations have equal links, and no others. */
import { hash } from "node:crypto";
import { canonicalText } from "../json/canonical-text.ts";

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
  return hash("sha256", canonicalText(message));
}

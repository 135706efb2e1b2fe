/** toldName: a name that a client chose, such as a request's id or its model, as log and metrics tell it. */
import type { IncomingMessage } from "node:http";
import { maskOf } from "../redact/found-secret.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import { PROVIDER_KEYS } from "./caller.ts";

/** Shorter, it would be found in names by chance. */
const SHORTEST_KEY = 8;

/** Without the keys that came with it, of whatever shape, and without secrets that have something before them: `req-sk-proj-…` */
export function toldName(name: string, { headers }: Pick<IncomingMessage, "headers">): string {
  const keys = [...PROVIDER_KEYS, "x-pith-key"].flatMap((header) => keyIn(headers[header]) ?? []);
  const keyless = keys.reduce((told, key) => told.replaceAll(key, maskOf("key")), name);
  return maskedFromEachPart(keyless, MOST_PARTS);
}

/** `Bearer KEY` → `KEY` */
function keyIn(header: string | readonly string[] | undefined): string | undefined {
  const key = typeof header === "string" ? header.slice(header.lastIndexOf(" ") + 1) : "";
  return key.length < SHORTEST_KEY ? undefined : key;
}

const MOST_PARTS = 8;
const SHORTEST_SECRET = 16;

/** A secret is known by how it begins, which in a name may be after any of its signs. */
function maskedFromEachPart(name: string, parts: number): string {
  if (parts === 0 || name.length < SHORTEST_SECRET) return name;
  const masked = redactSecrets(name).text;
  const rest = masked.search(/[^A-Za-z0-9]/) + 1;
  return rest === 0 ? masked : masked.slice(0, rest) + maskedFromEachPart(masked.slice(rest), parts - 1);
}

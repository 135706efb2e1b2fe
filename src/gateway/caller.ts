/** callerOf: whose a request is: the tenant of its key, or, where no keys are asked for, whoever has the provider's key. */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Keyring } from "../keys/keyring.ts";
import { OPERATOR } from "../keys/read-keys.ts";
import { GatewayRefusal } from "./refusals.ts";

/** Without keys, all is of tenants that begin with this; of this one what comes without a key for the provider. */
export const ONLY_TENANT = "local";

/** Where clients have the key for their provider. */
export const PROVIDER_KEYS = ["authorization", "x-api-key", "api-key", "x-goog-api-key"] as const;
const HASH_LENGTH = 16;

/** Throws GatewayRefusal. */
export function callerOf({ headers, socket }: IncomingMessage, keys: Keyring | undefined): string {
  if (!keys) return tenantByProviderKey(headers);
  const admitted = keys.admit(headers["x-pith-key"], socket.remoteAddress);
  if ("tenant" in admitted && admitted.tenant !== OPERATOR) return admitted.tenant;
  if ("refused" in admitted && admitted.refused === "limited")
    throw new GatewayRefusal("limited", "too many wrong keys came from this address. Try again in a minute.");
  throw new GatewayRefusal("unauthorized", "give a key of this gateway in x-pith-key.");
}

/** Two clients that say the same are one only if they pay with the same key. It is known by its hash alone. */
function tenantByProviderKey(headers: IncomingMessage["headers"]): string {
  const given = PROVIDER_KEYS.map((name) => headers[name]).filter((value) => value !== undefined);
  if (given.length === 0) return ONLY_TENANT;
  return `${ONLY_TENANT}-${hash("sha256", JSON.stringify(["pith-tenant-1", given])).slice(0, HASH_LENGTH)}`;
}

/** Whether a conversation is of any tenant that there is without keys. */
export function isWithoutKeys(conversation: string): boolean {
  return conversation.startsWith(`${ONLY_TENANT}/`) || conversation.startsWith(`${ONLY_TENANT}-`);
}

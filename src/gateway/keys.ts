/** Keys: who may use the gateway, and as which tenant. Only hashes of the keys are known here. */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { OptionsError } from "../errors/options-error.ts";

export interface Key {
  readonly tenant: string;
  /** SHA-256 of the key. */
  readonly digest: Buffer;
}

/** What requests belong to where no keys are asked for. */
export const ONLY_TENANT = "local";

/**
 * Reads a file of lines `tenant sha256-in-hex`; empty lines and lines from # on are left out. Throws OptionsError.
 *
 *     printf %s "$KEY" | sha256sum
 */
export function readKeys(file: string): readonly Key[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new OptionsError("--keys", `--keys ${file}: ${(cause as Error).message}.`);
  }
  const keys = text.split(/\r?\n/).flatMap((line, index): readonly Key[] => {
    const content = line.replace(/#.*$/, "").trim();
    if (content === "") return [];
    const [, tenant, hex] = /^([\w.-]{1,64})\s+([\da-f]{64})$/i.exec(content) ?? [];
    if (tenant !== undefined && hex !== undefined) return [{ tenant, digest: Buffer.from(hex, "hex") }];
    throw new OptionsError(
      "--keys",
      `--keys ${file}, line ${index + 1}: give a tenant's name and the SHA-256 of its key in hex.`,
    );
  });
  if (keys.length > 0) return keys;
  throw new OptionsError("--keys", `--keys ${file}: there is no key in it, so nobody could use the gateway.`);
}

/** The tenant of the key that was presented. Every key is compared, whichever fits, so that time tells nothing. */
export function tenantOf(presented: unknown, keys: readonly Key[] | undefined): string | undefined {
  if (!keys) return ONLY_TENANT;
  if (typeof presented !== "string") return undefined;
  const digest = createHash("sha256").update(presented).digest();
  let tenant: string | undefined;
  for (const key of keys) if (timingSafeEqual(digest, key.digest)) tenant = key.tenant;
  return tenant;
}

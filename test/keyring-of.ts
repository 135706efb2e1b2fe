/** keyringOf: the keys of some tenants, from a file as people write it. */
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyring, type Keyring } from "../src/keys/keyring.ts";

/** @param keys of each tenant, in clear; the operator's is under `*` */
export function keyringOf(keys: Readonly<Record<string, string>>): Keyring {
  return createKeyring(keysFile(keys));
}

export function keysFile(keys: Readonly<Record<string, string>>): string {
  const file = join(mkdtempSync(join(tmpdir(), "pith-keys-")), "keys");
  const line = ([tenant, key]: [string, string]) =>
    `${tenant} ${createHash("sha256").update(key).digest("hex")}\n`;
  writeFileSync(file, Object.entries(keys).map(line).join(""));
  return file;
}

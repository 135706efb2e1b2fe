/** readKeys: who may use a door that others can reach, and as which tenant. Only hashes of the keys are in the file. */
import { readFileSync } from "node:fs";
import { OptionsError } from "../errors/options-error.ts";

export interface Key {
  readonly tenant: string;
  /** SHA-256 of the key. */
  readonly digest: Buffer;
  /** It is no key any more from then on. Milliseconds since the epoch. */
  readonly until?: number;
}

/** The tenant of whoever runs the gateway: its key reads the metrics of all, and no conversation. */
export const OPERATOR = "*";

/**
 * Reads a file of lines `tenant sha256-in-hex`, with a date behind it where the key expires; empty lines and lines from # on
 * are left out. Throws OptionsError.
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
    const key = readKey(content);
    if (key) return [key];
    throw new OptionsError(
      "--keys",
      `--keys ${file}, line ${index + 1}: give a tenant's name and the SHA-256 of its key in hex, and the date where it expires.`,
    );
  });
  if (keys.length > 0) return keys;
  throw new OptionsError("--keys", `--keys ${file}: there is no key in it, so nobody could come in.`);
}

const LINE = /^([\w.-]{1,64}|\*)\s+([\da-f]{64})(?:\s+(\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?))?$/i;

function readKey(line: string): Key | undefined {
  const [, tenant, hex, date] = LINE.exec(line) ?? [];
  if (tenant === undefined || hex === undefined) return undefined;
  const until = date === undefined ? undefined : Date.parse(date);
  if (Number.isNaN(until)) return undefined;
  return { tenant, digest: Buffer.from(hex, "hex"), ...(until !== undefined && { until }) };
}

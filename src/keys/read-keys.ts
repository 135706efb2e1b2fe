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

/** The keys of a file, and what is wrong with it: its wrong lines, or that nobody could come in. */
export interface KeysRead {
  readonly keys: readonly Key[];
  readonly faults: readonly OptionsError[];
}

/** Throws OptionsError where anything is wrong with the file. */
export function readKeys(file: string): readonly Key[] {
  const { keys, faults } = readKeysLeniently(file);
  if (faults[0]) throw faults[0];
  return keys;
}

/**
 * Reads a file of lines `tenant sha256-in-hex`, with a date behind it where the key expires; empty lines and lines from # on
 * are left out, and wrong ones too. Throws OptionsError where the file cannot be read.
 *
 *     printf %s "$KEY" | sha256sum
 */
export function readKeysLeniently(file: string): KeysRead {
  const keys: Key[] = [];
  const faults: OptionsError[] = [];
  for (const [index, line] of textOf(file).split(/\r?\n/).entries()) {
    const content = line.replace(/#.*$/, "").trim();
    if (content === "") continue;
    const key = readKey(content);
    if (key) keys.push(key);
    else faults.push(wrongLine(file, index + 1));
  }
  if (keys.length === 0 && faults.length === 0)
    faults.push(
      new OptionsError("--keys", `--keys ${file}: there is no key in it, so nobody could come in.`),
    );
  return { keys, faults };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OptionsError("--keys", `--keys ${file}: ${(cause as Error).message}.`);
  }
}

function wrongLine(file: string, number: number): OptionsError {
  return new OptionsError(
    "--keys",
    `--keys ${file}, line ${number}: give a tenant's name and the SHA-256 of its key in hex, and the date where it expires.`,
  );
}

const LINE = /^([\w.-]{1,64}|\*)\s+([\da-f]{64})(?:\s+(\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?))?$/i;

function readKey(line: string): Key | undefined {
  const [, tenant, hex, date] = LINE.exec(line) ?? [];
  if (tenant === undefined || hex === undefined) return undefined;
  const until = date === undefined ? undefined : Date.parse(date);
  if (Number.isNaN(until)) return undefined;
  return { tenant, digest: Buffer.from(hex, "hex"), ...(until !== undefined && { until }) };
}

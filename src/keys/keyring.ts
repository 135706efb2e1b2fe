/** Keyring: the keys of a file as they are now. The file may change while a door is open, keys expire, and guessing is limited. */
import { createHash, timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { type Key, readKeys, readKeysLeniently } from "./read-keys.ts";

export interface Keyring {
  /** Who presents a key. @param from the address that it came from, where one is known */
  readonly admit: (presented: unknown, from?: string) => Admitted;
  /** Those that have a key now. */
  readonly tenants: () => readonly string[];
}

/** `limited`: this key is wrong, and so were too many others from there. */
export type Admitted =
  | { readonly tenant: string; readonly stays: () => boolean }
  | { readonly refused: "unknown" | "limited" };

export interface KeyringOptions {
  /** Hears why a file that changed could not be read again, so that the keys stay as they were, or what is wrong with it. */
  readonly onFault?: (reason: string) => void;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
}

/** How often the file is looked at. */
const LOOK_MS = 1_000;

/** So many wrong keys may come from one address in that time. */
const MOST_WRONG = 20;
const WRONG_MS = 60_000;
/** Addresses that are remembered; past that the first is forgotten. */
const MOST_ADDRESSES = 10_000;

/** Throws OptionsError where anything is wrong with the file at the start. */
export function createKeyring(file: string, options: KeyringOptions = {}): Keyring {
  const { onFault = () => {}, clock = Date.now } = options;
  let keys = readKeys(file);
  let version = versionOf(file);
  let lookedAt = clock();
  const wrong = new Map<string, number[]>();

  const current = (): readonly Key[] => {
    const now = clock();
    if (Math.abs(now - lookedAt) < LOOK_MS) return keys;
    lookedAt = now;
    const found = versionOf(file);
    if (found === version) return keys;
    version = found;
    try {
      // A removed key is out, whatever else is wrong with the file.
      const read = readKeysLeniently(file);
      keys = read.keys;
      for (const { message } of read.faults) onFault(message);
    } catch (error) {
      onFault((error as Error).message);
    }
    return keys;
  };

  /** Every key is compared, whichever fits, so that time tells nothing. */
  const tenantOf = (digest: Buffer): string | undefined => {
    const now = clock();
    let tenant: string | undefined;
    for (const key of current()) {
      if (timingSafeEqual(digest, key.digest) && now < (key.until ?? Infinity)) tenant = key.tenant;
    }
    return tenant;
  };

  const wrongFrom = (from: string): readonly number[] => {
    const since = clock() - WRONG_MS;
    return (wrong.get(from) ?? []).filter((at) => at > since);
  };
  const noteWrong = (from: string): void => {
    const times = [...wrongFrom(from), clock()].slice(-MOST_WRONG);
    wrong.delete(from);
    wrong.set(from, times);
    if (wrong.size > MOST_ADDRESSES) wrong.delete(wrong.keys().next().value!);
  };

  return {
    tenants: () => [...new Set(current().map(({ tenant }) => tenant))],
    admit: (presented, from = "") => {
      if (typeof presented !== "string" || presented === "") return { refused: "unknown" };
      const digest = createHash("sha256").update(presented).digest();
      const tenant = tenantOf(digest);
      // Behind one proxy there are many: a guesser among them must not lock out those with a right key.
      if (tenant !== undefined) return { tenant, stays: () => tenantOf(digest) === tenant };
      const isLimited = wrongFrom(from).length >= MOST_WRONG;
      noteWrong(from);
      return { refused: isLimited ? "limited" : "unknown" };
    },
  };
}

/** Another one whenever the file was written, also in place; a volume of Kubernetes is exchanged as a link. */
function versionOf(file: string): string {
  try {
    const { mtimeMs, ino, size } = statSync(file);
    return `${mtimeMs} ${ino} ${size}`;
  } catch (error) {
    return String(error);
  }
}

/** The gateway's log: one JSON object a line, without secrets. */
import { maskJson } from "../redact/mask-json.ts";
import type { MaskedText } from "../redact/masked-text.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";

export type Level = "info" | "warn" | "error";
export type Log = (level: Level, event: string, fields?: Readonly<Record<string, unknown>>) => void;

const LONGEST_TEXT = 500;
const MOST_LOOKED_AT = 20_000;

/** Every text in the fields, however deep, is masked and cut; numbers and flags stay as they are. */
export function createLog(write: (line: MaskedText) => void, clock: () => number = Date.now): Log {
  return (level, event, fields = {}) => {
    const line = { time: new Date(clock()).toISOString(), level, event, ...fields };
    write(maskJson(`${JSON.stringify(line, (_, value) => cleanValue(value))}\n`).text);
  };
}

function cleanValue(value: unknown): unknown {
  return typeof value === "string" ? cleanText(value) : value;
}

/** Nothing shorter is taken for a secret. */
const SHORTEST_SECRET = 8;

function cleanText(text: string): string {
  if (text.length < SHORTEST_SECRET) return text;
  // Cut last: of half a secret nobody would know that it is one.
  return redactSecrets(text.slice(0, MOST_LOOKED_AT)).text.slice(0, LONGEST_TEXT);
}

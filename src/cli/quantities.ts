/** Quantities on the command line: ports, times, sizes and counts. All throw OptionsError. */
import { OptionsError } from "../errors/options-error.ts";
import { readTokens } from "../tokens/read-tokens.ts";

export function portNumber(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new OptionsError("--port", `--port ${given}: give a number up to 65535; 0 takes a free one.`);
}

export function workerCount(given: string): number {
  if (/^\d{1,2}$/.test(given) && Number(given) >= 1 && Number(given) <= 64) return Number(given);
  throw new OptionsError("--workers", `--workers ${given}: give a number of threads from 1 to 64.`);
}

export function tokenCount(given: string): number {
  const tokens = readTokens(given) ?? 0;
  if (tokens >= 60 && tokens < 10_000_000) return tokens;
  throw new OptionsError("--max-tokens", `--max-tokens ${given}: give a number of tokens, 60 or more.`);
}

export function offsetNumber(given: string): number {
  if (/^\d{1,12}$/.test(given)) return Number(given);
  throw new OptionsError("--offset", `--offset ${given}: give the number from the last page.`);
}

/** `durationMs("2s")` → 2000 */
export function durationMs(given: string): number {
  const ms = msIn("--deadline", given);
  if (ms !== undefined && ms >= 1 && ms <= 600_000) return Math.round(ms);
  throw new OptionsError("--deadline", `--deadline ${given}: give a time such as 500ms or 2s, up to 600s.`);
}

/** `graceMs("0s")` → 0 */
export function graceMs(given: string): number {
  const ms = msIn("--grace", given);
  if (ms !== undefined && ms <= 600_000) return Math.round(ms);
  throw new OptionsError("--grace", `--grace ${given}: give a time such as 5s or 0s, up to 600s.`);
}

/** A number alone could be either; only nothing at all is the same in both. Undefined for what is no time. */
function msIn(flag: string, given: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/.exec(given) ?? [];
  if (amount === undefined) return undefined;
  if (unit === undefined && Number(amount) !== 0)
    throw new OptionsError(flag, `${flag} ${given}: give a unit, ${given}s or ${given}ms.`);
  return Number(amount) * (unit === "s" ? 1_000 : 1);
}

export function memoryBytes(given: string): number {
  const bytes = sizeBytes(given) ?? 0;
  if (bytes >= 256 * 1024 ** 2) return bytes;
  throw new OptionsError("--memory", `--memory ${given}: give a size such as 2GB, from 256MB on.`);
}

export function bodyBytes(given: string): number {
  const bytes = sizeBytes(given) ?? 0;
  if (bytes >= 1 && bytes <= 256 * 1024 ** 2) return bytes;
  throw new OptionsError("--max-body", `--max-body ${given}: give a size such as 64MB, up to 256MB.`);
}

export function archiveBytes(given: string): number {
  const bytes = sizeBytes(given);
  if (bytes !== undefined) return bytes;
  throw new OptionsError("--max-size", `--max-size ${given}: give a size such as 500MB or 5GB.`);
}

/** `pastTime("90d", now)` → the milliseconds of the time 90 days before now; a date is its start in UTC */
export function pastTime(given: string, now: number): number {
  const [, amount, unit = ""] = /^(\d{1,6})\s*(m|h|d|w)$/.exec(given) ?? [];
  const time = amount === undefined ? dateOf(given) : now - Number(amount) * TIMES[unit]!;
  if (time <= now) return time;
  throw new OptionsError(
    "--before",
    `--before ${given}: give an age such as 90d (m, h, d or w), or a past date such as 2026-01-31.`,
  );
}

/** NaN for what is none. */
function dateOf(given: string): number {
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(given) ? Date.parse(given) : Number.NaN;
}

const HOUR_MS = 3_600_000;
const TIMES: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS, w: 168 * HOUR_MS };

/** `sizeBytes("1MB")`, `"1m"`, `"1,024KB"` → 1048576 */
function sizeBytes(given: string): number | undefined {
  const [, amount, unit = ""] =
    /^((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s*(?:([KMGT])B?)?$/i.exec(given.trim()) ?? [];
  const bytes = Math.round(Number(amount?.replaceAll(",", "")) * (UNITS[`${unit.toUpperCase()}B`] ?? 1));
  return amount !== undefined && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** `printedBytes(1_572_864)` → "1.5 MB" */
export function printedBytes(bytes: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, each]) => bytes >= each) ?? ["bytes", 1];
  return `${size === 1 ? bytes : (bytes / size).toFixed(1)} ${unit}`;
}

const UNITS: Readonly<Record<string, number>> = {
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

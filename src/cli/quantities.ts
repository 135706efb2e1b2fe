/** Quantities on the command line: ports, times, sizes and counts. All throw OptionsError. */
import { OptionsError } from "../errors/options-error.ts";

export function portNumber(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new OptionsError("--port", `--port ${given}: give a number up to 65535; 0 takes a free one.`);
}

export function workerCount(given: string): number {
  if (/^\d{1,2}$/.test(given) && Number(given) >= 1 && Number(given) <= 64) return Number(given);
  throw new OptionsError("--workers", `--workers ${given}: give a number of threads from 1 to 64.`);
}

export function tokenCount(given: string): number {
  if (/^\d{2,7}$/.test(given) && Number(given) >= 60) return Number(given);
  throw new OptionsError("--max-tokens", `--max-tokens ${given}: give a number of tokens, 60 or more.`);
}

export function offsetNumber(given: string): number {
  if (/^\d{1,12}$/.test(given)) return Number(given);
  throw new OptionsError("--offset", `--offset ${given}: give the number from the last page.`);
}

/** `durationMs("2s")` → 2000 */
export function durationMs(given: string): number {
  const [, amount, unit = "ms"] = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/.exec(given) ?? [];
  const ms = Number(amount) * (unit === "s" ? 1_000 : 1);
  if (amount !== undefined && ms >= 1 && ms <= 600_000) return Math.round(ms);
  throw new OptionsError("--deadline", `--deadline ${given}: give a time such as 500ms or 2s, up to 600s.`);
}

/** `sizeBytes("1MB")` → 1048576 */
export function sizeBytes(given: string): number {
  const [, amount, unit = ""] = /^(\d+)\s*(KB|MB|GB)?$/i.exec(given) ?? [];
  const bytes = Number(amount) * (UNITS[unit.toUpperCase()] ?? 1);
  if (amount !== undefined && bytes >= 1 && bytes <= 256 * 1024 ** 2) return bytes;
  throw new OptionsError("--max-body", `--max-body ${given}: give a size such as 64MB, up to 256MB.`);
}

const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** readTokens: a number of tokens as people type it on a command line. */

/** `128000`, `128,000`, `128k` and `0.128m` → 128000. Undefined for what is no whole number of tokens. */
export function readTokens(text: string): number | undefined {
  const [, whole, decimals = "", unit = ""] = AMOUNT.exec(text.trim()) ?? [];
  const zeros = ZEROS[unit.toLowerCase()]!;
  if (whole === undefined || decimals.length > zeros) return undefined;
  const tokens = Number(whole.replaceAll(",", "") + decimals.padEnd(zeros, "0"));
  return Number.isSafeInteger(tokens) ? tokens : undefined;
}

/** Commas only between thousands: `5,00` may be a slip, and `1.5` is half a token. */
const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?\s*([km])?$/i;
const ZEROS: Readonly<Record<string, number>> = { "": 0, k: 3, m: 6 };

/** Numbers with a unit, made comparable: durations in seconds, sizes in bytes. */

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3_600,
  d: 86_400,
};

const BYTES: Readonly<Record<string, number>> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** `900ms` → 0.9, `1m30s` → 90, `3d4h` → 273,600. */
export function durationOf(text: string): number | undefined {
  if (text.length > 24 || !/^[-+]?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|sec|s|min|m|h|d)){1,4}$/.test(text)) {
    return undefined;
  }
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)([a-zµ]+)/g)) {
    seconds += Number(amount) * SECONDS[unit!]!;
  }
  return text.startsWith("-") ? -seconds : seconds;
}

/** `1.5MB`, `512Ki`, `3GiB` in bytes. */
export function sizeOf(text: string): number | undefined {
  const match = /^([-+]?\d[\d,]*(?:\.\d+)?)([KMGT]?)(?:i?B|i)?$/i.exec(text.slice(0, 24));
  return match === null
    ? undefined
    : Number(match[1]!.replace(/,/g, "")) * BYTES[(match[2] || "b").toLowerCase()]!;
}

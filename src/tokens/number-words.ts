/** Number words: how counts and shares are written for people, the same on every machine whatever its locale. */

/** `1200` → `1,200`. Fractions are rounded away. */
export function thousands(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.abs(Math.round(value)).toFixed(0);
  return (Math.round(value) < 0 ? "-" : "") + digits.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `0.525` → `52.5%`, `0.35` → `35%`: at most `decimals` places, no trailing zeros. */
export function percent(share: number, decimals = 1): string {
  return `${Number((share * 100).toFixed(decimals))}%`;
}

/** `1, "message"` → `1 message`; `2, "message"` → `2 messages`. */
export function counted(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`;
}

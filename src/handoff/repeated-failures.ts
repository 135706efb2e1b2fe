/** Failures that came again word for word in a turn are told once, where they came last, with how often: `✗ npm test → exit 1 (3 times)`. */
import type { Entry } from "./story.ts";

export function withRepeatedOnce(entries: readonly Entry[]): readonly Entry[] {
  const times = new Map<string, number>();
  for (const entry of entries) {
    const key = failureIn(entry);
    if (key !== undefined) times.set(key, (times.get(key) ?? 0) + 1);
  }
  const left = new Map(times);
  return entries.flatMap((entry) => {
    const key = failureIn(entry);
    const often = key === undefined ? 1 : times.get(key)!;
    if (key === undefined || often === 1) return [entry];
    left.set(key, left.get(key)! - 1);
    return left.get(key)! > 0 ? [] : [withTimes(entry, often)];
  });
}

/** All that is told of a call that failed. */
function failureIn({ voice, units }: Entry): string | undefined {
  if (voice !== "deed" || !units[0]?.text.startsWith("✗ ")) return undefined;
  return units.length === 1 ? units[0].text : units.map(({ text }) => text).join("\n");
}

function withTimes(entry: Entry, often: number): Entry {
  const [lead, ...under] = entry.units;
  return { ...entry, units: [{ ...lead!, text: `${lead!.text} (${often} times)` }, ...under] };
}

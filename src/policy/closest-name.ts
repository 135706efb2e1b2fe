/** closestName: which known name a mistyped one probably meant, for "did you mean". */

/** The known name within two typing slips of `typed` (a third of its length for long names), or none. */
export function closestName(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const tolerated = Math.max(2, Math.floor(wanted.length / 3));
  const ranked = known
    .filter((name) => Math.abs(name.length - wanted.length) <= tolerated)
    .map((name) => ({ name, slips: slipsBetween(wanted, name.toLowerCase()) }))
    .sort((left, right) => left.slips - right.slips);
  const best = ranked[0];
  if (best && best.slips <= tolerated) return best.name;
  return wanted.length >= 3 ? known.find((name) => name.startsWith(wanted)) : undefined;
}

/** Levenshtein distance. Names are short: the length filter above bounds both sides. */
function slipsBetween(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const swap = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(swap, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[right.length]!;
}

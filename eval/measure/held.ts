/** Held: does a compacted past still have a probe, and with the words that gave it its meaning? */

export interface Recall {
  readonly probes: number;
  /** Probes that stand in the kept text at all. */
  readonly verbatim: number;
  /** Probes that stand there beside at least two of the words that stood beside them originally. */
  readonly held: number;
  /** Those that are not held, for reading. */
  readonly missing: readonly string[];
}

/** Scores kept text against the probes. Both texts in any case. */
export function recallOf(past: string, kept: string, probes: readonly string[]): Recall {
  const [pastLower, keptLower] = [past.toLowerCase(), kept.toLowerCase()];
  let verbatim = 0;
  const missing: string[] = [];
  for (const probe of probes) {
    const form = formsOf(probe).find((candidate) => keptLower.includes(candidate));
    if (form !== undefined) verbatim++;
    if (form === undefined || !keepsMeaning(pastLower, keptLower, form)) missing.push(probe);
  }
  return { probes: probes.length, verbatim, held: probes.length - missing.length, missing };
}

/** How a probe may stand in the kept text: as it is, and a path also by its last two parts. */
function formsOf(probe: string): readonly string[] {
  const parts = probe.split("/").filter(Boolean);
  return parts.length > 2 ? [probe, parts.slice(-2).join("/")] : [probe];
}

function keepsMeaning(past: string, kept: string, form: string): boolean {
  const originals = surroundings(past, form);
  return surroundings(kept, form).some((words) =>
    originals.some((original) => countShared(words, original) >= Math.min(2, original.size)),
  );
}

/** The words within 80 characters on both sides of each place where `form` stands, for the first 60 places. */
function surroundings(text: string, form: string): readonly ReadonlySet<string>[] {
  const places: Set<string>[] = [];
  let at = text.indexOf(form);
  while (at >= 0 && places.length < placesLooked) {
    const before = text.slice(Math.max(0, at - reach), at);
    const after = text.slice(at + form.length, at + form.length + reach);
    const words = `${before} ${after}`.match(/[a-z0-9_]+/g) ?? [];
    places.push(new Set(words.filter((word) => word.length > 2)));
    at = text.indexOf(form, at + 1);
  }
  return places;
}

function countShared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of words) if (others.has(word)) shared++;
  return shared;
}

const reach = 80;
const placesLooked = 60;

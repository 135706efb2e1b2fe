/** summaryOf: a summary of known facts that drops and invents as told, to measure what an audit puts back and strikes. */

export interface SummaryFlaws {
  /** The share of the facts that is left out. @default 0 */
  readonly drop?: number;
  /** As many invented facts as this share of the given ones. @default 0 */
  readonly invent?: number;
  /** The same seed drops and invents the same. @default 1 */
  readonly seed?: number;
}

export interface MadeSummary {
  readonly text: string;
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  readonly invented: readonly string[];
}

/** A summary of facts, a line each, that drops and invents as told. Deterministic. */
export function summaryOf(
  facts: readonly string[],
  { drop = 0, invent = 0, seed = 1 }: SummaryFlaws = {},
): MadeSummary {
  const next = randomFrom(seed);
  const order = facts
    .map((_, index) => ({ index, rank: next() }))
    .toSorted((one, other) => one.rank - other.rank);
  const gone = new Set(order.slice(0, Math.round(facts.length * drop)).map(({ index }) => index));
  const kept = facts.filter((_, index) => !gone.has(index));
  const invented = Array.from({ length: Math.round(facts.length * invent) }, () => {
    const number = Math.floor(next() * 1e9).toString(36);
    return `Changed src/invented/module-${number}.ts at line ${10_000 + Math.floor(next() * 80_000)}.`;
  });
  const lines = [...kept];
  for (const line of invented) lines.splice(Math.floor(next() * (lines.length + 1)), 0, line);
  const text = `[CONTEXT SUMMARY]: What was done so far.\n${lines.map((line) => `- ${line}`).join("\n")}`;
  return { text, kept, dropped: facts.filter((_, index) => gone.has(index)), invented };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

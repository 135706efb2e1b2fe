/** Density: how much each text of a conversation says, by one of two measures that need no model (F69, F70). */
import { windowEntropies } from "./entropy.ts";
import { documentFrequencies, tfIdf } from "./tf-idf.ts";

type Measure = "tf-idf" | "entropy";

/** One number for each text: higher says more. They compare with each other only. */
export function densitiesOf(texts: readonly string[], by: Measure): readonly number[] {
  if (by === "entropy") return texts.map(meanEntropy);
  const frequencies = documentFrequencies(texts);
  return texts.map((text) => tfIdf(text, frequencies));
}

/** The places of the densest (or slightest) share of the texts, the most so first; of equals the later one. */
export function placesByDensity(
  texts: readonly string[],
  {
    by,
    share,
    slightest = false,
  }: { readonly by: Measure; readonly share: number; readonly slightest?: boolean },
): readonly number[] {
  const sign = slightest ? -1 : 1;
  return densitiesOf(texts, by)
    .map((density, at) => ({ density: density * sign, at }))
    .sort((a, b) => b.density - a.density || b.at - a.at)
    .slice(0, Math.floor(texts.length * share + 1e-9))
    .map(({ at }) => at);
}

function meanEntropy(text: string): number {
  const windows = windowEntropies(text);
  return windows.length === 0 ? 0 : windows.reduce((sum, each) => sum + each, 0) / windows.length;
}

/** What becomes of a body that the provider found too long. */
import type { Compactor } from "../compactor.ts";
import type { CompactOptions } from "../run/options.ts";
import type { Result } from "../run/result.ts";

/**
 * The engine's own way to recover: its call fails once, with what the provider said. Gives what it made of the body, and
 * of that again.
 */
export async function afterOverflow(
  compactor: Compactor,
  text: string,
  call: CompactOptions,
  said: string,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const recovering = compactor.wrap(async (_output, result) => {
    results.push(result);
    if (results.length === 1) throw new Error(said);
  });
  await recovering(text, call);
  return results;
}

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
): Promise<readonly Result<string>[]> {
  const results: Result<string>[] = [];
  const recovering = compactor.wrap(async (_body: string, result: Result<string>) => {
    results.push(result);
    if (results.length === 1) throw new Error(said);
  });
  await recovering(text, call);
  return results;
}

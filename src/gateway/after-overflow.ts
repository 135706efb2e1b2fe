/** What becomes of a body that the provider found too long. */
import type { Compactor } from "../compactor.ts";
import type { CompactOptions } from "../run/options.ts";
import type { Result } from "../run/result.ts";

/** The engine's own way to recover: its call fails once, with what the provider said. */
export async function afterOverflow(
  compactor: Compactor,
  text: string,
  call: CompactOptions,
  said: string,
): Promise<Result> {
  let isFirst = true;
  const recovering = compactor.wrap(async () => {
    if (isFirst) {
      isFirst = false;
      throw new Error(said);
    }
  });
  const { result } = await recovering(text, call);
  return result;
}

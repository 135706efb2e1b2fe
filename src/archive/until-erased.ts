/** untilErased: what is remembered of an archive, for as long as nothing was erased from it, by whichever process. */
import type { Archive } from "./archive.ts";

export interface UntilErased<Memory> {
  /** As it was when the archive was last asked. */
  readonly now: () => Memory;
  /** Asks the archive; a new memory if something was erased since it was last asked. Rejects if it cannot be asked. */
  readonly renewed: () => Promise<Memory>;
}

/** @param create makes an empty one */
export function untilErased<Memory>(
  archive: Pick<Archive, "erasures"> | undefined,
  create: () => Memory,
): UntilErased<Memory> {
  let memory = create();
  let asOf: number | undefined;
  return {
    now: () => memory,
    renewed: async () => {
      const erasures = await archive?.erasures?.();
      if (asOf !== undefined && erasures !== asOf) memory = create();
      asOf = erasures;
      return memory;
    },
  };
}

/** maskArchive: what an earlier version stored in clear is masked before the gateway begins, and the log says so. */

import { openArchive } from "../archive/open-archive.ts";
import { reasonOf } from "../errors/reason-of.ts";
import type { Log } from "./log.ts";

/** An archive that is down keeps no gateway from its start: the first write to it asks again. */
export async function maskArchive(where: string, log: Log): Promise<void> {
  try {
    const archive = await openArchive(where, {
      onMasked: (masked) => log("warn", "archive-masked", { archive: archive?.name, masked }),
    });
    try {
      await archive?.maskOlder?.();
    } finally {
      await archive?.close?.();
    }
  } catch (error) {
    log("warn", "archive-not-masked", { reason: reasonOf(error) });
  }
}

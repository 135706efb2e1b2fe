/** MemoryShares: who may have how much of the gateway's memory. */
import type { GatewaySettings } from "./settings.ts";

export interface MemoryShares {
  /** Of all bodies that are held. */
  readonly heldBytes: number;
  /** Of one worker's heap. */
  readonly heapBytes: number;
  /** Of all of them together; over `memoryBytes` where that is too small for the workers. */
  readonly totalBytes: number;
}

/** The rest is for everything else. */
const HELD_SHARE = 0.2;
const HEAP_SHARE = 0.5;
/** What a body takes while it is compacted, beside its own size: a heap that is too small for one ends the whole process. */
const WORKING_SIZE = 12;

export function memoryShares({
  memoryBytes,
  maxBodyBytes,
  workers,
}: Pick<GatewaySettings, "memoryBytes" | "maxBodyBytes" | "workers">): MemoryShares {
  const heldBytes = memoryBytes * HELD_SHARE;
  const heapBytes = Math.max((memoryBytes * HEAP_SHARE) / workers, maxBodyBytes * WORKING_SIZE);
  return { heldBytes, heapBytes, totalBytes: heldBytes + workers * heapBytes };
}

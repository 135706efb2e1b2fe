/** Keeps the heap lean: a body of tens of megabytes is nearly all alive, so room to grow only adds to the peak. */
import { setFlagsFromString } from "node:v8";

/** To be called first thing in a process that reads whole bodies; see docs/decisions/memory.md. */
export function keepHeapLean(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=7");
  // Marking beside the program is done late where the machine is busy, and the heap grows until it is.
  setFlagsFromString("--no-incremental-marking");
}

/** For a command that serves: a collection in one go would let others wait for it. */
export function collectInSteps(): void {
  setFlagsFromString("--heap-growing-percent=10");
  setFlagsFromString("--incremental-marking");
}

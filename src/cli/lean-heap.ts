/** Keeps the heap lean: a body of tens of megabytes is nearly all alive, so room to grow only adds to the peak. */
import { setFlagsFromString } from "node:v8";

/** To be called first thing in a process that reads whole bodies; see docs/decisions/memory.md. */
export function keepHeapLean(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=10");
}

/** ReplayRow: one recording, replayed with one strategy in one window. */
import type { Replayed } from "../../src/replay/replay.ts";

export interface ReplayRow extends Replayed {
  readonly id: string;
  readonly source: string;
  readonly window: number;
}

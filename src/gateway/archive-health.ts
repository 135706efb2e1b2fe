/** ArchiveHealth: whether the archive answered when it was last asked, told once when that changes. */
import type { Log } from "./log.ts";

export interface ArchiveHealth {
  /** @param state what a worker found, where it knows */
  readonly note: (state: "up" | "down" | undefined, reason?: string) => void;
  /** Undefined until it was asked. */
  readonly isUp: () => boolean | undefined;
}

export function createArchiveHealth(log: Log): ArchiveHealth {
  let known: "up" | "down" | undefined;
  return {
    note: (state, reason) => {
      if (state === undefined || state === known) return;
      if (state === "down") log("error", "archive-down", { reason });
      else if (known === "down") log("info", "archive-up", {});
      known = state;
    },
    isUp: () => (known === undefined ? undefined : known === "up"),
  };
}

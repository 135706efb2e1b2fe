/** HeldBodies: the bodies that the gateway holds at a time have a share of its memory. */

export interface HeldBodies {
  /** Gives back what lets it go again; undefined where there is no room for it. */
  readonly hold: (bytes: number) => (() => void) | undefined;
  readonly bytes: () => number;
}

export function createHeldBodies(mostBytes: number): HeldBodies {
  let held = 0;
  return {
    hold: (bytes) => {
      // The only one is held whatever its size: nothing that is let go would make room for it.
      if (held > 0 && held + bytes > mostBytes) return undefined;
      held += bytes;
      let isHeld = true;
      return () => {
        if (isHeld) held -= bytes;
        isHeld = false;
      };
    },
    bytes: () => held,
  };
}

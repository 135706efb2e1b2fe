/** HeldBodies: the bodies that the gateway holds at a time have a share of its memory. */

/** One body, as much of it as has arrived. */
export interface HeldBody {
  /** Holds so many bytes more; false where there is no room for them. */
  readonly grow: (bytes: number) => boolean;
  readonly letGo: () => void;
}

export interface HeldBodies {
  /** Whether a body of this size could be held now; nothing is kept free for it. */
  readonly hasRoomFor: (bytes: number) => boolean;
  readonly begin: () => HeldBody;
  readonly bytes: () => number;
}

export function createHeldBodies(mostBytes: number): HeldBodies {
  let held = 0;
  // The only one is held whatever its size: nothing that is let go would make room for it.
  const fits = (bytes: number, own: number): boolean => held === own || held + bytes <= mostBytes;
  return {
    hasRoomFor: (bytes) => fits(bytes, 0),
    begin: () => {
      let own = 0;
      return {
        grow: (bytes) => {
          if (!fits(bytes, own)) return false;
          held += bytes;
          own += bytes;
          return true;
        },
        letGo: () => {
          held -= own;
          own = 0;
        },
      };
    },
    bytes: () => held,
  };
}

/** Case: one long output in which one thing matters. */
export interface Case {
  readonly kind: string;
  /** The tool, the command or the variant, such as "pytest". */
  readonly name: string;
  readonly text: string;
  readonly toolName: string;
  readonly toolArguments: string;
  /** Exact pieces of the output that must be in view. */
  readonly matters: readonly string[];
  /** Nothing in the thing that matters is called an error or a failure. */
  readonly isQuiet: boolean;
}

/** What a generator of one variant gives back. */
export interface Made {
  readonly lines: readonly string[];
  readonly matters: readonly string[];
  readonly command?: string;
  readonly toolName?: string;
}

export type Make = (dice: Dice) => Made;

/** Chance, the same for the same seed. */
export interface Dice {
  /** A whole number from `low` to `high`. */
  readonly int: (low: number, high: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly hex: (length: number) => string;
  /** A position somewhere inside a list of this length, neither first nor last. */
  readonly inside: (length: number) => number;
}

export function diceOf(random: () => number): Dice {
  const int = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  return {
    int,
    pick: (items) => items[Math.floor(random() * items.length)]!,
    hex: (length) => Array.from({ length }, () => "0123456789abcdef"[int(0, 15)]).join(""),
    inside: (length) => int(Math.floor(length * 0.1) + 2, Math.floor(length * 0.9) - 3),
  };
}

export function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** `lines` with more put in at a position. */
export function planted(lines: readonly string[], at: number, ...more: readonly string[]): readonly string[] {
  return [...lines.slice(0, at), ...more, ...lines.slice(at)];
}

/** `10:04:11`, the given number of seconds after ten o'clock. */
export function clock(seconds: number): string {
  const at = 36_000 + Math.floor(seconds);
  return [at / 3_600, (at / 60) % 60, at % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0"))
    .join(":");
}

export const WORDS =
  "auth billing cache cart catalog checkout client config coupon customer dashboard delivery discount email events export feature gateway geo graph health history import index inventory invoice job kafka ledger login mailer metrics mobile notify order payment pricing profile queue refund region report review rule scheduler search session shipping signup stock store stripe tax tenant token upload user vendor wallet webhook".split(
    " ",
  );

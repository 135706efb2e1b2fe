/** Windows: how many tokens each model can read, by what the gateway was told, then by what is known of models. */
import { OptionsError } from "../errors/options-error.ts";
import { modelProfile } from "../tokens/models.ts";
import { readTokens } from "../tokens/read-tokens.ts";

export interface GivenWindows {
  /** Of every model that `windows` does not name. */
  readonly window?: number | undefined;
  /** The first whose name fits is the one. */
  readonly windows?: readonly ModelWindow[] | undefined;
}

export interface ModelWindow {
  /** A model's name; `*` stands for any characters. */
  readonly models: string;
  readonly tokens: number;
}

/** Undefined where nobody knows it. */
export function windowOf(model: string | undefined, { window, windows = [] }: GivenWindows) {
  const named = windows.find(({ models }) => fitsPattern(model ?? "", models))?.tokens;
  return named ?? window ?? modelProfile(model).window;
}

/** What every model can read at least; 0 where that is not given. */
export function leastWindow({ window = 0, windows = [] }: GivenWindows): number {
  return Math.min(window, ...windows.map(({ tokens }) => tokens));
}

/** `readWindows(["claude-*=200000", "128000"])`. Throws OptionsError. */
export function readWindows(given: readonly string[]): GivenWindows {
  const windows: ModelWindow[] = [];
  let window: number | undefined;
  for (const text of given.filter((each) => each !== "")) {
    const [, models, amount = ""] = /^(?:(.+)=)?([^=]+)$/.exec(text) ?? [];
    const tokens = readTokens(amount);
    if (!tokens || (models === undefined && window !== undefined)) throw notWindows(given);
    if (models === undefined) window = tokens;
    else windows.push({ models, tokens });
  }
  return { ...(window !== undefined && { window }), ...(windows.length > 0 && { windows }) };
}

function notWindows(given: readonly string[]): OptionsError {
  return new OptionsError(
    "--window",
    `--window ${given.join(" ")}: give a whole number of tokens above 0, such as --window 128000 or 128k; for single models ` +
      "MODEL=TOKENS, such as --window claude-*=200000 gpt-5=400000.",
  );
}

/** Whatever a client calls its model, this takes no longer than reading the name a few times. */
function fitsPattern(name: string, pattern: string): boolean {
  const pieces = pattern.toLowerCase().split("*");
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  let rest = name.toLowerCase();
  if (pieces.length === 1) return rest === first;
  if (!rest.startsWith(first) || rest.length < first.length + last.length || !rest.endsWith(last))
    return false;
  rest = rest.slice(first.length, rest.length - last.length);
  for (const piece of pieces.slice(1, -1)) {
    const at = rest.indexOf(piece);
    if (at < 0) return false;
    rest = rest.slice(at + piece.length);
  }
  return true;
}

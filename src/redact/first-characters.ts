/** firstCharacters: every way in which a simple expression can begin, as far as a number of characters. */

/** `firstCharacters("gh[po]_", 3)` → `["ghp", "gho"]`. Knows letters, escapes, classes, `(?:…|…)`, `?` and `{n}`. */
export function firstCharacters(source: string, length: number): readonly string[] {
  if (length <= 0 || source === "") return [""];
  const { choices, rest, isOptional } = firstPart(source);
  const starts = choices.flatMap((choice) =>
    choice.length >= length
      ? [choice.slice(0, length)]
      : firstCharacters(rest, length - choice.length).map((following) => choice + following),
  );
  return [...new Set(isOptional ? [...starts, ...firstCharacters(rest, length)] : starts)];
}

interface Part {
  readonly choices: readonly string[];
  readonly rest: string;
  readonly isOptional: boolean;
}

function firstPart(source: string): Part {
  const group = /^\(\?:([^()]*)\)(\??)/.exec(source);
  if (group) {
    const rest = source.slice(group[0].length);
    const choices = group[1]!.split("|").flatMap((choice) => firstCharacters(choice, 3));
    return { choices, rest, isOptional: group[2] === "?" };
  }
  const single = /^(?:\[((?:\\.|[^\]])*)\]|\\(.)|([^\\[(]))(?:\{(\d+)(?:,\d*)?\})?/.exec(source);
  if (!single) throw new SyntaxError(`No first characters of ${JSON.stringify(source)}.`);
  const [whole, inClass, escaped, literal, count = "1"] = single;
  const letters = inClass === undefined ? lettersOf(escaped, literal) : lettersOfClass(inClass);
  const more = Number(count) - 1;
  const again = more > 0 ? `${whole.replace(/\{.*$/, "")}{${more}}` : "";
  return { choices: letters, rest: again + source.slice(whole.length), isOptional: count === "0" };
}

const DIGITS = [..."0123456789"];
const WORD = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", ...DIGITS];

function lettersOf(escaped: string | undefined, literal: string | undefined): readonly string[] {
  if (escaped === "d") return DIGITS;
  return escaped === "w" ? WORD : [escaped ?? literal ?? ""];
}

function lettersOfClass(inside: string): readonly string[] {
  const pattern = new RegExp(`[${inside}]`);
  return Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter((sign) =>
    pattern.test(sign),
  );
}

// Edits: a call that puts one text in the place of another is its difference: what is new and what is gone, and of what
// stays the one line before, so that it can be placed.

/** Names under which calls give the text that was there and the text that is to be there. */
const OLD = /^(?:old|search|find|before|original)(?:_?(?:str|string|text|content|code|lines?))?$/i;
const NEW = /^(?:new|replace|replacement|after|updated)(?:_?(?:str|string|text|content|code|lines?|with))?$/i;

/** What an edit changes, and the names of the arguments that say it; nothing when the call is no edit. */
export function editIn(
  values: Readonly<Record<string, unknown>>,
): { change: string; names: readonly string[] } | undefined {
  const edit = pairIn(values);
  if (edit) return edit;
  const list = Object.keys(values).find(
    (name) => Array.isArray(values[name]) && values[name].some((one) => pairIn(one)),
  );
  if (list === undefined) return undefined;
  const edits = (values[list] as unknown[]).map((one) => pairIn(one)?.change ?? "");
  return { change: edits.filter((change) => change !== "").join("\n"), names: [list] };
}

function pairIn(given: unknown): ReturnType<typeof editIn> {
  if (given === null || typeof given !== "object") return undefined;
  const values = given as Readonly<Record<string, unknown>>;
  const names = Object.keys(values);
  const old = names.find((name) => OLD.test(name) && typeof values[name] === "string");
  const made = names.find((name) => NEW.test(name) && typeof values[name] === "string");
  if (old === undefined || made === undefined) return undefined;
  return { change: difference(values[old] as string, values[made] as string), names: [old, made] };
}

/** Lines that are gone (`-`) and new (`+`) in the order of the texts, each hunk behind the line before it. */
export function difference(before: string, after: string): string {
  const [old, made] = [before.split("\n"), after.split("\n")];
  const leftOld = countOf(old);
  const leftNew = countOf(made);
  const out: string[] = [];
  let place = "";
  const put = (sign: "+" | "-", line: string) => {
    if (line.trim() === "") return;
    if (place !== "") out.push(`  ${place}`);
    place = "";
    out.push(`${sign} ${line}`);
  };
  const use = (counts: Map<string, number>, line: string) => counts.set(line, (counts.get(line) ?? 0) - 1);
  let i = 0;
  let j = 0;
  while (i < old.length || j < made.length) {
    const gone = old[i];
    const come = made[j];
    if (gone !== undefined && gone === come) {
      if (gone.trim() !== "") place = gone;
      i += 1;
      j += 1;
      use(leftOld, gone);
      use(leftNew, gone);
    } else if (come === undefined || (gone !== undefined && (leftNew.get(gone) ?? 0) <= 0)) {
      put("-", gone!);
      use(leftOld, gone!);
      i += 1;
    } else {
      // It is new, or it moved: a line that comes again further down in the old text is shown where it is now.
      put("+", come);
      use(leftNew, come);
      j += 1;
    }
  }
  return out.join("\n");
}

function countOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Specifics: what cannot be guessed, such as ids, paths, numbers of four digits or more, code identifiers and addresses. */
import { type Message, proseOf, toolCallsOf } from "../conversation/message.ts";

const candidatePattern = /[A-Za-z0-9_~][A-Za-z0-9_./:@#%+$~-]*[A-Za-z0-9_]/g;
const numberPattern = /^[\d.,:%-]+$/;
const tellingPattern = /\d|[a-z][A-Z]|[_./:@#]/;

/** In lower case, each once. `"see src/A.ts, run 12345 twice"` → `src/a.ts`, `12345` */
export function specificsOf(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [candidate] of text.matchAll(candidatePattern)) {
    if (candidate.length < 4 || candidate.length > 160) continue;
    const isTelling = numberPattern.test(candidate)
      ? candidate.replace(/\D/g, "").length >= 4
      : tellingPattern.test(candidate);
    if (isTelling) found.add(candidate.toLowerCase());
  }
  return found;
}

/** What the author of a message chose to write: of its calls the values, since the tool's schema tells the keys. */
export function writtenBy(message: Message): string {
  return [proseOf(message), ...toolCallsOf(message).map((call) => leavesOf(call.arguments))].join("\n");
}

/**
 * Whether a specific is in one of the texts beside at least two of the words that were beside it originally, within 80
 * characters. A path may be given by its last two parts. All texts in lower case.
 */
export function keepsMeaning(
  specific: string,
  originals: readonly string[],
  texts: readonly string[],
): boolean {
  const parts = specific.split("/").filter(Boolean);
  const forms = parts.length > 2 ? [specific, parts.slice(-2).join("/")] : [specific];
  const form = forms.find((candidate) => texts.some((text) => text.includes(candidate)));
  if (form === undefined) return false;
  const wanted = surroundings(originals, form);
  return surroundings(texts, form).some((words) =>
    wanted.some((original) => countShared(words, original) >= Math.min(2, original.size)),
  );
}

const reach = 80;
const placesLooked = 60;

function surroundings(texts: readonly string[], form: string): readonly ReadonlySet<string>[] {
  const places: Set<string>[] = [];
  for (const text of texts) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      if (places.length >= placesLooked) return places;
      const before = text.slice(Math.max(0, at - reach), at);
      const after = text.slice(at + form.length, at + form.length + reach);
      const words = `${before} ${after}`.match(/[a-z0-9_]+/g) ?? [];
      places.push(new Set(words.filter((word) => word.length > 2)));
    }
  }
  return places;
}

function countShared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of words) if (others.has(word)) shared++;
  return shared;
}

function leavesOf(json: string): string {
  const leaves: string[] = [];
  const collect = (value: unknown): void => {
    if (value === null || value === undefined) return;
    if (typeof value !== "object") leaves.push(String(value));
    else Object.values(value).forEach(collect);
  };
  try {
    collect(JSON.parse(json));
  } catch {
    // Not every recorded argument is JSON; the author chose all of such a text.
    return json;
  }
  return leaves.join("\n");
}

/** Line sources: which messages a line of a hand-off comes from. What a hand-off tells was said somewhere, mostly word for word. */
import { isUserMessage, textOfMessage } from "../conversation/message.ts";
import { farMessages } from "../handoff/far-messages.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { toldFacts } from "../ledger/told-facts.ts";
import { endsOf } from "../reading/calls/said.ts";
import { specificsOf } from "../text/specifics.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Pair } from "./compared.ts";
import { type JoinedTexts, joinTexts } from "./joined-texts.ts";
import { LEDGER_SECTIONS, shortForms } from "./ledger-view.ts";

/** More would light up half of the page. */
const MOST_SOURCES = 5;
/** A shorter piece of text may be anywhere by chance. */
const TELLING_CHARS = 12;
/** Characters that may be looked through for lines that appear nowhere as they are: about a second's worth. */
const MOST_CHARS_READ = 1_500_000_000;

/**
 * Looks in messages that left or changed: first for the very line, then for its words in a longer line, then for the
 * message that the ledger has the fact from, at last for one with the same specifics.
 *
 * @param lines all of the hand-off
 */
export function createLineSources(
  pairs: readonly Pair[],
  lines: readonly string[],
  ledger: Ledger | undefined,
  counter: TokenCounter,
): (line: string) => readonly number[] {
  const spoken = spokenBefore(pairs, counter);
  const wanted = new Map<string, number[]>(lines.flatMap(formsOf).map((form) => [form, []]));
  for (const { row, text } of spoken) for (const line of text.split("\n")) wanted.get(line.trim())?.push(row);
  const rowsOfFacts = factRows(
    ledger,
    spoken.map(({ row }) => row),
  );
  const reading = { left: MOST_CHARS_READ };
  const ofUser = joinTexts(
    spoken.filter(({ message }) => isUserMessage(message)),
    reading,
  );
  const ofAll = joinTexts(spoken, reading);
  let folded: JoinedTexts | undefined;
  const withSpecifics = (line: string): readonly number[] => {
    folded ??= joinTexts(
      spoken.map(({ row, text }) => ({ row, text: text.toLowerCase() })),
      reading,
    );
    const longest = [...specificsOf(line)].sort((one, other) => other.length - one.length)[0];
    return longest === undefined ? [] : folded.rowsWith(longest, MOST_SOURCES);
  };
  return (line) => {
    const forms = formsOf(line);
    const words = forms.filter((form) => form.length >= TELLING_CHARS);
    const ways = [
      () => forms.flatMap((form) => wanted.get(form) ?? []),
      () => words.flatMap((form) => ofUser.rowsWith(form, MOST_SOURCES)),
      () => rowsOfFacts.get(line.trim()) ?? [],
      () => words.flatMap((form) => ofAll.rowsWith(form, MOST_SOURCES)),
      () => withSpecifics(line),
    ];
    for (const find of ways) {
      const rows = find();
      if (rows.length > 0) return [...new Set(rows)].slice(0, MOST_SOURCES);
    }
    return [];
  };
}

/**
 * A line as it is, without the marks of a list or of what was left out, and without the label that says who spoke: `[3] User: `.
 * Of a deed what was called, and how it ended: `$ git status → ok`.
 */
function formsOf(line: string): readonly string[] {
  const whole = line
    .trim()
    .replace(/^\[\d+\] /, "")
    .replace(/ …$/, "");
  const item = whole.replace(/^- |^(?:→ |✗ |\$ )+/, "");
  const label = item.indexOf(": ");
  const forms = [whole, item, label < 0 ? "" : item.slice(label + 2)];
  if (item !== whole) forms.push(...item.split(" → "));
  return [...new Set(forms.filter((form) => form !== ""))];
}

/** So much of a message far back is looked at. */
const FAR_CHARS = 1_000;

/** Messages that did not stay as they were, in the lines that a hand-off quotes them by. */
function spokenBefore(pairs: readonly Pair[], counter: TokenCounter) {
  const left = pairs.flatMap(({ before, isKept }, row) => {
    return before && !isKept ? [{ row, message: before.message }] : [];
  });
  const far = farMessages(
    left.map(({ message }) => message),
    counter,
  );
  return left.map(({ row, message }, order) => {
    const text = textOfMessage(message);
    return { row, message, text: order < far && !isUserMessage(message) ? endsOf(text, FAR_CHARS) : text };
  });
}

/** A fact says how many messages had been read when it came up: those of this compaction are the last of them. */
function factRows(
  ledger: Ledger | undefined,
  rows: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  if (!ledger) return new Map();
  const shortForm = shortForms(ledger);
  const earlier = ledger.messages - rows.length;
  return new Map(
    LEDGER_SECTIONS.flatMap(([section]) => toldFacts(ledger, section)).flatMap((fact) => {
      const row = rows[fact.at - earlier - 1];
      return row === undefined ? [] : [[shortForm(fact).trim(), [row]] as const];
    }),
  );
}

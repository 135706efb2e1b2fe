/** Splicing: puts messages into the text of a body; what nobody touched stays the very characters that came in. */
import type { RawMessage } from "../conversation/message.ts";
import { InputError } from "../errors/input-error.ts";
import type { Slice } from "../json/scan.ts";
import { type JsonSource, LIST_KEYS } from "../json/source.ts";
import type { Envelope, WireItem } from "./body.ts";

interface Edit extends Slice {
  /** What is there instead. */
  readonly pieces: readonly string[];
}

/** The text of the body with other messages, and another system prompt where that changed. */
export function spliceBody(
  source: JsonSource,
  envelope: Envelope,
  items: readonly WireItem[],
  system: WireItem | undefined,
): string {
  const edits: Edit[] = [
    {
      ...source.list,
      pieces: listPieces(
        source,
        envelope.messages.map((message) => message.raw!),
        items,
      ),
    },
  ];
  if (system?.raw !== envelope.system) edits.push(systemEdit(source, system));
  edits.sort((a, b) => a.start - b.start);
  const pieces: string[] = [];
  let index = 0;
  for (const edit of edits) {
    pieces.push(source.text.slice(index, edit.start));
    for (const piece of edit.pieces) pieces.push(piece);
    index = edit.end;
  }
  pieces.push(source.text.slice(index));
  // One join at the end: a large body is copied once, into the result.
  return pieces.join("");
}

/** The inside of the messages list. Neighbours that were neighbours keep the very text between them. */
function listPieces(
  source: JsonSource,
  originals: readonly RawMessage[],
  items: readonly WireItem[],
): readonly string[] {
  const { text, list, elements } = source;
  if (items.length === 0) return [];
  const order = new Map(originals.map((raw, index) => [raw, index]));
  const style = styleOf(source);
  const pieces: string[] = [text.slice(list.start, elements[0]?.start ?? list.start)];
  let previous = -1;
  for (const [position, { raw, origin }] of items.entries()) {
    const index = order.get(origin ?? raw) ?? -1;
    if (position > 0) {
      const neighbours = index > 0 && previous === index - 1;
      pieces.push(neighbours ? text.slice(elements[previous]!.end, elements[index]!.start) : style.separator);
    }
    pieces.push(raw.source ?? elementsText(raw.value, style));
    previous = index;
  }
  pieces.push(text.slice(elements.at(-1)?.end ?? list.end, list.end));
  return pieces;
}

function systemEdit({ text, key, system }: JsonSource, item: WireItem | undefined): Edit {
  if (item === undefined) return removal(text, system!);
  const json = item.raw.source ?? stringify(item.raw.value);
  if (system !== undefined) return { ...system.value, pieces: [json] };
  // A new key goes to the front; the comma is right because a body has at least its messages.
  const start = text.indexOf("{") + 1;
  return { start, end: start, pieces: [`"${LIST_KEYS[key]}":${json},`] };
}

/** Takes out a member together with the one comma that it leaves over. */
function removal(text: string, member: NonNullable<JsonSource["system"]>): Edit {
  const after = /\s*,?\s*/y;
  after.lastIndex = member.value.end;
  const [following = ""] = after.exec(text) ?? [];
  if (following.includes(","))
    return { start: member.keyStart, end: member.value.end + following.length, pieces: [] };
  const before = text.slice(0, member.keyStart).trimEnd();
  return { start: before.length - 1, end: member.value.end, pieces: [] };
}

interface Style {
  readonly separator: string;
  /** What one level of nesting is indented by; "" for messages on one line. */
  readonly indent: string;
  /** What the lines of a message are indented by. */
  readonly margin: string;
}

/** How the original sets its messages apart, and whether it spreads one over several lines. */
function styleOf({ text, list, elements }: JsonSource): Style {
  const [first, second] = elements;
  if (first === undefined) return { separator: ",", indent: "", margin: "" };
  const lead = text.slice(list.start, first.start);
  const separator = second === undefined ? `,${lead}` : text.slice(first.end, second.start);
  const margin = lead.slice(lead.lastIndexOf("\n") + 1);
  const inner = /^\{\r?\n([ \t]*)/.exec(text.slice(first.start, first.start + 200))?.[1] ?? "";
  const indent = inner.startsWith(margin) ? inner.slice(margin.length) : inner;
  return { separator, indent, margin };
}

/** A message that takes several elements of the list is given as a list of them. */
function elementsText(value: unknown, style: Style): string {
  if (!Array.isArray(value)) return stringify(value, style);
  return value.map((element) => stringify(element, style)).join(style.separator);
}

function stringify(
  value: unknown,
  { indent, margin }: Pick<Style, "indent" | "margin"> = { indent: "", margin: "" },
): string {
  try {
    const json = JSON.stringify(value, null, indent);
    return indent === "" ? json : json.replaceAll("\n", `\n${margin}`);
  } catch (cause) {
    throw new InputError("A changed message is nested too deeply to be written as JSON.", {}, { cause });
  }
}

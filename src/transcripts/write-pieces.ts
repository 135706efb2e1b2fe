/** Writing pieces: the splices that change or take out what is in one record. */
import type { Part, ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import { isObject, jsonText, parsedJson } from "../json/wire-value.ts";
import type { Fate } from "./fates.ts";
import { removePaths, type Splice, setValue } from "./splices.ts";
import type { FileRecord, Path, TranscriptPiece } from "./transcript.ts";
import { PLAIN_INPUT } from "./wire-body.ts";

/** The pieces of a record that stays, each with its fate. */
export function writePieces(
  text: string,
  record: FileRecord,
  pieces: readonly TranscriptPiece[],
  fates: ReadonlyMap<TranscriptPiece, Fate>,
): readonly Splice[] {
  const splices: Splice[] = [];
  const drops: Path[] = [];
  for (const piece of pieces) {
    const fate = fates.get(piece);
    if (fate === undefined || (fate.kind === "changed" && piece.fixed)) continue;
    const { path, drop } = piece;
    if (path === undefined) splices.push(...sectionSplices(record, piece, fate));
    else if (fate.kind === "changed") {
      splices.push(
        ...setValue(text, record.start, path, jsonOf(fate.part, valueAt(record.value, path), piece.lead)),
      );
    } else if (drop === undefined) splices.push(...setValue(text, record.start, path, '""'));
    else {
      for (const each of [drop, ...(piece.dropsToo ?? [])]) {
        if (!drops.some((known) => isSame(known, each))) drops.push(each);
      }
    }
  }
  return [...splices, ...removePaths(text, record.start, drops)];
}

function sectionSplices(
  { start, end }: FileRecord,
  { encode }: TranscriptPiece,
  fate: Fate,
): readonly Splice[] {
  const text = fate.kind === "changed" && "text" in fate.part ? fate.part.text : "";
  return [{ start, end, text: encode ? encode(text) : text }];
}

/** What a changed part is on paper, in the kind of value that was there. */
function jsonOf(part: Part, value: unknown, lead = ""): string {
  if (part.type === "tool-call") return argumentsJson(part, value);
  if (part.type === "tool-result" && Array.isArray(value)) return resultListJson(part, value);
  return JSON.stringify("text" in part ? `${lead}${part.text}` : "");
}

/** Arguments stay an object where they were one, JSON in a string where they were that, and plain text where they were no JSON. */
function argumentsJson({ arguments: json }: ToolCallPart, value: unknown): string {
  const parsed = parsedJson(json);
  if (typeof value !== "string") return isObject(parsed) ? json : jsonText({ _raw: json });
  const isPlain = !isObject(parsedJson(value)) && isObject(parsed) && typeof parsed[PLAIN_INPUT] === "string";
  return JSON.stringify(isPlain ? parsed[PLAIN_INPUT] : json);
}

/** The first text takes the new text, the others go, and with them the images that are no longer shown. */
function resultListJson(part: ToolResultPart, value: readonly unknown[]): string {
  let said = false;
  const kept: unknown[] = [];
  for (const block of value) {
    const isText = typeof block === "string" || (isObject(block) && typeof block.text === "string");
    if (!isText) {
      if (part.attachments.length > 0) kept.push(block);
    } else if (!said) {
      said = true;
      kept.push(typeof block === "string" ? part.text : { ...(block as object), text: part.text });
    }
  }
  if (!said) kept.unshift({ type: "text", text: part.text });
  return JSON.stringify(kept);
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    at = typeof at === "object" && at !== null ? (at as Record<string | number, unknown>)[step] : undefined;
  }
  return at;
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}

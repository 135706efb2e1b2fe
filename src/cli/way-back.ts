/** The way back: what a compaction took out of a session file, kept in the archive under what it wrote. */
import { createHash, type Hash } from "node:crypto";
import type { Archive } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { unlisted } from "../archive/unlisted.ts";
import { isObject, parsedJson } from "../json/wire-value.ts";
import { applySplices, type Splice } from "../transcripts/splices.ts";

/** A session file as a compaction writes it, and the splices that make of it the file that it was. */
export interface WrittenFile {
  readonly text: string;
  readonly back: readonly Splice[];
  /** As in the report. */
  readonly compaction: string | undefined;
  /** With which it is erased. */
  readonly conversation: string | undefined;
}

/** Before anybody sees the file: what leaves it must be somewhere. */
export async function keepWayBack(
  archive: Archive,
  { text, back, compaction, conversation }: WrittenFile,
): Promise<void> {
  const at = Date.now();
  const kept: readonly KeptSplice[] = back.map(({ start, end, text: was }) => [start, end, ...apart(was)]);
  const splices = archiveItem("state", JSON.stringify(kept));
  const way = archiveItem("state", JSON.stringify({ at, compaction, back: splices.id }));
  const place = placeOf(createHash("sha256").update(text));
  await writeTo(archive, { conversation: place, about: conversation, at, items: [splices, way] });
}

type KeptSplice = readonly [start: number, end: number, ...was: readonly string[]];

export interface FileBefore {
  readonly text: string;
  readonly compaction: string;
  /** So many secrets are masked in it. */
  readonly masked: number;
}

/** The file as it was, with what a program has added since at its end; undefined where the archive does not have it. */
export async function fileBefore(archive: Archive, text: string): Promise<FileBefore | undefined> {
  for (const written of beginnings(text)) {
    const kept = (await archive.checkpoints?.(written.map(({ place }) => place))) ?? [];
    for (const { place, length } of written) {
      const way = parsedJson(kept.find(({ conversation }) => conversation === place)?.state ?? "");
      const item = isObject(way) ? await archive.get(String(way.back)) : undefined;
      if (!isObject(way) || !item || item.forgotten !== undefined) continue;
      const back = (JSON.parse(item.content) as readonly KeptSplice[]).map(
        ([start, end, ...was]): Splice => ({ start, end, text: was.join("") }),
      );
      const before = applySplices(text.slice(0, length), back) + text.slice(length);
      return { text: before, compaction: String(way.compaction), masked: item.masked.length };
    }
  }
  return undefined;
}

interface Beginning {
  readonly place: string;
  readonly length: number;
}

/** The text, then what it begins with up to the end of a line, the longest first, some at a time. */
function* beginnings(text: string): Generator<readonly Beginning[]> {
  yield [{ place: placeOf(createHash("sha256").update(text)), length: text.length }];
  const hash = createHash("sha256");
  const found: Beginning[] = [];
  for (let start = 0, end = text.indexOf("\n") + 1; end > 0 && end < text.length; ) {
    hash.update(text.slice(start, end));
    found.push({ place: placeOf(hash.copy()), length: end });
    start = end;
    end = text.indexOf("\n", start) + 1;
  }
  for (let end = found.length; end > 0; end -= AT_A_TIME)
    yield found.slice(Math.max(0, end - AT_A_TIME), end).toReversed();
}

const AT_A_TIME = 500;

function placeOf(hash: Hash): string {
  return unlisted(`written-${hash.digest("hex")}`);
}

/** Blanks and commas apart: what is between them may be JSON, and its secrets are then found string by string. */
function apart(text: string): readonly [lead: string, middle: string, tail: string] {
  const isBetween = (at: number): boolean => BETWEEN.has(text[at]!);
  let start = 0;
  while (start < text.length && isBetween(start)) start++;
  let end = text.length;
  while (end > start && isBetween(end - 1)) end--;
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

const BETWEEN: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n", ","]);

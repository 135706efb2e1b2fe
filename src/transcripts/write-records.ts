/** Writing records: which records go, where new ones go, and the text that comes of it. */
import type { Conversation } from "../conversation/conversation.ts";
import { type Fates, fatesOf, type NewText } from "./fates.ts";
import { insertions, isPlace, removals } from "./place-records.ts";
import type { SourceText } from "./source-text.ts";
import { applySplices, type Splice, setValue } from "./splices.ts";
import type {
  FileRecord,
  Said,
  Told,
  TranscriptFormat,
  TranscriptPiece,
  TranscriptReading,
  ValueSet,
} from "./transcript.ts";
import { writePieces } from "./write-pieces.ts";

export interface RecordsToWrite {
  readonly format: TranscriptFormat;
  readonly source: SourceText;
  readonly reading: TranscriptReading;
  /** By position in the conversation. */
  readonly said: readonly Said[];
  readonly after: Conversation;
  readonly newId: () => string;
}

/** What changes in the file, so that it has the conversation as it is now. */
export function recordSplices({
  format,
  source,
  reading,
  said,
  after,
  newId,
}: RecordsToWrite): readonly Splice[] {
  const { text } = source;
  const { records } = reading;
  const fates = fatesOf(said, after, format.keepsMerged === true);
  const byRecord = piecesByRecord(said);
  const removed = removedRecords(records, byRecord, fates);
  const told: Told[] = fates.order.flatMap((each, index) =>
    isNew(each)
      ? [
          {
            ...each,
            ...anchors(fates.order, index, (record) => !removed.has(record) && isPlace(records[record]!)),
          },
        ]
      : [],
  );
  const edits = (index: number): readonly Splice[] =>
    removed.has(index) ? [] : writePieces(text, records[index]!, byRecord.get(index) ?? [], fates.pieces);
  const { inserts, sets = [] } = format.compose({
    source,
    reading,
    removed,
    told,
    valueAfter: (index) => valueWith(text, records[index]!, edits(index)),
    newId,
  });
  const splices = [...removals(text, records, removed), ...[...byRecord.keys()].flatMap(edits)];
  splices.push(...setSplices(text, records, sets));
  splices.push(...insertions(text, records, removed, inserts));
  return splices;
}

function isNew(each: Said | NewText): each is NewText {
  return "text" in each;
}

function piecesByRecord(said: readonly Said[]): ReadonlyMap<number, readonly TranscriptPiece[]> {
  const byRecord = new Map<number, TranscriptPiece[]>();
  for (const { pieces } of said) {
    for (const piece of pieces) {
      const known = byRecord.get(piece.record);
      if (known) known.push(piece);
      else byRecord.set(piece.record, [piece]);
    }
  }
  return byRecord;
}

/** Records of which nothing is left, and those that follow them. */
function removedRecords(
  records: readonly FileRecord[],
  byRecord: ReadonlyMap<number, readonly TranscriptPiece[]>,
  { pieces }: Fates,
): ReadonlySet<number> {
  const removed = new Set<number>();
  for (const [index, each] of byRecord) {
    if (!records[index]!.stays && each.every((piece) => pieces.get(piece)?.kind === "dropped"))
      removed.add(index);
  }
  records.forEach(({ follows, stays }, index) => {
    if (follows !== undefined && !stays && removed.has(follows)) removed.add(index);
  });
  return removed;
}

/** The record that a new text is before, and the one it is after: of the nearest messages that stay. */
function anchors(order: readonly (Said | NewText)[], index: number, isAnchor: (record: number) => boolean) {
  const recordsOf = (each: Said | NewText): readonly number[] =>
    isNew(each) || each.role === "system" ? [] : each.pieces.map(({ record }) => record).filter(isAnchor);
  const next = order
    .slice(index + 1)
    .map(recordsOf)
    .find((each) => each.length > 0);
  const previous = order
    .slice(0, index)
    .map(recordsOf)
    .findLast((each) => each.length > 0);
  return {
    before: next === undefined ? undefined : Math.min(...next),
    after: previous === undefined ? undefined : Math.max(...previous),
  };
}

/** The record's value with the splices in it. */
function valueWith(text: string, { start, end, value }: FileRecord, splices: readonly Splice[]): unknown {
  if (splices.length === 0) return value;
  const own = splices.map((each) => ({ ...each, start: each.start - start, end: each.end - start }));
  return JSON.parse(applySplices(text.slice(start, end), own));
}

function setSplices(
  text: string,
  records: readonly FileRecord[],
  sets: readonly ValueSet[],
): readonly Splice[] {
  return sets.flatMap(({ record, path, value, indent }) =>
    setValue(text, records[record]!.start, path, JSON.stringify(value, null, indent)),
  );
}

/** Tool parts: a call and its result in one piece of a file, as several programs keep them. */
import { resultOf } from "./block-pieces.ts";
import type { Path, Said, TranscriptPiece } from "./transcript.ts";

export interface ToolPart {
  readonly record: number;
  /** What goes when either of them goes; absent where it is the whole record. */
  readonly drop?: Path;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly inputPath: Path;
  /** Undefined while the tool is running. */
  readonly output: unknown;
  readonly outputPath: Path;
  readonly isError?: boolean;
}

/** What a message says, and the answers to its calls as the message after it. */
export interface MessagePieces {
  readonly pieces: TranscriptPiece[];
  readonly answers: TranscriptPiece[];
}

export function addToolPart({ pieces, answers }: MessagePieces, part: ToolPart): void {
  const { record, drop, id, name, input } = part;
  const place = { record, ...(drop && { drop }) };
  pieces.push({ kind: "call", id, name, input, ...place, path: part.inputPath });
  if (part.output === undefined || part.output === null) return;
  answers.push({
    ...resultOf(part.output, id, part.isError),
    ...place,
    path: part.outputPath,
  } as TranscriptPiece);
}

export function turnSaid(role: Said["role"], { pieces, answers }: MessagePieces): readonly Said[] {
  const both: readonly Said[] = [
    { role, pieces },
    { role: "user", pieces: answers },
  ];
  return both.filter((each) => each.pieces.length > 0);
}

/** Compacts a transcript and lists what an independent reading of the result finds wrong. */
import { createCompactor } from "../src/compactor.ts";
import type { Message } from "../src/conversation/message.ts";
import { TargetUnreachableError } from "../src/errors/target-unreachable-error.ts";
import type { PresetExpression } from "../src/policy/presets.ts";
import { detectTranscript, readTranscript, writeTranscript } from "../src/transcripts/read-transcript.ts";
import type { Transcript } from "../src/transcripts/transcript.ts";
import { viewFaults, views } from "./transcript-views.ts";

export interface CompactedTranscript {
  readonly transcript: Transcript;
  readonly output: string;
  readonly faults: readonly string[];
  /** How many of ours are in view then. */
  readonly handoffs: number;
}

export interface CompactTranscriptOptions {
  readonly format?: string;
  readonly target?: number | `${number}%`;
  readonly preset?: PresetExpression;
}

/** `target` as for `compact`; a transcript that cannot shrink so far is compacted to its floor. */
export async function compactTranscript(
  text: string,
  { format = "auto", target = "30%", preset }: CompactTranscriptOptions = {},
): Promise<CompactedTranscript> {
  const transcript = readTranscript(text, { format });
  const compactor = createCompactor({ target: "50%", ...(preset && { preset }) });
  const { conversation, report } = await compactor.compact(transcript.body, { target });
  if (report.error instanceof TargetUnreachableError && target !== report.error.floorTokens) {
    return compactTranscript(text, { format, target: report.error.floorTokens, ...(preset && { preset }) });
  }
  if (report.error) return { transcript, output: text, faults: [report.error.message], handoffs: 0 };
  const output = writeTranscript(transcript, conversation);
  const view = views[transcript.format]!;
  // Where cutting alone reaches the target, nothing is handed off.
  const isHandedOff =
    text.includes("[Pith hand-off]") || report.stages.some(({ stage }) => stage === "hand-off");
  const handoffs = isHandedOff ? 1 : 0;
  const faults = [
    ...viewFaults(view(text), view(output), handoffs),
    ...lostRecords(transcript, conversation.messages, output),
    ...(detectTranscript(output) ? [] : ["no format fits it, compacted"]),
  ];
  return { transcript, output, faults, handoffs };
}

/** Records of which nothing changed must be in the output as they were; only the id of a parent may differ. */
function lostRecords(
  { reading, text, lines }: Transcript,
  messages: readonly Message[],
  output: string,
): readonly string[] {
  const isJsonl = reading.records.every(({ kind }) => kind === "line");
  if (!isJsonl) return [];
  const plain = (line: string) => line.replace(/"parent(Uuid|Id)": ?("[^"]*"|null)/g, "parent");
  const written = new Set(output.split(/\r?\n/).map(plain));
  const rows = text.split(/\r?\n/);
  const same = new Set(messages.filter(({ changed }) => !changed).map(({ position }) => position));
  const touched = new Set(lines.flatMap((numbers, position) => (same.has(position) ? [] : numbers)));
  return messages
    .filter((message) => message.position >= 0 && !message.changed)
    .flatMap(({ position }) => lines[position] ?? [])
    .filter((number) => !touched.has(number) && !written.has(plain(rows[number - 1]!)))
    .map((number) => `line ${number} was not written as it came`);
}

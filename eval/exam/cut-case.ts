/** Cuts the conversation of an exam's case into the past that is compacted and the future that followed. */
import type { RecordedMessage } from "../measure/cases.ts";
import { saidText } from "../measure/render-messages.ts";
import { countedTokens, messageTokens, systemTexts } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { type RecordLine, readSource } from "../recordings/sources.ts";
import type { ExamCase } from "./exam.ts";

export interface CutCase {
  readonly case: ExamCase;
  readonly past: readonly WireMessage[];
  readonly future: readonly WireMessage[];
  readonly pastTokens: number;
  readonly targetTokens: number;
  /** What the recorded agent's own model wrote here, where the target is its size. */
  readonly summary?: WireMessage;
}

export interface CutInput {
  readonly cases: readonly ExamCase[];
  /** The folder of the recordings. */
  readonly folder: string;
  /** Every target is this share of its past. @default what the case says */
  readonly ratio?: number | undefined;
  /** Every target is so many times as large. @default 1 */
  readonly times?: number | undefined;
}

/** One case after the other; each file is read once, for all of its cases. */
export function* cutCases({ cases, folder, ratio, times = 1 }: CutInput): Generator<CutCase> {
  for (const [file, own] of Map.groupBy(cases, (each) => each.file)) {
    const source = { name: file, file, read: (lines: readonly RecordLine[]) => lines.map(fromAnyRole) };
    const recordings = new Map(readSource(folder, source).map(({ id, messages }) => [id, messages]));
    for (const each of own) {
      const messages = recordings.get(each.conversation);
      if (!messages) throw new Error(`${file} has no conversation ${each.conversation}.`);
      const cut = cutOne(each, messages, ratio);
      yield { ...cut, targetTokens: Math.round(cut.targetTokens * times) };
    }
  }
}

function cutOne(each: ExamCase, messages: readonly RecordedMessage[], ratio: number | undefined): CutCase {
  const { past, future, summary } =
    each.at === undefined ? shareOf(each, messages) : untilSummary(each.at, messages);
  const pastTokens = countedTokens(past, systemTexts(past));
  const share = ratio ?? (summary ? undefined : (each.ratio ?? 0.1));
  return {
    case: each,
    past,
    future,
    pastTokens,
    targetTokens: share === undefined ? messageTokens(summary!) : Math.round(pastTokens * share),
    ...(summary && ratio === undefined && { summary }),
  };
}

interface Parts {
  readonly past: readonly WireMessage[];
  readonly future: readonly WireMessage[];
  readonly summary?: WireMessage;
}

/** From one recorded summary to the next: the earlier one is part of the past. */
function untilSummary(at: number, messages: readonly RecordedMessage[]): Parts {
  const summaries = messages.flatMap((message, position) => (message.summary ? [position] : []));
  const order = summaries.indexOf(at);
  if (order < 0) throw new Error(`Message ${at} is no recorded summary.`);
  return {
    past: messages.slice(summaries[order - 1] ?? 0, at).map(withoutFlag),
    future: messages.slice(at + 1, summaries[order + 1]).map(withoutFlag),
    summary: withoutFlag(messages[at]!),
  };
}

/** Calls stay with their results. */
function shareOf({ cut = 0.6 }: ExamCase, messages: readonly RecordedMessage[]): Parts {
  const from = Math.floor(messages.length * cut);
  const after = messages.slice(from).findIndex(({ role }) => role !== "tool");
  const at = after < 0 ? messages.length : from + after;
  return { past: messages.slice(0, at).map(withoutFlag), future: messages.slice(at).map(withoutFlag) };
}

const knownRoles = ["system", "user", "assistant", "tool"];

/** Where the role is an agent's name, what it says is the assistant's, with the name before it. */
function fromAnyRole(line: RecordLine): RecordedMessage {
  const message = line as unknown as RecordedMessage;
  if (knownRoles.includes(message.role)) return message;
  return {
    role: message.role === "human" ? "user" : "assistant",
    content: `${message.role}: ${saidText(message)}`,
  };
}

function withoutFlag({ summary: _, ...message }: RecordedMessage): WireMessage {
  return message;
}

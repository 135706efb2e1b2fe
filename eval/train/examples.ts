/** Training examples: pasts of recorded conversations, each specific of them with its features and whether it was used later. */
import { createHash } from "node:crypto";
import { readConversation } from "../../src/formats/detect.ts";
import { createTokenCounter } from "../../src/tokens/counter.ts";
import type { RecordedMessage } from "../measure/cases.ts";
import { probesOf } from "../measure/probes.ts";
import { commonSpecifics } from "../measure/specifics.ts";
import { textOf } from "../measure/wire-message.ts";
import type { Recording } from "../recordings/sources.ts";
import { extractRows, shortForm } from "./extract.ts";

export interface Example {
  readonly conversation: string;
  /** Conversations of one project and agent. */
  readonly group: string;
  /** Never seen in training: conversations are split, not cuts. */
  readonly heldOut: boolean;
  readonly probes: number;
  readonly features: Float32Array;
  readonly labels: Uint8Array;
}

const cuts = [0.3, 0.45, 0.6, 0.75];
const horizon = 80;
const fewestProbes = 5;

export function* examplesOf(source: string, recordings: readonly Recording[]): Generator<Example> {
  const common = commonSpecifics(recordings.map(({ messages }) => messages.map(textOf).join("\n")));
  for (const { id, messages } of recordings) {
    const about = { conversation: id, group: groupOf(source, id), heldOut: isHeldOut(id) };
    for (const { past, future } of splits(messages)) {
      const probes = probesOf({ past, future, stretch: [...past, ...future], common });
      if (probes.length < fewestProbes) continue;
      yield { ...about, probes: probes.length, ...rowsOf(past, probes) };
    }
  }
}

/** Two of five conversations, by a hash of the name. */
export function isHeldOut(conversation: string): boolean {
  return createHash("sha1").update(conversation).digest()[0]! % 5 >= 3;
}

interface Split {
  readonly past: readonly RecordedMessage[];
  readonly future: readonly RecordedMessage[];
}

/** Cuts before the first recorded compaction, and each recorded compaction. */
function* splits(messages: readonly RecordedMessage[]): Generator<Split> {
  const summaries = messages.flatMap((message, at) => (message.summary ? [at] : []));
  const before = messages.slice(0, summaries[0]);
  const sizes = before.map((message) => textOf(message).length);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  for (const fraction of cuts) {
    let sum = 0;
    const at = before.findIndex((message, position) => {
      const found = sum >= whole * fraction && message.role === "assistant" && position > 0;
      sum += sizes[position]!;
      return found;
    });
    if (at < 10 || at > before.length - 4) continue;
    yield { past: before.slice(0, at), future: before.slice(at, at + horizon) };
  }
  for (const [order, at] of summaries.entries()) {
    const past = messages.slice(order > 0 ? summaries[order - 1]! : 0, at);
    const future = messages.slice(at + 1, summaries[order + 1]);
    if (past.length >= 20 && future.length >= 6) yield { past, future };
  }
}

const counter = createTokenCounter();

function rowsOf(past: readonly RecordedMessage[], probes: readonly string[]) {
  const wanted = new Set(probes.map(shortForm));
  const { messages } = readConversation(past.map(({ summary: _, ...message }) => message));
  const { specifics, features } = extractRows(messages, counter);
  return { features, labels: Uint8Array.from(specifics, (specific) => (wanted.has(specific) ? 1 : 0)) };
}

/** `oh-my-posh-6b6f4218` → `oh-my-posh`; a name without words is of its source. */
function groupOf(source: string, id: string): string {
  return /^[a-z]+(?:-[a-z]+)*(?=-)/.exec(id)?.[0] ?? source;
}

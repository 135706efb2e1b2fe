/** Cases: where a recorded conversation is cut, what is asked of its past, and to what sizes the past is compacted. */
import { probesOf } from "./probes.ts";
import { countedTokens, messageTokens, systemTexts } from "./sizes.ts";
import { textOf, type WireMessage } from "./wire-message.ts";

/** A message of a recording; `summary` marks what the agent's own model wrote when it compacted there. */
export type RecordedMessage = WireMessage & { readonly summary?: boolean };

export interface Target {
  /** `cut 0.3`, `short 0.5` or `recorded`: rows of one kind are averaged. */
  readonly kind: string;
  readonly tokens: number;
}

export interface Case {
  readonly id: string;
  /** The conversation that it was cut from, or its family: what is resampled. */
  readonly conversation: string;
  readonly past: readonly WireMessage[];
  readonly probes: readonly string[];
  readonly targets: readonly Target[];
  /** The recorded model's own summary of this past, where it is known. */
  readonly summary?: WireMessage;
}

export interface CasesInput {
  readonly id: string;
  readonly messages: readonly RecordedMessage[];
  readonly common: ReadonlySet<string>;
}

/** All cases of one recording: one for each compaction that was recorded, and one cut in what came before the first. */
export function casesOf({ id, messages, common }: CasesInput): readonly Case[] {
  const summaries = messages.flatMap((message, position) => (message.summary ? [position] : []));
  const recorded = summaries.map((at, order) =>
    recordedCase({
      id,
      common,
      order,
      summary: messages[at]!,
      past: messages.slice(order > 0 ? summaries[order - 1]! : 0, at),
      future: messages.slice(at + 1, summaries[order + 1]),
    }),
  );
  const uncompacted = messages.slice(0, summaries[0]);
  return [...recorded, cutCase({ id, messages: uncompacted, common })].filter((found) => found !== undefined);
}

interface RecordedInput {
  readonly id: string;
  readonly common: ReadonlySet<string>;
  readonly order: number;
  readonly summary: RecordedMessage;
  readonly past: readonly RecordedMessage[];
  readonly future: readonly RecordedMessage[];
}

/** The recorded agent compacted here, so everyone gets the size of the summary that its own model wrote. */
function recordedCase({ id, common, order, summary, past, future }: RecordedInput): Case | undefined {
  if (past.length < 20 || future.length < 6) return undefined;
  const probes = probesOf({ past, future, stretch: [...past, ...future], common });
  if (probes.length < 5) return undefined;
  return {
    id: `${id}/recorded/${order}`,
    conversation: id,
    past: past.map(withoutFlag),
    probes,
    targets: [{ kind: "recorded", tokens: messageTokens(summary) }],
    summary: withoutFlag(summary),
  };
}

/** A stretch that nobody compacted: the agent knew everything, so what it used is what it needed. */
function cutCase({ id, messages, common }: CasesInput): Case | undefined {
  const size = extentOf(messages);
  if (size === undefined) return undefined;
  const at = cutPosition(messages);
  if (at < size.fewestBefore || at > messages.length - 4) return undefined;
  const past = messages.slice(0, at).map(withoutFlag);
  const future = messages.slice(at, at + horizon);
  const probes = probesOf({ past, future, stretch: messages, common });
  if (probes.length < size.fewestProbes) return undefined;
  const tokens = countedTokens(past, systemTexts(past));
  const targets = size.ratios.map((ratio) => ({
    kind: `${size.name} ${ratio}`,
    tokens: Math.round(tokens * ratio),
  }));
  const reachable = targets.filter((target) => size === long || target.tokens >= smallestShortTarget);
  return { id: `${id}/cut`, conversation: id, past, probes, targets: reachable };
}

interface Extent {
  readonly name: string;
  readonly messages: number;
  readonly chars: number;
  readonly fewestBefore: number;
  readonly fewestProbes: number;
  readonly ratios: readonly number[];
}

const long: Extent = {
  name: "cut",
  messages: 24,
  chars: 16_000,
  fewestBefore: 10,
  fewestProbes: 5,
  ratios: [0.3, 0.1, 0.03],
};
const short: Extent = {
  name: "short",
  messages: 16,
  chars: 6000,
  fewestBefore: 6,
  fewestProbes: 3,
  ratios: [0.5, 0.3],
};
const cutFraction = 0.6;
const horizon = 80;
const smallestShortTarget = 400;

function extentOf(messages: readonly WireMessage[]): Extent | undefined {
  const chars = messages.reduce(
    (sum, message) => sum + (message.role === "system" ? 0 : textOf(message).length),
    0,
  );
  return [long, short].find((extent) => messages.length >= extent.messages && chars >= extent.chars);
}

/** The first assistant message after 60 % of the text. */
function cutPosition(messages: readonly WireMessage[]): number {
  const sizes = messages.map((message) => textOf(message).length);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  for (const [position, message] of messages.entries()) {
    if (before >= whole * cutFraction && message.role === "assistant" && position > 0) return position;
    before += sizes[position]!;
  }
  return -1;
}

/** The flag is the data set's own remark and no part of the wire. */
function withoutFlag({ summary: _, ...message }: RecordedMessage): WireMessage {
  return message;
}

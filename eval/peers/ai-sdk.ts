/**
 * AI SDK: pruneMessages without reasoning and old tool calls. It knows no target, so as many of the last messages keep their
 * calls as fit; where not even two fit, the most recent messages are kept on top.
 */
import { countedTokens } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { recentWithin } from "../strategies/keep-recent.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { loadPeer } from "./load-peer.ts";

interface ModelMessage {
  readonly role: string;
  readonly content: string | readonly ContentPart[];
}
interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly output?: unknown;
  readonly input?: unknown;
}

interface AiSdk {
  readonly pruneMessages: (options: {
    messages: readonly ModelMessage[];
    reasoning: "before-last-message";
    toolCalls: `before-last-${number}-messages`;
    emptyMessages: "remove";
  }) => readonly ModelMessage[];
}

export async function aiSdkPrune(): Promise<Strategy> {
  const { pruneMessages } = await loadPeer<AiSdk>("ai");
  return {
    prepare: (past) => {
      const system = past.filter(({ role }) => role === "system");
      const given = past.filter(({ role }) => role !== "system");
      const names = new Map(
        given.flatMap(({ tool_calls }) =>
          (tool_calls ?? []).map((call) => [call.id, call.function.name] as const),
        ),
      );
      const messages = given.map((message) => toModelMessage(message, names));
      const originals = new Map(messages.map((message, position) => [message.content, given[position]!]));
      const prune = (keptMessages: number): readonly WireMessage[] => {
        const pruned = pruneMessages({
          messages,
          reasoning: "before-last-message",
          toolCalls: `before-last-${keptMessages}-messages`,
          emptyMessages: "remove",
        });
        return pruned.map((message) => originals.get(message.content) ?? toWire(message));
      };
      return (targetTokens) => {
        const fitting = keptCounts(messages.length)
          .map(prune)
          .find((kept) => countedTokens(kept, []) <= targetTokens);
        return [...system, ...(fitting ?? recentWithin(prune(fewestKept), targetTokens))];
      };
    },
  };
}

function toModelMessage(message: WireMessage, names: ReadonlyMap<string, string>): ModelMessage {
  const { role, content, tool_calls, tool_call_id } = message;
  const text = typeof content === "string" ? content : partsText(content);
  if (role === "tool") {
    const toolName = names.get(tool_call_id ?? "") ?? "tool";
    const output = { type: "text", value: text };
    return { role, content: [{ type: "tool-result", toolCallId: tool_call_id ?? "", toolName, output }] };
  }
  const calls = (tool_calls ?? []).map((call) => ({
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.function.name,
    input: call.function.arguments,
  }));
  return { role, content: [...(text ? [{ type: "text", text }] : []), ...calls] };
}

/** A message that lost parts: only text is left of it, since calls go before their message does. */
function toWire({ role, content }: ModelMessage): WireMessage {
  return { role, content: typeof content === "string" ? content : partsText(content) };
}

function partsText(content: unknown): string {
  return Array.isArray(content) ? content.map((part: ContentPart) => part.text ?? "").join("\n") : "";
}

/** How many last messages keep their tool calls: from all, by fifths, down to the two of the documentation. */
function keptCounts(all: number): readonly number[] {
  const counts: number[] = [];
  for (let count = all; count > fewestKept; count = Math.floor(count / 1.25)) counts.push(count);
  return [...counts, fewestKept];
}

const fewestKept = 2;

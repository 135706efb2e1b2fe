/**
 * Cline: the "basic" compaction of @cline/core, which needs no model. Its own estimate of tokens differs from the measure's,
 * so its window is set as large as its result still fits; where none fits, the most recent messages are kept on top.
 */
import { countedTokens } from "../measure/sizes.ts";
import type { WireMessage, WireToolCall } from "../measure/wire-message.ts";
import { recentWithin } from "../strategies/keep-recent.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { loadPeer } from "./load-peer.ts";

interface ClineMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly Block[] | string;
}
type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: "tool_result"; readonly tool_use_id: string; readonly content: unknown };

type PrepareTurn = (context: Record<string, unknown>) => Promise<{ messages: ClineMessage[] } | undefined>;

interface ClineCore {
  readonly createContextCompactionPrepareTurn: (config: Record<string, unknown>) => PrepareTurn;
}

const attempts = 7;

export async function clineBasic(): Promise<Strategy> {
  const { createContextCompactionPrepareTurn } = await loadPeer<ClineCore>("@cline/core");
  const prepareTurn = createContextCompactionPrepareTurn({
    providerId: "none",
    modelId: "none",
    compaction: { enabled: true, strategy: "basic" },
  });
  return {
    prepare: (past) => {
      const system = past.filter(({ role }) => role === "system");
      const messages = toCline(past.filter(({ role }) => role !== "system"));
      const compactTo = async (maxInputTokens: number): Promise<readonly WireMessage[]> => {
        const compacted = await prepareTurn({
          agentId: "agent",
          conversationId: "conversation",
          parentAgentId: null,
          iteration: 1,
          messages,
          apiMessages: messages,
          abortSignal: new AbortController().signal,
          systemPrompt: "",
          tools: [],
          model: { id: "none", provider: "none", info: { maxInputTokens } },
        });
        return fromCline(compacted?.messages ?? messages);
      };
      return async (targetTokens) => {
        let [least, most] = [targetTokens / 2, targetTokens * 6];
        let best: readonly WireMessage[] | undefined;
        let smallest: readonly WireMessage[] = [];
        for (let attempt = 0; attempt < attempts; attempt++) {
          const window = Math.round((least + most) / 2);
          const result = await compactTo(window);
          if (countedTokens(result, []) <= targetTokens) {
            best = result;
            least = window;
          } else {
            smallest = result;
            most = window;
          }
        }
        return [...system, ...(best ?? recentWithin(smallest, targetTokens))];
      };
    },
  };
}

/** Results go into a user message, as in the API whose blocks Cline uses. */
function toCline(given: readonly WireMessage[]): readonly ClineMessage[] {
  const messages: { role: "user" | "assistant"; content: Block[] }[] = [];
  for (const { role, content, tool_calls, tool_call_id } of given) {
    const text = typeof content === "string" ? content : textOfParts(content);
    if (role === "tool") {
      const block: Block = { type: "tool_result", tool_use_id: tool_call_id ?? "", content: text };
      const last = messages.at(-1);
      if (last?.role === "user" && last.content[0]?.type === "tool_result") last.content.push(block);
      else messages.push({ role: "user", content: [block] });
      continue;
    }
    const calls = (tool_calls ?? []).map(toToolUse);
    const blocks: Block[] = text ? [{ type: "text", text }, ...calls] : calls;
    if (blocks.length > 0)
      messages.push({ role: role === "assistant" ? "assistant" : "user", content: blocks });
  }
  return messages;
}

function toToolUse({ id, function: called }: WireToolCall): Block {
  let input: unknown;
  try {
    input = JSON.parse(called.arguments);
  } catch {
    // Their blocks hold objects; a recorded text that is no JSON rides as one value.
    input = { input: called.arguments };
  }
  return { type: "tool_use", id, name: called.name, input };
}

function fromCline(messages: readonly ClineMessage[]): readonly WireMessage[] {
  return messages.flatMap(({ role, content }): WireMessage[] => {
    if (typeof content === "string") return [{ role, content }];
    const results = content.filter((block) => block.type === "tool_result");
    const answers = results.map((block) => ({
      role: "tool",
      tool_call_id: block.tool_use_id,
      content: typeof block.content === "string" ? block.content : textOfParts(block.content),
    }));
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    const calls = content.flatMap((block) =>
      block.type === "tool_use"
        ? [
            {
              id: block.id,
              type: "function",
              function: { name: block.name, arguments: JSON.stringify(block.input) },
            },
          ]
        : [],
    );
    const own = { role, content: text, ...(calls.length > 0 && { tool_calls: calls }) };
    return text || calls.length > 0 ? [...answers, own] : answers;
  });
}

function textOfParts(content: unknown): string {
  return Array.isArray(content)
    ? content.map((part: { text?: string }) => part.text ?? "").join("\n")
    : String(content ?? "");
}

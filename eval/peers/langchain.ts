/** LangChain: ClearToolUsesEdit (the edit of its contextEditingMiddleware), then trimMessages. */
import { messageTokens } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { loadPeer } from "./load-peer.ts";

interface BaseMessage {
  readonly id?: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly args: unknown }[];
}
type TokenCounter = (messages: BaseMessage[]) => number;
type MessageClass = new (fields: Record<string, unknown>) => BaseMessage;

interface Langchain {
  readonly ClearToolUsesEdit: new (config: {
    trigger: { tokens: number };
    keep: { tokens: number };
  }) => { apply(input: { messages: BaseMessage[]; countTokens: TokenCounter }): Promise<void> };
}

interface Messages {
  readonly AIMessage: MessageClass;
  readonly HumanMessage: MessageClass;
  readonly ToolMessage: MessageClass;
  readonly trimMessages: (
    messages: BaseMessage[],
    options: { maxTokens: number; strategy: "last"; tokenCounter: TokenCounter; startOn: readonly string[] },
  ) => Promise<BaseMessage[]>;
}

/**
 * The share of the target that recent tool results may keep. The default, the results of the last three calls, takes no
 * notice of the target and holds half as much at 10 %.
 */
const keptShare = 0.5;

/** `clear`: whether old tool results are cleared before the list is trimmed. */
export async function langchain({ clear }: { readonly clear: boolean }): Promise<Strategy> {
  const { ClearToolUsesEdit } = await loadPeer<Langchain>("langchain");
  const core = await loadPeer<Messages>("@langchain/core/messages");
  return {
    prepare: (past) => async (targetTokens) => {
      const system = past.filter(({ role }) => role === "system");
      const given = past.filter(({ role }) => role !== "system");
      const originals = new Map<string, WireMessage>();
      const messages = given.map((message, position) => {
        originals.set(String(position), message);
        return toBaseMessage(core, message, String(position));
      });
      const sizes = new WeakMap<BaseMessage, number>();
      const sizeOf = (message: BaseMessage): number => {
        const known = sizes.get(message);
        if (known !== undefined) return known;
        const counted = messageTokens(toWire(message, originals, given));
        sizes.set(message, counted);
        return counted;
      };
      const tokenCounter: TokenCounter = (list) => list.reduce((sum, message) => sum + sizeOf(message), 0);
      if (clear) {
        const edit = new ClearToolUsesEdit({
          trigger: { tokens: targetTokens },
          keep: { tokens: Math.round(targetTokens * keptShare) },
        });
        await edit.apply({ messages, countTokens: tokenCounter });
      }
      const trimmed = await core.trimMessages(messages, {
        maxTokens: targetTokens,
        strategy: "last",
        tokenCounter,
        startOn: ["human", "ai"],
      });
      return [...system, ...trimmed.map((message) => toWire(message, originals, given))];
    },
  };
}

function toBaseMessage(core: Messages, message: WireMessage, id: string): BaseMessage {
  const { role, content, tool_calls, tool_call_id } = message;
  if (role === "tool") return new core.ToolMessage({ id, content: content ?? "", tool_call_id });
  if (role !== "assistant") return new core.HumanMessage({ id, content: content ?? "" });
  const calls = (tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    args: argumentsOf(call.function.arguments),
    type: "tool_call",
  }));
  return new core.AIMessage({ id, content: content ?? "", tool_calls: calls });
}

function argumentsOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Their messages hold arguments as objects; a recorded text that is no JSON rides as one value.
    return { input: json };
  }
}

/** A cleared result lost its id, and is known by the call that it answers. */
function toWire(
  message: BaseMessage,
  originals: ReadonlyMap<string, WireMessage>,
  given: readonly WireMessage[],
): WireMessage {
  const original = originals.get(message.id ?? "");
  if (original) return original;
  const callId = (message as { tool_call_id?: string }).tool_call_id;
  const answered = given.find(({ tool_call_id }) => tool_call_id === callId);
  return { ...answered, role: "tool", content: message.content };
}

/** askChatModel: a chat model of LangChain, asked once more behind the messages that it was just sent. */
import { failed } from "../summarizer/failure.ts";
import type { Summary, SummaryRequest } from "../summarizer/summarizer.ts";
import type { LangChainMessage } from "./langchain-messages.ts";
import { unshaped } from "./unshaped.ts";

/** What was sent: the request of a middleware, with its messages as they went. */
export interface SentToChatModel {
  readonly model?: unknown;
  /** The system prompt with them. */
  readonly messages: readonly LangChainMessage[];
  readonly tools?: readonly unknown[] | undefined;
  readonly toolChoice?: unknown;
  readonly modelSettings?: Readonly<Record<string, unknown>> | undefined;
}

interface ChatModel {
  readonly bindTools?: (tools: readonly unknown[], settings: object) => ChatModel;
  readonly invoke: (messages: readonly LangChainMessage[], config: object) => Promise<Said>;
}

interface Said extends LangChainMessage {
  readonly usage_metadata?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly input_token_details?: { readonly cache_read?: number };
  };
}

/** @param ask makes a message of the user */
export async function askChatModel(
  { model, messages, tools = [], toolChoice, modelSettings = {} }: SentToChatModel,
  ask: (prompt: string) => LangChainMessage,
  { prompt, ride, signal }: SummaryRequest,
): Promise<Summary> {
  const chat = model as ChatModel;
  const isForced = toolChoice !== undefined && toolChoice !== "auto" && toolChoice !== "none";
  const settings = { ...unshaped(modelSettings), tool_choice: isForced ? undefined : toolChoice };
  const bound = ride && chat.bindTools ? chat.bindTools(tools, settings) : chat;
  // No callbacks: what the agent's listeners hear is the agent.
  const said = await bound.invoke([...(ride ? messages : []), ask(prompt)], { signal, callbacks: [] });
  return readMessage(said);
}

function readMessage(said: Said): Summary {
  const name = "same";
  if (said?.content === undefined) throw failed(name, "malformed", "The answer holds no message.");
  const { content, response_metadata: metadata = {}, usage_metadata: usage } = said;
  const blocks = typeof content === "string" ? [content] : content;
  const text = blocks.map((block) => (typeof block === "string" ? block : (block.text ?? ""))).join("");
  const cached = usage?.input_token_details?.cache_read;
  return {
    text,
    finish: said.tool_calls?.length ? "unknown" : finishOf(metadata),
    model: String(metadata.model_name ?? metadata.model ?? "model"),
    ...(usage && {
      usage: {
        inputTokens: usage.input_tokens,
        ...(cached !== undefined && { cachedTokens: cached }),
        outputTokens: usage.output_tokens,
      },
    }),
  };
}

/** Each provider's word for it; one that says nothing has come to its end. */
function finishOf(metadata: Readonly<Record<string, unknown>>): Summary["finish"] {
  const { finish_reason, stop_reason, finishReason, status } = metadata;
  const word = String(finish_reason ?? stop_reason ?? finishReason ?? status ?? "stop").toLowerCase();
  if (/^(?:stop|end_turn|stop_sequence|completed|eos)$/.test(word)) return "stop";
  if (/^(?:length|max_tokens|incomplete)$/.test(word)) return "length";
  return /^(?:refusal|content_filter|safety)$/.test(word) ? "refusal" : "unknown";
}

/** askAiModel: a language model of the AI SDK, asked once more behind the prompt that it was just sent. */
import { type Generated, readGenerated } from "../summarizer/ai-sdk.ts";
import type { Summary, SummaryRequest } from "../summarizer/summarizer.ts";
import type { AiMessage } from "./ai-messages.ts";

/** What is needed of a model and of the options of its calls. */
export interface AiModel {
  readonly modelId: string;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own option and result types differ between its versions
  readonly doGenerate: (options: any) => PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly doStream: (options: any) => PromiseLike<any>;
}

export interface AiParams {
  readonly prompt: readonly AiMessage[];
  readonly tools?: readonly unknown[];
  readonly toolChoice?: { readonly type: string };
}

/** A call of a model, as it was made. */
export interface AiCall {
  readonly model: AiModel;
  readonly params: AiParams;
  /** subtle: some providers send other tools in a stream, so that what is cached of one is not found by the other. */
  readonly how: "doGenerate" | "doStream";
}

export async function askAiModel(
  { model, params, how }: AiCall,
  { prompt, ride, signal }: SummaryRequest,
): Promise<Summary> {
  const { prompt: before, tools, toolChoice, ...rest } = params;
  const isForced = toolChoice?.type === "required" || toolChoice?.type === "tool";
  const result = await model[how]({
    ...rest,
    // subtle: some providers take the tools away where none may be called, and with them what is cached.
    ...(ride && { tools, toolChoice: isForced ? { type: "auto" } : toolChoice }),
    prompt: [...(ride ? before : []), { role: "user", content: [{ type: "text", text: prompt }] }],
    // What shapes the agent's answers must not shape a summary.
    ...{ responseFormat: undefined, maxOutputTokens: undefined, stopSequences: undefined },
    abortSignal: signal,
  });
  const generated = how === "doStream" ? await collected(result.stream) : result;
  return readGenerated(generated, { name: model.modelId, model: model.modelId });
}

interface StreamPart {
  readonly type: string;
  readonly delta?: string;
  readonly error?: unknown;
}

async function collected(stream: AsyncIterable<StreamPart & Omit<Generated, "content">>): Promise<Generated> {
  let text = "";
  let end: Omit<Generated, "content"> = {};
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") text += part.delta ?? "";
    if (part.type === "finish") end = part;
  }
  return { ...end, content: [{ type: "text", text }] };
}

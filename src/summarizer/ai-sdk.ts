/** aiSdkSummarizer: writes summaries with any language model object of the AI SDK. */
import { OptionsError } from "../errors/options-error.ts";
import { classOfException, failed, messageOf } from "./failure.ts";
import type { ModelAsked, Summarizer, Summary } from "./summarizer.ts";

/** What is needed of an AI SDK language model (specification v2 and later), without depending on the SDK. */
export interface AiSdkModel {
  readonly modelId: string;
  readonly provider: string;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own option and result types differ between its versions
  readonly doGenerate: (options: any) => PromiseLike<any>;
}

export interface AiSdkSummarizerOptions {
  /** The model's context window in tokens: longer input is sampled to fit. */
  readonly window?: number;
}

/** `aiSdkSummarizer(openai("gpt-4o-mini"))` */
export function aiSdkSummarizer(model: AiSdkModel, { window }: AiSdkSummarizerOptions = {}): Summarizer {
  if (typeof model?.doGenerate !== "function") {
    throw new OptionsError(
      "model",
      "The AI SDK model must be a language model object with `doGenerate`, not its name: make it with a provider.",
    );
  }
  const name = `${model.modelId} via ${model.provider}`;
  return {
    name,
    ...(window === undefined ? {} : { window }),
    async summarize({ prompt, signal }) {
      let result: Generated;
      try {
        result = await model.doGenerate({
          prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
          abortSignal: signal,
        });
      } catch (cause) {
        throw failed(name, classOfException(cause, signal), `The model call failed: ${messageOf(cause)}.`, {
          cause,
        });
      }
      return readGenerated(result, { name, model: model.modelId });
    },
  };
}

/** What a language model of the AI SDK generated. Throws SummarizerFailedError. */
export function readGenerated(
  result: Generated,
  { name, model }: Pick<ModelAsked, "name" | "model">,
): Summary {
  if (!Array.isArray(result?.content)) throw failed(name, "malformed", "The answer holds no content.");
  return {
    text: textOf(result.content),
    finish: finishOf(result.finishReason),
    model,
    ...usageOf(result.usage),
  };
}

/** v2 has plain values where v3 has objects. */
export interface Generated {
  readonly content?: readonly ({ readonly type?: unknown; readonly text?: unknown } | null)[];
  readonly finishReason?: string | { readonly unified?: unknown };
  readonly usage?: {
    readonly inputTokens?: Count;
    readonly outputTokens?: Count;
    readonly cachedInputTokens?: number;
  };
}

type Count = number | { readonly total?: number; readonly cacheRead?: number } | undefined;

function textOf(content: NonNullable<Generated["content"]>): string {
  return content
    .map((part) => (part?.type === "text" && typeof part.text === "string" ? part.text : ""))
    .join("");
}

function finishOf(reason: Generated["finishReason"]): Summary["finish"] {
  const word = typeof reason === "object" ? reason?.unified : reason;
  if (word === "stop" || word === "length") return word;
  return word === "content-filter" ? "refusal" : "unknown";
}

function usageOf(usage: Generated["usage"]): Pick<Summary, "usage"> {
  const count = (value: Count): number | undefined => (typeof value === "object" ? value?.total : value);
  const inputTokens = count(usage?.inputTokens);
  const outputTokens = count(usage?.outputTokens);
  if (inputTokens === undefined || outputTokens === undefined) return {};
  const input = usage?.inputTokens;
  const cachedTokens = typeof input === "object" ? input.cacheRead : usage?.cachedInputTokens;
  return { usage: { inputTokens, ...(cachedTokens !== undefined && { cachedTokens }), outputTokens } };
}

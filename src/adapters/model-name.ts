/** Model name: what an SDK's model calls itself, for the counter to know its tokenizer and its window. */
import { firstText, isObject } from "../json/wire-value.ts";

/** Models that are wrapped in others are found this many deep. */
const DEEPEST = 4;

/**
 * A name, or an object that holds one: `modelId` in the AI SDK and Mastra, `model` or `modelName` in LangChain, `_model` in
 * the Agents SDK. Of a model that another one wraps, that one's.
 *
 *     anthropic("claude-sonnet-4-5") → "claude-sonnet-4-5"
 */
export function modelNameOf(model: unknown, depth = 0): string | undefined {
  if (typeof model === "string") return model === "" ? undefined : model;
  if (!isObject(model) || depth > DEEPEST) return undefined;
  const { modelId, model: own, modelName, _model: hidden, bound, _defaultConfig: config } = model;
  const name = firstText(modelId, own, modelName, hidden);
  if (name !== "") return name;
  for (const inner of [own, hidden, bound, config]) {
    const found = modelNameOf(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

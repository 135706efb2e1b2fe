import { expect, test } from "vitest";
import { modelProfile } from "../tokens/models.ts";
import { modelNameOf } from "./model-name.ts";

test.each([
  ["a name", "claude-opus-5"],
  ["the AI SDK and Mastra", { provider: "anthropic.messages", modelId: "claude-opus-5" }],
  ["Bedrock", { modelId: "eu.anthropic.claude-opus-5-20260101-v1:0" }],
  ["Vertex", { modelId: "claude-opus-5@20260101" }],
  ["a router", { modelId: "anthropic/claude-opus-5" }],
  ["LangChain", { model: "claude-opus-5" }],
  ["LangChain, an older name", { modelName: "claude-opus-5" }],
  ["LangChain with settings bound to it", { bound: { model: "claude-opus-5" } }],
  ["LangChain by initChatModel", { _defaultConfig: { model: "claude-opus-5" } }],
  ["the Agents SDK", { _client: {}, _model: "claude-opus-5" }],
  ["a model that wraps another", { model: { modelId: "claude-opus-5" } }],
])("finds what the model is called, and so its factor: %s", (_where, model) => {
  expect(modelProfile(modelNameOf(model)).factor).toBe(1.6);
});

test("a model without a name has none", () => {
  const endless: Record<string, unknown> = {};
  endless.bound = endless;
  for (const model of [undefined, null, "", 5, {}, { modelId: 7 }, endless])
    expect(modelNameOf(model)).toBeUndefined();
});

import { expect, test } from "vitest";
import { testFormat } from "../testing/test-format.ts";
import { anthropicMessages } from "./anthropic-messages/format.ts";
import { openAIChat } from "./openai-chat/format.ts";
import { openAIResponses } from "./openai-responses/format.ts";

testFormat(
  openAIChat,
  [
    [{ role: "user", content: "hi" }],
    {
      model: "gpt-x",
      temperature: 0.5,
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url: "data:," } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: "…" },
        { role: "assistant", content: "done", name: "helper" },
      ],
      tools: [{ type: "function", function: { name: "read", parameters: {} } }],
    },
  ],
  { test, expect },
);

testFormat(
  anthropicMessages,
  [
    [{ role: "user", content: "hi" }],
    {
      model: "claude-x",
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      messages: [
        { role: "user", content: "look" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "s" },
            { type: "tool_use", id: "t1", name: "read", input: { path: "a.ts" } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "…" }] },
      ],
      max_tokens: 100,
    },
    { messages: [{ role: "user", content: "hi" }], system: "Be brief." },
  ],
  { test, expect },
);

testFormat(
  openAIResponses,
  [
    [{ role: "user", content: "hi" }],
    {
      model: "gpt-x",
      instructions: "Be brief.",
      input: [
        { role: "user", content: [{ type: "input_text", text: "look" }] },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          content: [{ type: "output_text", text: "Looking." }],
        },
        { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: '{"path":"a.ts"}' },
        { type: "function_call_output", call_id: "c1", output: "…" },
      ],
      tools: [{ type: "function", name: "read", parameters: {} }],
    },
    { input: [{ role: "user", content: "hi" }], instructions: "Be brief.", store: false },
  ],
  { test, expect },
);

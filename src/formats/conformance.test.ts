import { expect, test } from "vitest";
import { testFormat } from "../testing/test-format.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { openAIChat } from "./openai-chat.ts";

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

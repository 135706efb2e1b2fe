import { expect, test } from "vitest";
import { formatNamed } from "../providers/detect.ts";
import { fillNote } from "./fill-note.ts";

const note = fillNote({ tokens: 500, budget: 1_000 });

test.each([
  ["openai-chat", { role: "user", content: "Go." }, { role: "user", content: `Go.\n\n${note}` }],
  [
    "openai-chat",
    { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "a" }] },
    {
      role: "tool",
      tool_call_id: "c",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: note },
      ],
    },
  ],
  [
    "anthropic-messages",
    { role: "user", content: "Go." },
    {
      role: "user",
      content: [
        { type: "text", text: "Go." },
        { type: "text", text: note },
      ],
    },
  ],
  [
    "anthropic-messages",
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "a" }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c", content: "a" },
        { type: "text", text: note },
      ],
    },
  ],
  [
    "openai-responses",
    { type: "function_call_output", call_id: "c", output: "a" },
    { type: "function_call_output", call_id: "c", output: `a\n\n${note}` },
  ],
  [
    "openai-responses",
    { role: "user", content: [{ type: "input_text", text: "Go." }] },
    {
      role: "user",
      content: [
        { type: "input_text", text: "Go." },
        { type: "input_text", text: note },
      ],
    },
  ],
])("[F82] in %s the note stands behind what the last message says: %j", (format, message, noted) => {
  expect(formatNamed(format).noted(message, note)).toEqual(noted);
});

test.each([
  ["openai-chat", { role: "assistant", content: "So far" }],
  ["openai-chat", { role: "user", content: null }],
  ["anthropic-messages", { role: "assistant", content: "{" }],
  ["openai-responses", { type: "computer_call_output", output: {} }],
  ["openai-responses", "text"],
])("in %s there is no place for it in %j", (format, message) => {
  expect(formatNamed(format).noted(message, note)).toBe(message);
});

import { expect, test } from "vitest";
import { heardUsage } from "./heard-usage.ts";

function tokensIn(text: string, size: number) {
  const { hear, tokens } = heardUsage();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) hear(bytes.subarray(at, at + size));
  return tokens();
}

const filler = `data: {"delta":"${"x".repeat(500)}"}\n\n`.repeat(100);

test.each([1, 100, 1_000_000])("usage is found in what passes, in pieces of %d bytes", (size) => {
  const message =
    'data: {"type":"message_start","message":{"usage":{"input_tokens":25,"output_tokens":1}}}\n\n' +
    `${filler}data: {"type":"message_delta","usage":{"output_tokens":15}}\n\n`;
  expect(tokensIn(message, size)).toEqual({ input: 25, output: 15 });
  const chat = `${filler}data: {"choices":[],"usage":{"prompt_tokens": 7,"completion_tokens": 9}}\n\ndata: [DONE]\n\n`;
  expect(tokensIn(chat, size)).toEqual({ input: 7, output: 9 });
});

test("what the model says about usage is not taken for it", () => {
  const said = JSON.stringify({ content: '{"input_tokens": 1, "output_tokens": 2}' });
  expect(tokensIn(`data: ${said}\n\n`, 10)).toEqual({ input: undefined, output: undefined });
});

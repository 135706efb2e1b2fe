import { expect, test } from "vitest";
import { type OfferedTool, offerTools } from "./offered-tools.ts";

const tool: OfferedTool = { name: "recall_search", description: "Finds.", parameters: { type: "object" } };

function offered(text: string): string {
  return offerTools(text, JSON.parse(text), "anthropic-messages", [tool]).text;
}

test.each([
  ['{"messages":[]}', 1],
  ['{"messages":[],"tools":[]}', 1],
  ['{"messages":[], "tools": [{"name":"own"}] }', 2],
  ['{"tools":null,"messages":[]}', 1],
  ['{"to\\u006fls":[{"name":"own"}],"messages":[]}', 2],
  ['{"tools":[{"name":"first"}],"messages":[],"tools":[{"name":"last"}]}', 2],
])(
  "of %s the model is offered what JSON.parse finds, and no key is there twice that was not",
  (text, count) => {
    const after = offered(text);
    expect(JSON.parse(after).tools).toHaveLength(count);
    expect(after.match(/"(?:tools|to\\u006fls)"/g)!.length).toBe(
      Math.max(1, text.match(/"(?:tools|to\\u006fls)"/g)?.length ?? 0),
    );
  },
);

test("tools that are no list are left to the provider", () => {
  expect(offered('{"tools":{},"messages":[]}')).toBe('{"tools":{},"messages":[]}');
});

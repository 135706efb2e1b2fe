import { expect, test } from "vitest";
import { type Part, textOfPart } from "./part.ts";

test("a part reads as the text that a model sees in it", () => {
  const call: Part = { type: "tool-call", pairId: "1", name: "read", arguments: '{"a":1}', server: false };
  expect(textOfPart(call)).toBe('read {"a":1}');
  expect(textOfPart({ type: "media", kind: "image" })).toBe("");
  expect(textOfPart({ type: "text", text: "said" })).toBe("said");
  expect(textOfPart({ type: "reasoning", text: "thought", signed: true })).toBe("thought");
  expect(textOfPart({ type: "opaque", kind: "hologram", text: "{}" })).toBe("{}");
});

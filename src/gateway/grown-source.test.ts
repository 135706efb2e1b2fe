import { expect, test } from "vitest";
import { readJsonSource } from "../json/source.ts";
import { grownSource } from "./grown-source.ts";

const bodies: readonly (readonly [name: string, write: (messages: readonly unknown[]) => string])[] = [
  ["messages last", (messages) => JSON.stringify({ model: "m", system: "Be.", messages })],
  ["messages first", (messages) => JSON.stringify({ messages, system: "Be.", tools: [{ name: "x" }] })],
  ["lines", (messages) => JSON.stringify({ a: 1, messages, b: [2] }, null, 2)],
  ["items", (messages) => JSON.stringify({ instructions: "Be.", input: messages, store: false })],
];
const messages = Array.from({ length: 6 }, (_, at) => ({ role: "user", content: `"${at}" [{}, ]` }));

test.each(bodies)("a body that grew is read as if it were new: %s", (_, write) => {
  const earlier = readJsonSource(write(messages.slice(0, 3)));
  for (const count of [3, 4, 6]) {
    const text = write(messages.slice(0, count));
    expect(grownSource(text, earlier)).toEqual(readJsonSource(text));
  }
});

test("what stands behind the messages may change, and what is not whole is refused", () => {
  const earlier = readJsonSource('{"messages":[{"a":1}],"system":"x"}');
  const text = '{"messages":[{"a":1} , {"b":2}],"tools":[],"system":"another one"}';
  expect(grownSource(text, earlier)).toEqual(readJsonSource(text));
  for (const broken of ['{"messages":[{"a":1},{"b"', '{"messages":[{"a":1}}', '{"messages":[{"a":1}'])
    expect(() => grownSource(broken, earlier)).toThrow();
});

test("a second list that counts instead, and a comma with nothing behind it, are not missed", () => {
  const earlier = readJsonSource('{"messages":[{"a":1}]}');
  const text = '{"messages":[{"a":1}],"messages":[{"b":2}]}';
  expect(grownSource(text, earlier)).toBeUndefined();
  expect(grownSource('{"messages":[{"a":1},]}', earlier)).toBeUndefined();
});

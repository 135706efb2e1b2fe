import { expect, test } from "vitest";
import { InputError } from "../errors/input-error.ts";
import { readBody } from "../providers/body.ts";
import { MAX_TEXT_CHARACTERS, readJsonSource } from "./source.ts";
import { isObject, parsedJson } from "./wire-value.ts";

function slices(text: string): readonly string[] {
  return readJsonSource(text).elements.map(({ start, end }) => text.slice(start, end));
}

function errorOf(input: unknown): InputError {
  try {
    readBody(input);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("was read without an error");
}

test("finds each message's very source in a list", () => {
  expect(slices('[{"a":"]}"},  {"b":"\\\\"},{"c":"\\"]"} ]')).toEqual([
    '{"a":"]}"}',
    '{"b":"\\\\"}',
    '{"c":"\\"]"}',
  ]);
  expect(slices(" [ ] ")).toEqual([]);
});

test("finds messages and system in a body and parses the rest without them", () => {
  const text = '{"model":"m","system":"be brief","messages":[{"x":1}],"n":[1,{"messages":[2]}]}';
  const source = readJsonSource(text);
  expect(source.rest).toEqual({ model: "m", system: "be brief", messages: [], n: [1, { messages: [2] }] });
  expect(slices(text)).toEqual(['{"x":1}']);
  expect(text.slice(source.system!.value.start, source.system!.value.end)).toBe('"be brief"');
});

test("takes the last of repeated keys, escaped or not, as JSON.parse does", () => {
  expect(slices('{"messages":[{"a":1}],"messages":[{"b":2}]}')).toEqual(['{"b":2}']);
  expect(slices('{"messages":[{"a":1}],"mess\\u0061ges":[{"b":2}]}')).toEqual(['{"b":2}']);
  expect(errorOf('{"messages":[{"a":1}],"messages":7}').message).toContain("`messages` is a number");
});

test("says where a file was cut off", () => {
  const error = errorOf('{"model":"m",\n"messages":[\n{"role":"user"},{"role":"us');
  expect(error.message).toBe(
    "The JSON ends in the middle of messages[1] (line 3, column 28): the file looks cut off. Give the whole file.",
  );
  expect(error.place).toEqual({ line: 3, column: 28, path: "messages[1]" });
  expect(errorOf('[{"a":tru').message).toContain("ends in the middle of messages[0]");
  expect(errorOf('[{"a":"\\u00').message).toContain("cut off");
  expect(errorOf('[{"a":-').message).toContain("cut off");
  expect(errorOf('{"tools":[{},{"a"').message).toContain("in the middle of tools[1]");
  expect(errorOf("{").message).toContain("The JSON ends early");
});

test.each([
  ['[{"a":1},]', 10, "messages[1]"],
  ['[{"a":1 "b":2}]', 9, "messages[0]"],
  ['[{"a" 1}]', 7, "messages[0]"],
  ['[{"a":[1}]]', 9, "messages[0]"],
  ['[{"a":"x\ny"}]', 9, "messages[0]"],
  ['[{"a":"\\q-----"}]', 8, "messages[0]"],
  ['[{"a":01}]', 7, "messages[0]"],
  ['[{"a":NaN}]', 7, "messages[0]"],
  ["[{a:1}]", 3, "messages[0]"],
  ['{"model":x,"messages":[]}', 10, "model"],
  ['{"messages":[{}{}]}', 16, "messages[0]"],
  ['{"a":{},"messages":[{}],}', 25, "messages"],
  ['{"\\q":1,"messages":[{}]}', 3, undefined],
])("names the place where %j breaks", (text, column, path) => {
  const { message, place } = errorOf(text);
  expect(message).toMatch(/^The JSON is broken.*is not valid there/);
  expect(place.column).toBe(column);
  if (path !== undefined) expect(place.path).toBe(path);
});

test("tells apart empty, binary, foreign and wrong-typed input", () => {
  expect(errorOf("").message).toContain("empty");
  expect(errorOf("\ufeff \n").message).toContain("empty");
  expect(errorOf('[{"a":"\0').message).toContain("binary");
  expect(errorOf("\u001f\ufffd\b").message).toContain("binary");
  expect(errorOf("Hello world").message).toContain('not JSON: it starts with "Hello world"');
  expect(errorOf("hello").message).toContain("not JSON");
  expect(errorOf("42").message).toContain("found a number");
  expect(errorOf('"text"').message).toContain("found a string");
  expect(errorOf("null").message).toContain("found null");
  expect(errorOf('{"a":1}').message).toContain("without these (its keys: a)");
  expect(errorOf("{}").message).toContain("without these.");
  expect(errorOf('{"role":"user","content":"x"}').message).toContain("a single message");
  expect(errorOf("[{}] tail").message).toContain("follows");
  expect(errorOf(new Uint8Array(3)).message).toContain("Decode it to a string");
  expect(errorOf(42).message).toContain("found a number");
  expect(errorOf(undefined).message).toContain("found nothing");
  expect(errorOf('{"input":5}').message).toContain("`input` is a number");
  expect(errorOf({ input: null }).message).toContain("`input` is null");
  expect(errorOf({ messages: "x" }).message).toContain("`messages` is a string");
});

test("reads exactly what JSON.parse reads, however a text is damaged", () => {
  const whole = '{"a":[1.5,true],"messages":[{"b":"\\"]\\u00e9"},{"c":{"d":[null]}}],"system":"s"}';
  const damaged = [...whole].flatMap((_, index) => [
    whole.slice(0, index),
    whole.slice(0, index) + whole.slice(index + 1),
    ...["]", "}", '"', ",", "\\", "0"].map((piece) => whole.slice(0, index) + piece + whole.slice(index)),
  ]);
  for (const text of damaged) {
    const parsed = parsedJson(text) as { messages?: unknown } | undefined;
    const isReadable = Array.isArray(parsed?.messages) && parsed.messages.every(isObject);
    if (isReadable) expect(readBody(text).values).toEqual(parsed.messages);
    else expect(errorOf(text).code).toBe("INVALID_INPUT");
  }
});

test("recognises JSON Lines and says which option reads them", () => {
  const lines = '{"role":"user","content":"a"}\n{"role":"assistant","content":"b"}\n';
  expect(errorOf(lines).message).toContain("looks like JSON Lines: another value starts at line 2, column 1");
  expect(errorOf(lines).message).toContain("--jsonl");
  expect(errorOf('{"id":1,"messages":[]}\n{"id":2,"messages":[]}').message).toContain("JSON Lines");
});

test("names a message that is not an object", () => {
  const error = errorOf('[{"role":"user"},\n null]');
  expect(error.message).toContain("messages[1] (line 2, column 2) is null");
  expect(error.place).toEqual({ line: 2, column: 2, path: "messages[1]" });
  expect(errorOf({ messages: [{}, "hi"] }).place).toEqual({ path: "messages[1]" });
  expect(errorOf([[]]).message).toContain("is a list");
});

test("refuses more text than can be written again", () => {
  expect(errorOf(" ".repeat(MAX_TEXT_CHARACTERS + 1)).message).toContain(`at most ${MAX_TEXT_CHARACTERS}`);
});

test("reads nesting of any depth without recursion", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  expect(slices(`[{"role":"user","content":${deep}}]`).length).toBe(1);
  expect(readBody(`{"x":${deep},"messages":[{}]}`).values.length).toBe(1);
  expect(errorOf(`[${deep}]`).message).toContain("messages[0] (line 1, column 2) is a list");
  expect(errorOf("[".repeat(200_000)).message).toContain("cut off");
});

test("stays quick on a megabyte of anything", () => {
  const texts = ["a", " ", "-", "漢", "\\\\", '\\"', "QUJD", "\ud800"].map((piece) =>
    piece.repeat(1_000_000),
  );
  for (const text of texts) {
    expect(slices(`[{"role":"user","content":"${text}"}]`).length).toBe(1);
    expect(errorOf(`[{"role":"user","content":"${text}`).message).toContain("cut off");
    expect(() => readBody(text)).toThrow(InputError);
  }
});

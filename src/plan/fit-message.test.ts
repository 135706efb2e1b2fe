import { expect, test } from "vitest";
import { createMarks } from "../archive/marks.ts";
import { callsById, type Message, textOfMessage, toolCallsOf } from "../conversation/message.ts";
import { readConversation } from "../providers/detect.ts";
import { boundBy } from "../reading/user-words.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { equalCap, fitMessage } from "./fit-message.ts";

const counter = createTokenCounter();
const lines = Array.from({ length: 800 }, (_, at) => `12:00:${at % 60} INFO worker ${at} finished`).join(
  "\n",
);

function shrink(message: Message, maxTokens: number, among: readonly Message[] = [message]): Message {
  return fitMessage(message, maxTokens, { counter, calls: callsById(among) });
}

const one = (told: WireMessage): Message => conversation(told).messages[0]!;
const inAnthropic = (content: readonly unknown[], role = "assistant"): Message =>
  readConversation({ model: "claude-sonnet-4", messages: [{ role, content }] }).messages[0]!;

test("what fits is the same message", () => {
  const message = one(user("Fix it."));
  expect(shrink(message, 100)).toBe(message);
});

test.each([
  ["Call id: call_7\nObservation:\n", ""],
  ["<tool_response>\n", "\n</tool_response>"],
])(
  "a result that is written as text under the user's role is shaped between what marks it: %j",
  (opening, closing) => {
    const failure = "12:01:00 ERROR worker 7 lost its lease. Please do not restart it.";
    const text = `${opening}${lines}\n${failure}\n${lines}${closing}`;
    const shrunk = shrink(one(user(text)), 200);
    const told = textOfMessage(shrunk);
    expect(counter.message(shrunk)).toBeLessThanOrEqual(200);
    expect(told.startsWith(opening) && told.endsWith(closing)).toBe(true);
    expect(told).toContain(failure);
    expect(told).toContain("lines");
  },
);

test.each([
  ["a tool's output", result(lines)],
  ["an answer", assistant("The parser reads a token. ".repeat(800))],
  ["a call", assistant("Writing.", call("write", { path: "a", text: lines }))],
  ["arguments that are not JSON", assistant("", call("write", `{"text": "${"x y ".repeat(3000)}`))],
  ["several calls", assistant("", ...[1, 2, 3].map((at) => call(`f${at}`, { at, text: lines })))],
  ["a user's paste", user(lines)],
])("[R44] fits %s into what it is given, down to its envelope", (_, told) => {
  const message = one(told);
  for (const maxTokens of [1000, 300, 120]) {
    expect(counter.message(shrink(message, maxTokens))).toBeLessThanOrEqual(maxTokens);
  }
  const least = counter.message(shrink(message, 0));
  expect(least).toBeLessThan(80);
  expect(shrink(message, -5)).toEqual(shrink(message, 0));
});

test("[R6] arguments stay JSON at every size", () => {
  const message = one(assistant("", call("write", { path: "src/a.ts", text: lines })));
  expect(JSON.parse(toolCallsOf(shrink(message, 200))[0]!.arguments)).toMatchObject({ path: "src/a.ts" });
  const many = one(
    assistant("", call("write", Object.fromEntries(lines.split("\n").map((line) => [line, 1])))),
  );
  expect(JSON.parse(toolCallsOf(shrink(many, 60))[0]!.arguments)).toEqual({ pith: "arguments left out" });
});

test("arguments that were shortened and then left out are named as they came in", () => {
  const text = Object.fromEntries(lines.split("\n").map((line) => [line, line.repeat(20)]));
  const message = one(assistant("", call("write", text)));
  const marks = createMarks();
  const left = fitMessage(message, 60, { counter, calls: callsById([message]), marks });
  const id = toolCallsOf(left)[0]!.arguments.match(/pith:[0-9a-z]+/)![0];
  expect(marks.items.get(id)!.content).toBe(toolCallsOf(message)[0]!.arguments);
});

test("[R8 F30] a user's asking and binding sentences stay verbatim whatever the room", () => {
  const ask = "Please fix the parser.";
  const rule = "Never touch deploy/production.yaml.";
  const message = one(user(`${ask}\n\n${lines}\n\n${rule}`));
  for (const maxTokens of [600, 60, 0]) {
    expect(textOfMessage(shrink(message, maxTokens))).toContain(ask);
    expect(textOfMessage(shrink(message, maxTokens))).toContain(rule);
  }
});

test("a result is shaped by the tool that gave it before it is cut", () => {
  const { messages } = conversation(
    assistant("", call("bash", { command: "make" })),
    result(`${lines}\nexit code 3`),
  );
  const shaped = textOfMessage(shrink(messages[1]!, 2000, messages));
  expect(shaped).toContain("exit code 3");
  expect(shaped).toMatch(/pith|shown/);
});

test("unsigned reasoning goes first, and a message is never left empty", () => {
  const thought = { ...assistant("Done."), reasoning_content: lines };
  expect(shrink(one(thought), 50).parts).toEqual([{ type: "text", text: "Done." }]);
  expect(shrink(one({ ...thought, content: "" }), 50).parts).toEqual([
    { type: "text", text: "[thinking not shown]" },
  ]);
});

test("signed thinking and what the provider ran itself are not edited", () => {
  const thinking = { type: "thinking", thinking: lines, signature: "c2ln" };
  const search = { type: "server_tool_use", id: "s", name: "web_search", input: { query: lines } };
  const found = { type: "web_search_tool_result", tool_use_id: "s", content: [{ type: "x", title: lines }] };
  const message = inAnthropic([thinking, search, found, { type: "text", text: lines }]);
  const fitted = shrink(message, 50);
  expect(fitted.parts.slice(0, 3)).toEqual(message.parts.slice(0, 3));
  expect(fitted.parts[0]).toBe(message.parts[0]);
  expect(counter.text(textOfMessage({ ...fitted, parts: fitted.parts.slice(3) }))).toBeLessThan(20);
});

test("[R37] what is shown of a long message beside its asking and binding sentences neither asks nor binds", () => {
  const rules = Array.from(
    { length: 400 },
    (_, at) => `Worker ${at} must never be stopped on day ${at}, whatever the log may say about it.`,
  );
  const message = one(user(rules.join(" ")));
  const bound = boundBy(message);
  expect(bound.length).toBeLessThan(rules.length);
  let cut = message;
  for (const maxTokens of [700, 600, 500, 0]) {
    cut = shrink(cut, maxTokens);
    expect(boundBy(cut)).toEqual(bound);
    if (maxTokens === 700) expect(textOfMessage(cut)).toContain("<excerpts>\n");
  }
});

test("media become a word about them, in messages and in results", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const seen = shrink(inAnthropic([image, { type: "text", text: "What is this?" }], "user"), 40);
  expect(textOfMessage(seen)).toBe("[image not shown]\nWhat is this?");
  const shot = { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "taken" }, image] };
  expect(textOfMessage(shrink(inAnthropic([shot], "user"), 40))).toBe("taken\n[image not shown]");
  const bare = { type: "tool_result", tool_use_id: "a", content: [image] };
  expect(textOfMessage(shrink(inAnthropic([bare], "user"), 30))).toBe("[image not shown]");
});

test("a media-only message becomes its word", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  expect(textOfMessage(shrink(one({ role: "user", content: [image] }), 20))).toBe("[image not shown]");
});

test("an unknown piece that is too large becomes a word about it", () => {
  const message = inAnthropic([
    { type: "hologram", data: lines },
    { type: "text", text: "See." },
  ]);
  expect(textOfMessage(shrink(message, 40))).toBe("[hologram not shown]\nSee.");
});

test("a message without content has nothing to let go of", () => {
  const message = one({ role: "assistant", content: null });
  expect(shrink(message, 0)).toBe(message);
});

test("shares room so that small ones stay whole and large ones are alike", () => {
  expect(equalCap([10, 100, 100], 110)).toBe(50);
  expect(equalCap([10, 20], 100)).toBe(20);
  expect(equalCap([10, 20], -1)).toBe(0);
  expect(equalCap([], 10)).toBe(0);
});

test.each(["a", " ", "-", "漢", "aGVsbG8"])("fits a megabyte of %j wherever it stands", (piece) => {
  const huge = piece.repeat(1_000_000 / piece.length);
  for (const told of [user(huge), assistant(huge), result(huge)]) {
    expect(counter.message(shrink(one(told), 100))).toBeLessThanOrEqual(100);
  }
});

test("what was said and is cut is not told to be had by running a tool again", () => {
  const noted = (told: WireMessage) => textOfMessage(shrink(one(told), 120));
  expect(noted(result(lines))).toContain("run the tool again");
  for (const told of [assistant("The parser reads a token. ".repeat(800)), user(lines)])
    expect(noted(told)).not.toContain("run the tool again");
});

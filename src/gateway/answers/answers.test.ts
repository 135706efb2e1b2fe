import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { WireObject } from "../../json/wire-value.ts";
import { eventsOf } from "../events.ts";
import { type AnswerApi, dataOf, eventText, type StreamJoiner, sumUsage } from "./answer-api.ts";
import { chatAnswers } from "./chat.ts";
import { messagesAnswers } from "./messages.ts";
import { responsesAnswers } from "./responses.ts";

const own = new Set(["recall_search"]);

/** What the client gets for the streams of several answers, and the rounds that were read from them. */
function join({ createJoiner }: AnswerApi, ...streams: readonly (readonly string[])[]) {
  const joiner: StreamJoiner = createJoiner(own);
  const rounds = streams.map((events, index) => {
    if (index > 0) joiner.nextRound();
    const shown = events.map((raw) => joiner.take(raw, dataOf(raw))).join("");
    return { shown, round: joiner.endRound() };
  });
  const text = rounds.map(({ shown }) => shown).join("") + joiner.finish();
  return { text, rounds: rounds.map(({ round }) => round), heard: joiner.heard() };
}

const start = (index: number, block: WireObject): string =>
  eventText({ type: "content_block_start", index, content_block: block });
const delta = (index: number, piece: WireObject): string =>
  eventText({ type: "content_block_delta", index, delta: piece });
const stop = (index: number): string => eventText({ type: "content_block_stop", index });
const opening = (id: string): string =>
  eventText({
    type: "message_start",
    message: { id, content: [], usage: { input_tokens: 7, output_tokens: 1 } },
  });
const closing = (reason: string): readonly string[] => [
  eventText({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 5 } }),
  eventText({ type: "message_stop" }),
];
const thinking = (index: number, signature: string): readonly string[] => [
  start(index, { type: "thinking", thinking: "", signature: "" }),
  delta(index, { type: "thinking_delta", thinking: "Hm" }),
  delta(index, { type: "thinking_delta", thinking: "m." }),
  delta(index, { type: "signature_delta", signature }),
  stop(index),
];

test("thinking before an own call comes back upstream whole and signed, and the client's blocks stay in order", () => {
  const first = [
    opening("one"),
    ...thinking(0, "sig-1"),
    start(1, { type: "tool_use", id: "t1", name: "recall_search", input: {} }),
    delta(1, { type: "input_json_delta", partial_json: '{"query"' }),
    delta(1, { type: "input_json_delta", partial_json: ':"x"}' }),
    stop(1),
    ...closing("tool_use"),
  ];
  const second = [
    opening("two"),
    ...thinking(0, "sig-2"),
    start(1, { type: "text", text: "" }),
    delta(1, { type: "text_delta", text: "Done." }),
    stop(1),
    ...closing("end_turn"),
  ];
  const { text, rounds, heard } = join(messagesAnswers, first, second);
  expect(rounds[0]!.calls).toEqual([{ id: "t1", name: "recall_search", arguments: '{"query":"x"}' }]);
  expect(rounds[0]!.elements[0]!.content).toEqual([
    { type: "thinking", thinking: "Hmm.", signature: "sig-1" },
    { type: "tool_use", id: "t1", name: "recall_search", input: { query: "x" } },
  ]);
  expect(heard.content).toEqual([
    { type: "thinking", thinking: "Hmm.", signature: "sig-1" },
    { type: "thinking", thinking: "Hmm.", signature: "sig-2" },
    { type: "text", text: "Done." },
  ]);
  expect([...text.matchAll(/"index":(\d)/g)].map(([, index]) => index).join("")).toBe("0000011111222");
  expect(text).toContain('"usage":{"input_tokens":14,"output_tokens":10}');
  expect(text.split("message_start").length - 1).toBe(2);
  expect(text).not.toContain('"tool_use"');
});

const chunk = (piece: WireObject, finish: string | null = null, id = "one"): string =>
  eventText({ id, created: 1, choices: [{ index: 0, delta: piece, finish_reason: finish }] });
const callPart = (index: number, name: string): string =>
  chunk({ tool_calls: [{ index, id: `c${index}`, type: "function", function: { name, arguments: "{}" } }] });

test("keep-alive comments pass at once, and reasoning goes with the call upstream", () => {
  const events = [
    ": waiting\n\n",
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "Let me " }),
    chunk({ reasoning_content: "see." }),
    callPart(0, "recall_search"),
    callPart(1, "read_file"),
    chunk({}, "tool_calls"),
    "data: [DONE]\n\n",
  ];
  const { text, rounds, heard } = join(chatAnswers, events);
  expect(text.startsWith(": waiting\n\n")).toBe(true);
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  expect(text).toContain('"tool_calls":[{"index":0,"id":"c1"');
  expect(text).not.toContain("recall_search");
  expect(rounds[0]).toMatchObject({ hasOthers: true, calls: [{ id: "c0" }] });
  expect(rounds[0]!.elements[0]).toMatchObject({ reasoning_content: "Let me see.", content: null });
  expect(JSON.stringify(heard)).toContain("c1");
});

test("the second answer has the id of the first, and its text is set apart", () => {
  const first = [
    chunk({ role: "assistant", content: "Wait." }),
    callPart(0, "recall_search"),
    chunk({}, "tool_calls"),
  ];
  const second = [
    chunk({ role: "assistant", content: "" }, null, "two"),
    chunk({ content: "Here." }, null, "two"),
    chunk({}, "stop", "two"),
  ];
  const { text, heard } = join(chatAnswers, first, second);
  expect(text).not.toContain('"two"');
  expect(text.split('"role"').length - 1).toBe(1);
  expect(heard).toEqual({ choices: [{ message: { role: "assistant", content: "Wait.\n\nHere." } }] });
  expect(text).toContain('"finish_reason":"stop"');
});

test("thinking that cannot be sent again is left out of what goes upstream", () => {
  const answer = {
    output: [
      { type: "reasoning", id: "r1", summary: [] },
      { type: "reasoning", id: "r2", encrypted_content: "gAAA" },
      { type: "function_call", call_id: "c1", name: "recall_search", arguments: "{}" },
    ],
  };
  const { elements, calls, hasOthers } = responsesAnswers.readAnswer(answer, own);
  expect(elements.map(({ type, id }) => id ?? type)).toEqual(["r2", "function_call"]);
  expect([calls.length, hasOthers]).toEqual([1, false]);
});

test("usage adds up wherever a number stands", () => {
  expect(sumUsage({ a: 1, deep: { b: 2 }, tier: "x" }, { a: 2, deep: { b: 3, c: 4 }, tier: "y" })).toEqual({
    a: 3,
    deep: { b: 5, c: 4 },
    tier: "y",
  });
  expect(sumUsage({ a: 1 }, undefined)).toEqual({ a: 1 });
});

test("events are told apart however the bytes come, and joined they are the same bytes", async () => {
  const bytes = Buffer.from("data: é\n\ndata: 2\r\n\r\n: c\n\ndata: {\ndata: }\n\nrest");
  for (const size of [1, 3, 7, 100]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, at * size + size),
    );
    const events: Buffer[] = [];
    for await (const event of eventsOf(Readable.from(chunks))) events.push(event);
    expect(events.map(String)).toEqual([
      "data: é\n\n",
      "data: 2\r\n\r\n",
      ": c\n\n",
      "data: {\ndata: }\n\n",
      "rest",
    ]);
  }
  expect(dataOf("event: x\ndata: {\ndata: }\n\n")).toEqual({});
  expect(dataOf("data: [DONE]\n\n")).toBeUndefined();
});

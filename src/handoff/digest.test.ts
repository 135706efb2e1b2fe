import { expect, test } from "vitest";
import type { Message } from "../conversation/message.ts";
import { anthropicConversation, assistant, call, conversation, result, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { type Digest, digestOf, NO_DIGEST } from "./digest.ts";
import { toldFiles } from "./told-files.ts";

const counter = createTokenCounter();

/** Its lines, and behind them those of the files with their names. */
function digest(messages: readonly Message[], maxTokens = 2000, alreadySaid = ""): readonly string[] {
  const linesOf = ({ lines, names }: Digest) => [...lines, ...toldFiles([], []).with(names)];
  const tokensOf = (told: Digest) => counter.text(linesOf(told).join("\n"));
  return linesOf(digestOf({ messages, maxTokens, tokensOf, counter, alreadySaid, isTold: () => false }));
}

const session = [
  user("Look at src/parser.ts, please."),
  assistant("Reading it.", call("read_file", { path: "src/parser.ts" })),
  result("export const LIMIT = 4711;\nexport const NAME = 'parser_v2';"),
  assistant("The limit is 4711."),
];

test("[R36] with room for all, every line stands in its place, each speaker named once a message", () => {
  expect(digest(conversation(...session).messages)).toEqual([
    "user: Look at src/parser.ts, please.",
    "Reading it.",
    'read_file {"path":"src/parser.ts"}',
    "src/parser.ts: export const LIMIT = 4711;",
    "export const NAME = 'parser_v2';",
    "assistant: The limit is 4711.",
  ]);
});

test("results under the user's role are told as what their call was about", () => {
  expect(digest(anthropicConversation(...session).messages)).toContain(
    "src/parser.ts: export const LIMIT = 4711;",
  );
});

test("a result without a call is told as a tool's", () => {
  expect(digest(conversation(result("exit code 4711", { id: "gone" })).messages)).toEqual([
    "tool: exit code 4711",
  ]);
});

test("[R36] what is told is quoted, never rewritten: whole lines in order, then excerpts, whatever the room", () => {
  const lines = Array.from({ length: 300 }, (_, at) => `step ${at} wrote src/part-${(at * 7919) % 1000}.ts`);
  const { messages } = conversation(user("Go on with TASK-1234."), assistant(lines.join("\n")));
  const source = ["Go on with TASK-1234.", ...lines];
  for (const room of [20, 100, 400, 1500]) {
    const told = digest(messages, room);
    const chosen = told.map((line) => line.replace(/^(?:user|assistant): /, ""));
    const places = chosen.map((line) => source.indexOf(line)).filter((place) => place >= 0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const names = chosen.filter((line) => !source.includes(line));
    for (const excerpt of names.flatMap((line) => line.split("; ")))
      expect(source.join("\n")).toContain(excerpt);
    expect(counter.text(told.join("\n"))).toBeLessThanOrEqual(room);
    if (room >= 100) expect(counter.text(told.join("\n"))).toBeGreaterThan(room * 0.8);
  }
});

test("[R36] lines and names are told under the file that they were seen in", () => {
  const code = Array.from(
    { length: 60 },
    (_, at) => `  ${at + 1}→\tfunc handleThing${at}(ctx, argument${at}) error {`,
  );
  const { messages } = conversation(
    user("Look."),
    assistant("", call("Read", { file_path: "/home/me/app/src/cli/run.go" })),
    result(code.join("\n")),
  );
  const told = digest(messages, 150);
  expect(told.filter((line) => /^src\/cli\/run\.go: func handleThing\d+/.test(line)).length).toBeGreaterThan(
    0,
  );
  expect(told.at(-1)).toMatch(/^\/home\/me\/app\/src\/cli\/run\.go — .*handleThing\d+/);
});

test("without room or without anything to say there is no digest", () => {
  const { messages } = conversation(...session);
  expect(digest(messages, 15)).toEqual([]);
  expect(digest(messages, 0)).toEqual([]);
  expect(digest(messages, -5)).toEqual([]);
  expect(digest([])).toEqual([]);
  expect(digest(conversation({ role: "user", content: null }).messages)).toEqual([]);
});

test("a counter that finds everything too large ends in bounded passes with nothing", () => {
  let passes = 0;
  const tokensOf = () => {
    passes++;
    return 1_000_000;
  };
  const { messages } = conversation(...session);
  const options = { messages, maxTokens: 100, tokensOf, counter, alreadySaid: "", isTold: () => false };
  expect(digestOf(options)).toBe(NO_DIGEST);
  expect(passes).toBeLessThanOrEqual(12);
});

test("lines without any specifics are still told when there is room", () => {
  const { messages } = conversation(user("hello there"), assistant("hello to you"));
  expect(digest(messages)).toEqual(["user: hello there", "assistant: hello to you"]);
});

test("[R21] an old hand-off gives its lines with the labels they have, wherever it stands", () => {
  const { messages } = conversation(
    user("[SUMMARY]: ## Progress\nread_file: LIMIT is 4711\nassistant: wrote src/a.ts"),
  );
  const lines = ["read_file: LIMIT is 4711", "assistant: wrote src/a.ts"];
  expect(digest(messages)).toEqual(lines);
  expect(digest(messages.map((message) => ({ ...message, position: -1 })))).toEqual(lines);
});

test("hostile texts are digested within their room", () => {
  const texts = [
    "a".repeat(100_000),
    "日本語".repeat(20_000),
    "QUJDRA==".repeat(10_000),
    "\ud800\0".repeat(10_000),
  ];
  for (const text of texts) {
    const chosen = digest(conversation(assistant(text), user(`${text}\nsrc/a.ts`)).messages, 300);
    expect(counter.text(chosen.join("\n"))).toBeLessThanOrEqual(300);
  }
});

test("of what tools answered very long ago the middle is not looked at, of what the user said then every line is", () => {
  const long = (name: string) =>
    Array.from({ length: 120 }, (_, at) => `const ${name}${at}Value = ${at * 7919 + 1000};`).join("\n");
  const filler = Array.from({ length: 60 }, () => result("plain words and nothing else. ".repeat(700)));
  const { messages } = conversation(
    user(long("asked")),
    result(long("far")),
    ...filler,
    result(long("near")),
  );
  expect(counter.message(messages[5]!) * 60).toBeGreaterThan(200_000);
  const told = digest(messages, 40_000).join("\n");
  expect(told).toContain("asked60Value");
  expect(told).toContain("near60Value");
  expect(told).toContain("far0Value");
  expect(told).not.toContain("far60Value");
});

test("headings and brackets without a word of news do not fill the room", () => {
  const lines = [
    "## Benefits",
    "} else {",
    '"hooks": [',
    "**Created:**",
    "It works now.",
    "配置文件已经更新",
    "## See src/a.ts",
  ];
  expect(digest(conversation(assistant(lines.join("\n"))).messages)).toEqual([
    "assistant: It works now.",
    "配置文件已经更新",
    "## See src/a.ts",
  ]);
});

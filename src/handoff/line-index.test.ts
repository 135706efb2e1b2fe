import { expect, test } from "vitest";
import type { Message } from "../conversation/message.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { indexLines, type LineIndex, lineAt, lineChars, specificAt, specificsBefore } from "./line-index.ts";
import { END_MARKER } from "./prefixes.ts";

const indexOf = (message: WireMessage) => indexLines(conversation(message).messages[0]!);
const linesOf = (index: LineIndex) => Array.from({ length: index.lines }, (_, line) => lineAt(index, line));
const countsOf = (index: LineIndex) =>
  Array.from(
    { length: index.lines },
    (_, line) => specificsBefore(index, line + 1) - specificsBefore(index, line),
  );

test("a message is cut into trimmed lines, blank and tiny ones left out", () => {
  const index = indexOf(assistant("  first line\r\n\n\tsecond\n}\n;;\nlast"));
  expect(linesOf(index)).toEqual(["first line", "second", "last"]);
  expect(lineChars(index, 0)).toBe("first line".length);
  expect(linesOf(indexOf({ role: "user", content: null }))).toEqual([]);
  expect(linesOf(indexOf(user(" \n\t\n")))).toEqual([]);
});

test("[R36] each line knows its specifics, the same one once", () => {
  const index = indexOf(assistant("no such thing\nsee src/a.ts and src/a.ts, then 12345\nplain\nrun fooBar"));
  expect(countsOf(index)).toEqual([0, 2, 0, 1]);
  expect(specificsBefore(index, index.lines)).toBe(3);
  const other = indexOf(user("SRC/A.TS"));
  expect(specificAt(other, 0)).toBe(specificAt(index, 0));
});

test("an index is made once for a message", () => {
  const message = conversation(user("see src/a.ts")).messages[0]!;
  expect(indexLines(message)).toBe(indexLines(message));
});

test("a long line is cut where a sentence, a clause or a word ends, and nothing but blanks is lost", () => {
  const sentences = Array.from({ length: 60 }, (_, at) => `Sentence number ${at} tells a little.`).join(" ");
  const pieces = linesOf(indexOf(assistant(sentences)));
  expect(pieces.join(" ")).toBe(sentences);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(320);
  expect(pieces[0]).toMatch(/\.$/);
});

test.each([
  ["one letter", "a".repeat(1_000_000)],
  ["characters of two halves", "😀".repeat(200_000)],
  ["no spaces", "日本語".repeat(200_000)],
  ["blanks", " ".repeat(1_000_000)],
  ["commas", ",".repeat(500_000)],
  ["lone surrogates", "\ud800".repeat(100_000)],
])("an enormous line of %s is cut into pieces that together are the line", (_, text) => {
  const index = indexOf(user(text));
  const pieces = linesOf(index);
  expect(pieces.join("")).toBe(text.trim());
  if (text.isWellFormed()) expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
});

test("a short call stands as it is, a long one by its short values and its long ones as lines", () => {
  expect(linesOf(indexOf(assistant("", call("read", { path: "a.ts" }))))).toEqual(['read {"path":"a.ts"}']);
  const long = {
    path: "a.ts",
    list: ["one", "two"],
    text: "line one\nline two",
    note: "n".repeat(250),
    no: null,
  };
  expect(linesOf(indexOf(assistant("Writing.", call("write", long))))).toEqual([
    "Writing.",
    "write path: a.ts, list: one, list: two, no: null",
    "line one",
    "line two",
    "n".repeat(250),
  ]);
});

test("arguments that are no JSON are quoted as they are", () => {
  const broken = `{"path": ${"x".repeat(300)}`;
  expect(linesOf(indexOf(assistant("", call("write", broken)))).join("")).toContain(`{"path":`);
});

test("results are read, thoughts, images and blobs are not", () => {
  const { messages } = conversation(user("Go."), assistant("", call("read")), result("the output"));
  expect(linesOf(indexLines(messages[2]!))).toEqual(["the output"]);
  const silent: Message = {
    role: "assistant",
    position: 0,
    parts: [
      { type: "reasoning", text: "thinking about it", signed: false },
      { type: "media", kind: "image" },
      { type: "opaque", kind: "blob", text: "something" },
      { type: "text", text: "Said." },
    ],
  };
  expect(linesOf(indexLines(silent))).toEqual(["Said."]);
});

test("[R21] of an earlier hand-off only its progress is read again, never its frame, its asks or its constraints", () => {
  const text = `[SUMMARY]: ## First ask\nBuild it.\n## Constraints\n- Never stop.\n## Progress\nread src/a.ts\nwrote src/b.ts\n${END_MARKER}`;
  expect(linesOf(indexOf(user(text)))).toEqual(["read src/a.ts", "wrote src/b.ts"]);
  expect(linesOf(indexOf(user(`${text}\n\nAnd src/c.ts?`)))).toContain("And src/c.ts?");
});

test("[R21] the doubts that an earlier hand-off annotates are not read as its progress", () => {
  const text =
    '[SUMMARY]: ## Progress\nread src/a.ts\n## Uncertainty\n[Archived 8 messages. Uncertainty points preserved: "wait"]';
  expect(linesOf(indexOf(user(text)))).toEqual(["read src/a.ts"]);
});

test("what a message says besides a hand-off is read, in one text or in parts of its own", () => {
  const handoff = `[SUMMARY]: ## Progress\nread src/a.ts\n${END_MARKER}`;
  const parts = [handoff, "And src/c.ts?"].map((text) => ({ type: "text", text }));
  expect(linesOf(indexOf({ role: "user", content: parts }))).toEqual(["read src/a.ts", "And src/c.ts?"]);
});

test("arguments nested deeper than the stack are read", () => {
  const nested = `${"[".repeat(60_000)}"deep down in it"${"]".repeat(60_000)}`;
  expect(linesOf(indexOf(assistant("", call("write", nested))))).toEqual(["write deep down in it"]);
});

test("of a long text that is far back only the two ends are read, unless it was read before", () => {
  const lines = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at * 7919};`);
  const { messages } = conversation(result(lines.join("\n")), result(lines.join("\n")));
  const [first, second] = messages as [Message, Message];
  const ends = linesOf(indexLines(first, { ends: true }));
  expect(ends.length).toBeLessThan(50);
  expect([ends[0], ends.at(-1)]).toEqual([lines[0], lines.at(-1)]);
  expect(indexLines(first, { ends: true }).chars).toBe(lines.join("\n").length);
  expect(linesOf(indexLines(first))).toEqual(lines);
  expect(linesOf(indexLines(second))).toEqual(lines);
  expect(linesOf(indexLines(second, { ends: true }))).toEqual(lines);
});

test("a listing's lines are read without their numbers, and a line that has nothing else is left out", () => {
  const index = indexOf(
    result("1410→\treturn NoDescription\n1411→}\n1413\tconst total = 98765;\n20480 bytes"),
  );
  expect(linesOf(index)).toEqual(["return NoDescription", "const total = 98765;", "20480 bytes"]);
  expect(countsOf(index)).toEqual([1, 1, 1]);
});

test("a call that writes the todo list is not quoted: the ledger tells the list", () => {
  const todo = call("TodoWrite", { todos: [{ content: "Write src/a.ts", status: "pending" }] });
  expect(linesOf(indexOf(assistant("Planning.", todo)))).toEqual(["Planning."]);
});

test("an answer in JSON is read by its leaves, and of their keys only those with a number are specific", () => {
  const row = {
    flight_number: "HAT110",
    departure_time_est: "14:00:00",
    gift_card_8887175: "issued to_be_used",
  };
  const index = indexOf(result(JSON.stringify([row, { ...row, flight_number: "HAT172" }])));
  expect(linesOf(index)[0]).toBe("flight_number: HAT110, departure_time_est: 14:00:00");
  expect(countsOf(index)).toEqual([2, 2, 2, 2]);
});

test("data that is no whole JSON is cut between its leaves", () => {
  const rows = Array.from(
    { length: 9 },
    (_, at) => `{"flight_number": "HAT11${at}", "origin": "ATL", "price": 5${at}}`,
  );
  const lines = linesOf(indexOf(result(`Found: [${rows.join(", ")}, … 40 more`)));
  expect(lines).toContain('{"flight_number": "HAT111", "origin": "ATL", "price": 51},');
});

test("an answer of nothing but empty values is read as it stands", () => {
  const text = JSON.stringify({
    matches: [],
    error: null,
    nextPageToken: "",
    warnings: [],
    suggestions: [],
    more: null,
  });
  expect(linesOf(indexOf(result(text))).join("")).toBe(text);
});

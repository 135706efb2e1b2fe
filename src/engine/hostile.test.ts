/**
 * Hostile texts: shapes that invite work beyond their length, in each place of a conversation that a text can stand in. Machines
 * differ, so no seconds are asked for: a text of four times the length may take eight times the work. A sample by default;
 * PITH_FULL=1 tries every shape in every place, and every pair of fragments.
 */
import { expect, test } from "vitest";

import { handoffIn } from "../conversation/handoffs/separate.ts";
import { formatNamed, readConversation } from "../providers/detect.ts";
import type { WireMessage } from "../testing/builders.ts";
import * as wire from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { compactMessages } from "./engine.ts";
import { violations } from "./invariants/index.ts";

const full = Boolean(process.env.PITH_FULL);

/** Each as many characters as it is asked for, about. */
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  "nested JSON, cut off": (size) => '{"a":['.repeat(size / 6),
  "nested lists": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "lists of nothing": (size) => `[${"[],".repeat(size / 3)}1]`,
  "many keys": (size) => `{${list(size / 16, (i) => `"key${i}":${i}`)}}`,
  "many keys, cut off": (size) => `{${list(size / 16, (i) => `"key${i}":${i}`)},"k`,
  "records by name": (size) => `{${list(size / 30, (i) => `"n${i}":{"a":${i},"b":"x${i}"}`)}}`,
  "a table": (size) => `[${list(size / 30, (i) => `{"id":"r${i}","n":${i},"s":"a"}`)}]`,
  "a table of other columns": (size) => `[${list(size / 20, (i) => `{"c${i}":${i}}`)}]`,
  "JSON in JSON": (size) => JSON.stringify(JSON.stringify(JSON.stringify('"a\\n'.repeat(size / 24)))),
  "a record of short fields": (size) => `{${list(size / 12, (i) => `"${i}":"a"`)}}`,
  "lines of one letter": (size) => "a\n".repeat(size / 2),
  "lines of nothing": (size) => "\n".repeat(size),
  "lines of blanks": (size) => `${" ".repeat(99)}\n`.repeat(size / 100),
  "one line deeper each": (size) => deeper(size),
  spaces: (size) => " ".repeat(size),
  "spaces between letters": (size) => `a${" ".repeat(size)}b`,
  "blank lines between letters": (size) => `a${" \n".repeat(size / 2)}b`,
  "carriage returns": (size) => "\r".repeat(size),
  quotes: (size) => '"'.repeat(size),
  fences: (size) => "```\n".repeat(size / 4),
  "one long line": (size) => "word and number 17, ".repeat(size / 20),
  "one long word": (size) => "x".repeat(size),
  "one long number": (size) => "7".repeat(size),
  "hex that goes on": (size) => "abcdef".repeat(size / 6),
  "other words": (size) =>
    Array.from({ length: size / 8 }, (_, i) => (i * 2654435761).toString(36)).join(" "),
  "open tags": (size) => "<a-b>".repeat(size / 5),
  "an open page": (size) => `<html>${"<script>".repeat(size / 8)}`,
  "a page of brackets": (size) => `<html>${"<".repeat(size)}`,
  "a page of links": (size) => `<html>${"<a href=x>b</a>\n ".repeat(size / 17)}`,
  "open comments": (size) => `<html>${"<!--".repeat(size / 4)}`,
  backslashes: (size) => '\\\\n\\"'.repeat(size / 6),
  "backslashes alone": (size) => "\\".repeat(size),
  "escaped line ends": (size) => `${"\\".repeat(9)}n a`.repeat(size / 12),
  "open reminders": (size) => "<system-reminder>".repeat(size / 17),
  "reminders that close": (size) => "<system-reminder>a</system-reminder>".repeat(size / 36),
  "sentence ends": (size) => "A. b! C? 。".repeat(size / 10),
  "paths and dashes": (size) => "/a-b/c_d.e-".repeat(size / 11),
  "brackets closing": (size) => "]}".repeat(size / 2),
  "Chinese without a stop": (size) => "汉字测试".repeat(size / 4),
  "signs of two halves": (size) => "😀".repeat(size / 2),
  "halves of signs": (size) => "\ud83d".repeat(size),
  "leads of lists": (size) => "And so:\n".repeat(size / 8),
  "heads of tables": (size) => "| a |\n\n".repeat(size / 7),
  comments: (size) => "// a word\n".repeat(size / 10),
  "lines that define": (size) => "export default async abstract final ".repeat(size / 36),
  "a sentence in lines": (size) => "this line stops at a word that goes on\n".repeat(size / 39),
  "a change": (size) => "+ a\n- b\n c\n".repeat(size / 11),
  "errors without an end": (size) => "1 failed 2 errors ".repeat(size / 18),
  "failing lines": (size) => "Error: it went wrong in a place\n".repeat(size / 32),
  "names before colons": (size) => "always, never; please ".repeat(size / 22),
  "rules of a person": (size) => list(size / 30, (i) => `Always do ${i} things. `),
  commits: (size) => "[main abc1234] a\n".repeat(size / 17),
  "commits that begin and begin": (size) => "[\r".repeat(size / 2),
  "own hand-offs": (size) => "[Pith hand-off] Past reference:\n> a\n* b\n  | c\n".repeat(size / 46),
  "ends of hand-offs": (size) => `[Pith hand-off] Past reference:\n${"[End of hand-off".repeat(size / 16)}`,
  "own hand-off, never closed": (size) =>
    `[Pith hand-off] Past reference:\nWhat came before, word for word, … = left out; not instructions: a.\n${"> a\n".repeat(size / 4)}`,
  "own notes": (size) => "[pith shaped: digest, 1 of 2 lines shown; rest: pith:00000000".repeat(size / 61),
  observations: (size) => "Observation:\n".repeat(size / 13),
  "calls in text": (size) => "<tool_call>{'name': 'a', 'arguments': {".repeat(size / 38),
  "texts of a protocol": (size) => `[TextContent(type='text', text='${"\\n\\'".repeat(size / 4)}`,
};

function list(count: number, of: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => of(i)).join(",");
}

/** Each line one further in than the one above. */
function deeper(size: number): string {
  const count = Math.floor(Math.sqrt(2 * size));
  return Array.from({ length: count }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
}

const call = (args: string): WireMessage =>
  ({
    role: "assistant",
    content: "",
    tool_calls: [{ id: "1", type: "function", function: { name: "run", arguments: args } }],
  }) as WireMessage;
const answer = (text: string): WireMessage =>
  ({ role: "tool", tool_call_id: "1", content: text }) as WireMessage;

/** One place for each way in which a message can say a text. */
const PLACES: Readonly<Record<string, (text: string) => readonly WireMessage[]>> = {
  "a tool prints it": (text) => [wire.user("Look at this."), call('{"command":"make test"}'), answer(text)],
  "a tool without a command prints it": (text) => [
    wire.user("Look."),
    call('{"id":"7"}'),
    answer(text),
    wire.assistant("Well."),
    wire.user("So?"),
  ],
  "a person pastes it": (text) => [wire.user(text)],
  "a person pastes it, then asks": (text) => [wire.user(text), wire.assistant("I see."), wire.user("Go on.")],
  "the agent says it": (text) => [wire.user("Go on."), wire.assistant(text), wire.user("And?")],
  "the agent says it in turn": (text) => [
    wire.user("Go on."),
    wire.assistant(`${text}\nAction: {"name": "a"}`),
    wire.user("And?"),
    wire.assistant(`${text}\nAction: {"name": "a"}`),
    wire.user("Observation: b"),
  ],
  "a call runs it": (text) => [wire.user("Run it."), call(JSON.stringify({ command: text })), answer("ok")],
  "a call asks it": (text) => [
    wire.user("Write it."),
    call(JSON.stringify({ path: "a.txt", content: text })),
    answer("ok"),
  ],
  "a call changes it": (text) => [
    wire.user("Change it."),
    call(
      JSON.stringify({ path: "a.txt", old_string: text, new_string: text.split("\n").reverse().join("\n") }),
    ),
    answer("ok"),
  ],
  "a call is it": (text) => [wire.user("Go."), call(text), answer("ok"), wire.user("And?")],
};

/** Repeated one behind the other, every pair of them is a text. */
const FRAGMENTS = [
  ..."a 7 \" ' \\ { } [ ] ( ) < > : , . - + | # ` …".split(" "),
  ..." |\n|\r|\t|汉|<a-b>|</a-b>|Error: |```\n|always |- a:|\\n|://a"
    .split("|")
    .filter((each) => each !== ""),
];

interface Case {
  readonly name: string;
  readonly messages: (size: number) => readonly WireMessage[];
}

const caseOf = (shape: string, text: (size: number) => string, place: string): Case => ({
  name: `${shape}, ${place}`,
  messages: (size) => PLACES[place]!(text(size)),
});
const places = Object.keys(PLACES);
/** Where a text is at its worst. */
const WORST: Readonly<Record<string, string>> = {
  "a table of other columns": "a call is it",
  "nested lists": "a call is it",
  "many keys, cut off": "a call is it",
  "own notes": "a tool prints it",
  "commits that begin and begin": "a tool prints it",
  "reminders that close": "a person pastes it",
};
/** In a sample each shape has its turn in another place. */
const cases = Object.entries(SHAPES).flatMap(([shape, text], i) =>
  (full ? places : [WORST[shape] ?? places[i % places.length]!]).map((place) => caseOf(shape, text, place)),
);
const pairs = FRAGMENTS.flatMap((one) => FRAGMENTS.map((other) => one + other)).flatMap((pair) =>
  ["a person pastes it", "a tool prints it", "a call asks it"].map((place) =>
    caseOf(JSON.stringify(pair), (size) => pair.repeat(size / pair.length), place),
  ),
);
/** Of pairs a sample, each third of which stands in another place. */
const tried = full ? pairs : pairs.filter((_, i) => i % 211 === 0);

test.for([...cases, ...tried])(
  "$name: four times the text takes no more than eight times the work",
  ({ messages }) => {
    const large = work(messages(4 * SIZE));
    if (large < LEAST) return;
    const small = Math.max(work(messages(SIZE)), work(messages(SIZE)));
    expect(Math.min(large, work(messages(4 * SIZE))) / small).toBeLessThan(8);
  },
);

/** Characters of the smaller text; microseconds under which a figure says nothing. */
const SIZE = 50_000;
const LEAST = 200_000;

test("arguments that were cut off in a string come to an end", () => {
  const args = `{"path":"a.txt","content":"${"a line of it\\n".repeat(200)}`;
  expect(() => work([wire.user("Write it."), call(args), answer("ok"), wire.user("And?")])).not.toThrow();
});

test.for(["a tool prints it", "a call is it", "a call asks it"])("brackets within brackets: %s", (place) => {
  expect(() => work(PLACES[place]!(SHAPES["nested lists"]!(200_000)))).not.toThrow();
});

const format = formatNamed("openai-chat");

/** Microseconds that this thread computes to compact these messages and to check the result. */
function work(sent: readonly WireMessage[]): number {
  const { messages } = readConversation(sent);
  const counter = createTokenCounter();
  for (const message of messages) counter.message(message);
  const start = process.threadCpuUsage();
  const result = compactMessages({
    ...{
      messages,
      targetTokens: 2000,
      counter,
      format,
      running: messages.length,
      noteTokens: 0,
      mustHandOff: false,
    },
    ...{ fixed: new Set(), live: new Set(), prefix: "pith", role: "auto", ids: undefined },
    ours: new Set(messages.flatMap((message) => handoffIn(message)?.framed ?? [])),
  });
  violations(messages, result.messages);
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { END_MARKER, SUMMARY_PREFIX } from "../../conversation/handoffs/prefixes.ts";
import {
  bareLines,
  isReserved,
  plainText,
  quotedAfterLabel,
  quotedLine,
  quotedText,
  unquotedText,
} from "./quoted.ts";
import { RESERVED_OPENINGS } from "./reserved.ts";

test.each([
  "Fixed the parser in src/parse.ts.",
  "  return value;",
  "- an item, **bold**",
  "# a comment",
  "## Story so far and beyond",
  "## Installation",
  "[ ] write the docs",
  "[INFO] started in 12 ms",
  "username: root",
  "tools: 3",
  "| `agent:bootstrap` | starts it |",
  "| User: | a person |",
  "  'agent:bootstrap': 'x',",
  "\tagent := NewRunner(dir)",
  "\t\tAgent:   agent,",
  "  user: { name: 'root' },",
  "> a quote",
  "\tindented\twith tabs",
  "Никогда не трогай prod.yaml.",
  "必须保留旧的接口。",
  "👩‍👩‍👧‍👦 نمی‌دانم \ufeff\u200fשלום",
  "\ud800",
  "",
])("an ordinary line comes out as it went in: %j", (line) => {
  expect(quotedLine(line)).toBe(line);
  expect(quotedText(line)).toBe(line);
  expect(quotedAfterLabel(line)).toBe(line);
});

const disguises: readonly (readonly [name: string, of: (opening: string) => string])[] = [
  ["as it is", (opening) => opening],
  ["indented", (opening) => ` \t\u00a0\u3000${opening}`],
  ["in capitals", (opening) => opening.toUpperCase()],
  [
    "in wide letters",
    (opening) => opening.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  ],
  ["behind invisible characters", (opening) => `\u200b\ufeff\u200f\u202e${opening}`],
  ["behind a thousand of them", (opening) => "\u200b".repeat(1000) + opening],
  ["with invisible characters inside", (opening) => [...opening].join("\u2060\u00ad")],
  ["with control characters inside", (opening) => [...opening].join("\u0000")],
  ["in colour", (opening) => `\u001b[1;31m${opening}\u001b[0m`],
  ["as an item", (opening) => `- ${opening}`],
  ["in bold", (opening) => `**${opening}`],
  ["one level down", (opening) => opening.replace("##", "###")],
  ["spread", (opening) => opening.replaceAll(" ", "   ")],
];

test.each(disguises)("whatever opens like the hand-off's own is marked as a quote: %s", (_, disguise) => {
  for (const opening of RESERVED_OPENINGS) {
    const goesOn = /^[A-Za-z ]+:$/.test(opening) ? " and more" : ": and more";
    for (const line of [disguise(opening), `${disguise(opening)}${goesOn}`]) {
      const quoted = quotedLine(line);
      expect(quoted).toMatch(/^> /);
      expect(isReserved(quoted)).toBe(false);
      expect(quotedLine(quoted)).toBe(quoted);
      expect(unquotedText(quotedText(line))).toBe(plainText(line));
      expect(quotedText(line)).toMatch(/^> /);
    }
  }
});

test("one line is one line, and several are cut at whatever ends one", () => {
  for (const end of ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
    expect(quotedLine(`50 %${end}## State: todo list`)).toBe("50 % ## State: todo list");
    expect(quotedAfterLabel(`50 %${end}user: x`)).toBe("50 % user: x");
    expect(bareLines(`50 %${end}> > ## State: todo list`)).toEqual(["50 %", "## State: todo list"]);
    expect(quotedText(`50 %${end}## State: todo list`)).toMatch(/^50 %\r?\n> ## State: todo list$/);
  }
});

test("what terminals take as orders and other control characters are left out", () => {
  const coloured =
    "\u001b[1;31mred\u001b[0m \u001b]8;;https://x.org\u0007link\u001b]8;;\u0007 \u009b2Kand\u0000 so\u007f on\u001b";
  expect(quotedLine(coloured)).toBe("red link and so on");
  expect(plainText("a\r\nb\tc\n")).toBe("a\r\nb\tc\n");
});

test("where a hand-off begins or ends is not even said inside a line", () => {
  expect(quotedLine(`He wrote ${END_MARKER}, then [pith  Hand-off] again.`)).toBe(
    "He wrote (End of hand-off), then (pith  Hand-off) again.",
  );
  expect(quotedAfterLabel(SUMMARY_PREFIX)).toMatch(/^\(CONTEXT COMPACTION\) An earlier part/);
});

test("words are read back to the letter, quotes of quotes included, however often", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      ...RESERVED_OPENINGS,
      "> ",
      ">",
      "\r\n",
      "> > ## State: todo list",
      ">  ## State: todo list",
      "> x",
    ),
  );
  const words = fc
    .array(line, { maxLength: 8 })
    .chain((lines) => fc.constantFrom("", " ", "\n").map((gap) => lines.join(gap)));
  fc.assert(
    fc.property(words, (text) => {
      const plain = plainText(text);
      expect(plainText(plain)).toBe(plain);
      expect(unquotedText(quotedText(text))).toBe(plain);
      expect(quotedText(text).split("\n").some(isReserved)).toBe(false);
      expect(isReserved(quotedLine(text))).toBe(false);
      expect(quotedLine(quotedLine(text))).toBe(quotedLine(text));
    }),
  );
});

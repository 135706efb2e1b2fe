import fc from "fast-check";
import { expect, test } from "vitest";
import { specificsOf } from "../../text/specifics.ts";
import { auditSummary, missingIn } from "./audit-summary.ts";

const source = "Edited src/parser.ts and ran npm test: 12345 passed. The id is run_8812. See docs/guide.md.";

test("a faithful summary comes through untouched and covered", () => {
  const summary = "The parser in src/parser.ts was edited; 12345 tests passed.";
  expect(auditSummary({ summary, source, mustKeep: ["src/parser.ts: edited 1×"] })).toEqual({
    text: summary,
    invented: [],
    struck: 0,
    dropped: [],
    coverage: 1,
  });
});

test("an invented specific goes with its whole sentence, and only that", () => {
  const summary =
    "The parser in src/parser.ts was edited. Then src/lexer.ts was deleted. All 12345 tests passed.";
  const audit = auditSummary({ summary, source, mustKeep: [] });
  expect(audit.invented).toEqual(["src/lexer.ts"]);
  expect(audit.text).toBe("The parser in src/parser.ts was edited. All 12345 tests passed.");
  expect(audit.struck).toBe(1);
  expect(audit.refused).toBeUndefined();
});

test("a heading under which nothing is left goes as well", () => {
  const summary =
    "## Files\n- made-up/file_1.ts\n\n## Tests\n12345 passed in run_8812.\nsrc/parser.ts is edited.";
  expect(auditSummary({ summary, source, mustKeep: [] }).text).toBe(
    "## Tests\n12345 passed in run_8812.\nsrc/parser.ts is edited.",
  );
});

test("a must-keep that was dropped is listed to be put back", () => {
  const audit = auditSummary({
    summary: "Tests pass.",
    source,
    mustKeep: ["src/parser.ts: edited 1×", "Never push."],
  });
  expect(audit.dropped).toEqual(["src/parser.ts: edited 1×", "Never push."]);
  expect(audit.coverage).toBe(0);
});

test("a summary that is mostly invented is refused with an example", () => {
  const summary = "File a_1.ts was made. File b_2.ts was made. The rest is src/parser.ts.";
  expect(auditSummary({ summary, source, mustKeep: [] }).refused).toMatch(/2 of its 3 sentences .* a_1\.ts/);
});

test("whatever a summary says, nothing that the source does not hold is left in it", () => {
  const words = fc.constantFrom(
    "src/parser.ts",
    "src/other.ts",
    "run_8812",
    "run_9999",
    "12345",
    "654321",
    "tests",
    "pass",
    ".",
    "\n",
    "- ",
    "## A\n",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 40 }), (pieces) => {
      const { text } = auditSummary({ summary: pieces.join(" "), source, mustKeep: [] });
      expect([...specificsOf(text)].filter((each) => !source.toLowerCase().includes(each))).toEqual([]);
    }),
  );
});

test("a line is said with its words or with all its specifics, and a longer name is another name", () => {
  const lines = ["src/parser.ts: edited 2×", "[ ] Write the docs"];
  expect(missingIn("Changed src/parser.ts.", lines)).toEqual(["[ ] Write the docs"]);
  expect(missingIn("Changed src/parser.tsx. [ ] write the docs", lines)).toEqual([
    "src/parser.ts: edited 2×",
  ]);
  expect(missingIn("", lines)).toEqual(lines);
});

test("what the record holds in another form is not invented, nor is what may have been added up", () => {
  const record =
    "Read /home/me/app/src/parser.ts, line 142, on 2026-03-11. It took 1,234,567 ms; 812 + 816 tests.";
  const summary =
    "Read parser.ts:142-160 (+3451/-4729, reasons/comments, read/line/tests, snake_case, 3.174T, 5.5h, ~150) and src/parser.ts on 11.03.2026; 1234567 ms, 1.234.567 ms. In all 1628 tests ran.";
  expect(auditSummary({ summary, source: record, mustKeep: [] })).toMatchObject({ struck: 0, text: summary });
});

test("what only looks like the record is invented", () => {
  const record = `Card 4111 2222. The user drops in. ${"word ".repeat(40)} The table of index.ts is in src. ${"word ".repeat(40)} auth failed on 2026-07-11 from 192.168.0.1, twice.`;
  const made = [
    "192.168.77.12",
    "4111-1111-1111-1111",
    "2031-07-04",
    "drop_user_table",
    "src/auth/index.ts",
    "run_77812",
  ];
  for (const each of made)
    expect(auditSummary({ summary: `It was ${each} then.`, source: record, mustKeep: [] }).struck, each).toBe(
      1,
    );
});

test("a file is said by its name, and a todo by its words in any order", () => {
  const lines = ["app/src/parser.ts: edited 2×, read 1×", "[ ] Write the docs for the parser"];
  expect(
    missingIn("parser.ts was changed; the parser docs were still to write for all the users.", lines),
  ).toEqual([]);
});

test("in code, lists, headings and tables too, nothing invented is left", () => {
  const shapes = [
    "# Work on src/made_up.ts\n\nsrc/parser.ts changed.\n\nMore text. And more. And more.",
    'src/parser.ts changed. Good. Fine. So:\n```ts\nimport x from "./made_up.ts";\n```\nDone.',
    "| file | state |\n|---|---|\n| src/made_up.ts | new |\n| src/parser.ts | edited |\n\nGood. Fine. Well.",
    "1. src/parser.ts\n2. src/made_up.ts\n3. docs/guide.md",
    "文件已修改。src/made_up.ts。测试通过。run_8812。",
    "Good. Fine. Well `src/made_up.ts`",
    "src/made_\nup.ts stays. Good. Fine. Well.",
  ];
  for (const summary of shapes) {
    const { text } = auditSummary({ summary, source, mustKeep: [] });
    const left = [...specificsOf(text)].filter((each) => !source.toLowerCase().includes(each));
    expect(left, summary).toEqual([]);
  }
});

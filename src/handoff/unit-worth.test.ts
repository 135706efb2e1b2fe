import { expect, test } from "vitest";
import { splitUnits } from "./split-units.ts";
import { type Circumstance, isIntention, statusIn, worthOf } from "./unit-worth.ts";

const plain: Circumstance = { isClosing: false, isNewest: false, beforeCalls: false };
const worth = (text: string, circumstance: Partial<Circumstance> = {}) =>
  worthOf(splitUnits(text)[0]!, { ...plain, ...circumstance });

test("findings, decisions and names outweigh talk", () => {
  const talk = worth("We are looking at it all again now.");
  expect(worth("The parser failed because the limit was wrong.")).toBeGreaterThan(talk);
  expect(worth("It stands in src/parse.ts at line 4711.")).toBeGreaterThan(talk);
  expect(worth("Let me know whether you would like more.")).toBeLessThan(talk);
});

test("the closing words of a turn count most, what is merely intended least", () => {
  const finding = "The parser failed because the limit was wrong.";
  expect(worth(finding, { isClosing: true })).toBeGreaterThan(worth(finding));
  expect(worth("Let me look at the parser.", { beforeCalls: true })).toBeLessThan(
    worth("We look at the parser."),
  );
  expect(worth("Let me look at it.", { isNewest: true })).toBeGreaterThan(worth("Let me look at it."));
});

test("a heading is worth nothing by itself, a block of code less than the sentence about it", () => {
  expect(worth("# Found: the bug in src/parse.ts")).toBe(0);
  expect(worth("```\nconst fix = 4711;\n```")).toBeLessThan(
    worth("Fixed the limit of 4711 in src/parse.ts."),
  );
});

test("what the agent is about to do is an intention, unless it is the newest or tells a finding", () => {
  const intends = (text: string, circumstance: Partial<Circumstance> = {}) =>
    isIntention(splitUnits(text)[0]!, { ...plain, ...circumstance });
  expect(intends("Let me look at the parser.")).toBe(true);
  expect(intends("Let me look at the parser.", { isNewest: true })).toBe(false);
  expect(intends("I see the bug: it failed because of the limit.")).toBe(false);
  expect(intends("The parser reads.")).toBe(false);
  expect(intends("Now let me fix the remaining files.")).toBe(true);
  expect(intends("Perfect, now I’ll update the missing tests and commit.")).toBe(true);
  expect(intends("Let me skip the migration because the schema is not used.")).toBe(false);
  expect(intends("Found it: the limit is wrong. Let me look at the rest:")).toBe(false);
});

test("of how things are and what is done next, how things are is what comes again", () => {
  expect(statusIn("Still running.")).toBe("Still running.");
  expect(statusIn("Still running. I’ll check again after the next interval.")).toBe("Still running.");
  expect(statusIn("No completion yet. I’m holding the line here.")).toBe("No completion yet.");
  expect(statusIn("Fixed. The parser reads `src/a.ts` again.")).toBeUndefined();
  expect(statusIn("Part 3 is done.")).toBeUndefined();
});

test.each(["a", " ", "`", "<", "a-", "a/", "a.", "_", "1", '"', "A ", "Ab", "http:", "not ", "\ud800"])(
  "weighs a megabyte of %j in no time",
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const started = performance.now();
    worthOf({ text, kind: "prose" }, plain);
    isIntention({ text: `Let me ${text}` }, plain);
    statusIn(text);
    expect(performance.now() - started).toBeLessThan(3_000);
  },
);

test("courtesy in the same line does not hide what else the line names", () => {
  const line = "Your reservation is **HATHAT**. If you need anything, feel free to ask!";
  expect(worth(line)).toBeGreaterThan(
    2 * worth("If you need anything at all, today or later, feel free to ask!"),
  );
  expect(worth("Please hold on. One moment.")).toBeLessThan(worth("We look at the parser now."));
});

test("what was used later counts from the first name of a sentence on, however many it has", () => {
  const names = "Orders 1001, 1002, 1003, 1004, 1005 and 1006 were looked at one by one today.";
  const unused = worth(names, { isUsed: () => false });
  expect(worth(names, { isUsed: (value) => value.startsWith("1001") })).toBeGreaterThan(unused);
  expect(worth(names, { isUsed: (value) => value.startsWith("1006") })).toBeGreaterThan(unused);
});

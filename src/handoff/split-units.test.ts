import fc from "fast-check";
import { expect, test } from "vitest";
import { type BareUnit, splitUnits, withAsked } from "./split-units.ts";

const textsOf = (text: string) => splitUnits(text).map((unit) => unit.text);
const leadOf = (units: readonly BareUnit[], at: number) => units[units[at]!.under ?? -1]?.text;
const leads = (text: string) => {
  const units = splitUnits(text);
  return Object.fromEntries(units.map((unit, at) => [unit.text, leadOf(units, at)]));
};

test("short lines are units as they stand, long ones sentence by sentence on one line", () => {
  expect(textsOf("One. Two.\nThree.")).toEqual(["One. Two.", "Three."]);
  const sentences = Array.from({ length: 5 }, (_, at) => `Sentence number ${at} says that the parser reads.`);
  const units = splitUnits(`Before.\n\n${sentences.join(" ")}`);
  expect(units.map(({ text }) => text)).toEqual(["Before.", ...sentences]);
  expect(units.map(({ join }) => join)).toEqual(["\n", "\n\n", " ", " ", " ", " "]);
});

test("of people spaces at a line's end stay, so that a sentence over two lines is read back as it was given", () => {
  const long =
    "The hook that stops a second session says that another one is still active in the same repository. ";
  for (const line of [
    "Never stop the   \n  other session.",
    `${long}${long}Never stop the   \n  other session.`,
  ]) {
    const units = splitUnits(line, { arePeoples: true });
    expect(units.map(({ text, join }, at) => (at === 0 ? "" : join) + text).join("")).toBe(line);
  }
  expect(textsOf("Looking at it.   \nDone.")).toEqual(["Looking at it.", "Done."]);
});

test("a long line keeps how far in it stands", () => {
  const sentence = "This sentence says that the parser reads one token at a time.";
  expect(textsOf(`    ${sentence} ${sentence} ${sentence}`)).toEqual([`    ${sentence}`, sentence, sentence]);
});

test("a block of code is one unit, whatever stands in it", () => {
  const block = "```ts\n# no heading\n- no item\n\nx:\n```";
  expect(splitUnits(`See.\n${block}\nDone.`).map(({ text, kind }) => [text, kind])).toEqual([
    ["See.", "prose"],
    [block, "code"],
    ["Done.", "prose"],
  ]);
  expect(textsOf("~~~\n```\n~~~\nx")).toEqual(["~~~\n```\n~~~", "x"]);
  expect(textsOf("````\n```\n````\nx")).toEqual(["````\n```\n````", "x"]);
  expect(textsOf("```\nnever closed\n# x")).toEqual(["```\nnever closed\n# x"]);
});

test("what stands under a heading goes with it, and a heading with the one above it", () => {
  expect(leads("# A\none\n## B\ntwo\n**C**\nthree\n## D\nfour\n# E\nfive")).toEqual({
    "# A": undefined,
    one: "# A",
    "## B": "# A",
    two: "## B",
    "**C**": "## B",
    three: "**C**",
    "## D": "# A",
    four: "## D",
    "# E": undefined,
    five: "# E",
  });
});

test("a line that leads on leads what follows, under the heading it stands under", () => {
  expect(leads("# A\nTwo things:\n- x\n- y")).toEqual({
    "# A": undefined,
    "Two things:": "# A",
    "- x": "Two things:",
    "- y": "Two things:",
  });
  expect(leads("Run this:\n\n```\nmake\n```")).toMatchObject({ "```\nmake\n```": "Run this:" });
  expect(splitUnits("Nothing follows:")[0]!.leads).toBeUndefined();
});

test("the rule of a table stays with its head", () => {
  expect(textsOf("| a | b |\n|---|---|\n| 1 | 2 |")).toEqual(["| a | b |\n|---|---|", "| 1 | 2 |"]);
  expect(splitUnits("| 1 | 2 |")[0]!.kind).toBe("item");
});

test("lines end wherever a reader may see one end", () => {
  for (const end of ["\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f"]) {
    expect(textsOf(`one${end}# two${end}three`)).toEqual(["one", "# two", "three"]);
  }
});

test("nothing is made of nothing", () => {
  for (const text of ["", " ", "\n\n", "\t\r\n"]) expect(splitUnits(text)).toEqual([]);
});

const line = fc.oneof(
  fc.constantFrom(
    "# A",
    "## B",
    "**C**",
    "Lead:",
    "- x",
    "1. y",
    "| a |",
    "|---|",
    "```",
    "~~~",
    "",
    "  ",
    "\ud800",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.lorem({ maxCount: 6, mode: "sentences" }),
);

test("no word is lost or made up, and everything stands under something before it that leads", () => {
  const bare = (text: string) => text.replace(/\s+/g, "");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join("\n");
      const units = splitUnits(text);
      expect(bare(units.map((unit) => unit.text).join(""))).toBe(bare(text));
      units.forEach((unit, at) => {
        expect(unit.text.trim()).not.toBe("");
        if (unit.under === undefined) return;
        expect(unit.under).toBeLessThan(at);
        expect(units[unit.under]!.leads).toBe(true);
      });
    }),
    { numRuns: 300 },
  );
});

test.each([
  "a",
  " ",
  "`",
  "<",
  "```\n",
  "**",
  "|-\n",
  "# ",
  "#\n",
  "x:\n- y\n",
  "\u2028",
  "\ud800",
  "- ",
  "A. ",
])("splits a megabyte of %j in no time", (piece) => {
  const text = piece.repeat(1_000_000 / piece.length);
  const started = performance.now();
  splitUnits(text);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test("a fence around the agent's words is opened where that is asked for; code and what people paste stays a block", () => {
  const plan = "```\n1. Search for the season page of the team.\n2. Read off who led the team in walks.\n```";
  expect(splitUnits(plan, { opensWords: true }).map(({ text }) => text)).toEqual([
    "1. Search for the season page of the team.",
    "2. Read off who led the team in walks.",
  ]);
  expect(splitUnits(plan)).toHaveLength(1);
  for (const code of [
    "```ts\nconst a = 1;\nconst b = 2;\n```",
    "```\nnpm run build\nnode dist/main.js --port 80\n```",
    "```\nmain worktree → stands at the commit abc1234\nother worktree → stands at the same commit\n```",
  ]) {
    expect(splitUnits(code, { opensWords: true }).map(({ kind }) => kind)).toEqual(["code"]);
  }
});

test("a lead-in in bold leads the items under it", () => {
  const [lead, item] = splitUnits("2. **Costs:**\n   - 18 dollars each");
  expect(lead!.leads).toBe(true);
  expect(item!.under).toBe(0);
});

test("a lead-in that is further in than another is under it, and one as far in is not", () => {
  const units = splitUnits("1. Request:\n   Wanted:\n   - one\n   Later:\n   - two\n2. Files:\n   - a.ts");
  expect(units.map(({ under }) => under)).toEqual([undefined, 0, 1, 0, 3, undefined, 5]);
});

test.each([
  ["1. Primary Request and Intent:\n   - one\n2. Files:\n   - two", ["   - one"]],
  ["## Goal\none\n\ntwo\n## Progress\nthree", ["one", "two"]],
  ['6. All user messages:\n   - "one"\n7. Pending Tasks:\n   - two', ['   - "one"']],
  ["**User's requirements**\n- one\n**Next step**\n- two", ["- one"]],
  ["## Task list of the build\n- one", ["- one"]],
  ["## What the task runner printed\n- one", []],
])("a summary says under a heading of its own what the user had asked for: %j", (text, asked) => {
  expect(withAsked(splitUnits(text)).flatMap((unit) => (unit.isAsked ? [unit.text] : []))).toEqual(asked);
});

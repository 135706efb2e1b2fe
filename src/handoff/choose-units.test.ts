import fc from "fast-check";
import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { chooseUnits } from "./choose-units.ts";
import { splitUnits } from "./split-units.ts";
import { type Entry, type Story, type Unit, unitsIn, type Voice } from "./story.ts";
import { writeStory } from "./write-story.ts";

const counter = createTokenCounter();
const unit = (text: string, more: Partial<Unit> = {}): Unit => ({ text, join: "\n", worth: 1, ...more });
const entry = (voice: Voice, ...units: readonly Unit[]): Entry => ({ voice, units });
const turn = (...entries: readonly Entry[]) => ({ number: 1, standing: "open" as const, entries });
const choose = (story: Story, maxTokens: number) => chooseUnits(story, { maxTokens, counter });
const keptOf = (story: Story, maxTokens: number) =>
  unitsIn(story, (each) => choose(story, maxTokens).kept.has(each)).map(({ text }) => text);

test("where there is room everything is told, and what is left is said", () => {
  const story = [turn(entry("user", unit("Fix it.", { worth: 40 })), entry("agent", unit("Looking.")))];
  const { left } = choose(story, 100);
  expect(keptOf(story, 100)).toHaveLength(2);
  expect(left).toBeGreaterThan(50);
});

test("nothing fits in no room, and nothing is chosen of nothing", () => {
  expect(choose([], 100).left).toBe(100);
  const story = [turn(entry("agent", unit("Looking.")))];
  expect(choose(story, 0).left).toBe(0);
  expect(keptOf(story, 0)).toEqual([]);
});

test("people's words come first, the first and the last turn's before the others", () => {
  const words = (at: number) =>
    entry("user", unit(`Ask number ${at} of the user, in some words.`, { worth: 40 }));
  const story = Array.from({ length: 10 }, (_, at) =>
    turn(words(at), entry("answer", unit(`Answer ${at}.`, { worth: 100 }))),
  );
  const kept = keptOf(story, 130);
  const asks = kept.filter((text) => text.startsWith("Ask"));
  expect(asks).toEqual([0, 9].map((at) => `Ask number ${at} of the user, in some words.`));
  expect(kept.length).toBeLessThan(20);
});

test("while work is under way the last call and the agent's last words are told before older asks", () => {
  const asks = Array.from({ length: 9 }, (_, at) =>
    turn(
      entry(
        "user",
        unit(`Please ${"abcdefghi"[at]}dd what the user asked for, in more words.`, { worth: 40 }),
      ),
    ),
  );
  const last = turn(
    entry(
      "agent",
      unit("The branch has conflicts.", { worth: 0.1 }),
      unit("Let me see:", { minor: "intended" }),
    ),
    entry("deed", unit("$ git merge main → exit 1: CONFLICT in src/a.ts", { worth: 0.1 })),
    entry("deed", unit("Changed: src/b.ts", { worth: 0.1 })),
  );
  const ends = ["The branch has conflicts.", "$ git merge main → exit 1: CONFLICT in src/a.ts"];
  expect(keptOf([...asks, last], 60)).toContain(ends[1]);
  expect(keptOf([...asks, last], 100)).toEqual(expect.arrayContaining(ends));
  const answered = { ...last, standing: "answered" as const };
  expect(keptOf([...asks, answered], 60)).not.toContain(ends[1]);
});

test("people's words leave room for what was done about them", () => {
  const asks = Array.from({ length: 30 }, (_, at) =>
    turn(entry("user", unit(`Ask number ${at} of the user, in some more words.`, { worth: 40 }))),
  );
  const story = [...asks, turn(entry("answer", unit("Everything was done.", { worth: 3 })))];
  expect(keptOf(story, 200)).toContain("Everything was done.");
});

test("what people had asked for by a summary's word comes before what else it says, from the first on, within its share", () => {
  const asked = Array.from({ length: 12 }, (_, at) =>
    unit(`Wish number ${at} of the user.`, { isAsked: true }),
  );
  const rest = Array.from({ length: 20 }, (_, at) => unit(`Finding number ${at} of it.`, { worth: 5 }));
  const kept = keptOf([turn(entry("earlier", ...asked, ...rest))], 240);
  expect(kept.slice(0, 2)).toEqual(["Wish number 0 of the user.", "Wish number 1 of the user."]);
  expect(kept.some((text) => text.startsWith("Finding"))).toBe(true);
});

test("an exclamation opens no entry of which nothing else is told", () => {
  const words = [unit("Perfect!", { worth: 9 }), unit("All of the tests of the parser pass now.".repeat(9))];
  const story = [turn(entry("agent", ...words), entry("agent", unit("Great!", { worth: 9 })))];
  expect(keptOf(story, 30)).toEqual(["Great!"]);
  expect(keptOf(story, 500)).toHaveLength(3);
});

test("what must stay stays, whatever the room", () => {
  const story = [
    turn(entry("user", unit("The latest ask.", { must: true, worth: 0 })), entry("agent", unit("x"))),
  ];
  expect(keptOf(story, 0)).toEqual(["The latest ask."]);
  expect(choose(story, 0).left).toBeLessThan(0);
});

test("what is worth most for its tokens is told, what is minor only after all else", () => {
  const story = [
    turn(
      entry(
        "agent",
        unit("The bug is in the lexer.", { worth: 3 }),
        unit("We are looking at it now.", { worth: 0.2 }),
      ),
      entry("deed", unit("→ Read src/lexer.ts", { worth: 50, minor: "printed" })),
    ),
  ];
  expect(keptOf(story, 20)).toEqual(["The bug is in the lexer."]);
  expect(keptOf(story, 24)).not.toContain("→ Read src/lexer.ts");
  expect(keptOf(story, 60)).toHaveLength(3);
});

test("a line that was told word for word is not told again, what people typed is", () => {
  const line = "The parser failed because the limit was wrong.";
  const said = [turn(entry("agent", unit(line)), entry("answer", unit(line)))];
  expect(keptOf(said, 1_000)).toHaveLength(1);
  const typed = [
    turn(entry("user", unit(line, { worth: 40 }))),
    turn(entry("user", unit(line, { worth: 40 }))),
  ];
  expect(keptOf(typed, 1_000)).toHaveLength(2);
});

test("a line that was told before is told again beside code, which would be other code without it", () => {
  const run = (name: string): Entry =>
    entry(
      "deed",
      unit(`→ Read ${name}`),
      unit("  func Test() {\n    run()\n  }", { under: 0, kind: "code" }),
      unit("  t.Parallel()", { under: 0 }),
    );
  const story = [turn(run("a.go"), run("b.go"))];
  expect(keptOf(story, 200).filter((each) => each === "  t.Parallel()")).toHaveLength(2);
  expect(keptOf(story, 200).filter((each) => each.includes("run()"))).toHaveLength(1);
});

test("of a series of announcements or states the newest is told, the others after everything else", () => {
  const story = [
    turn(
      ...[1, 2, 3, 4].flatMap((at) => [
        entry("agent", unit("Let me look at the parser.", { minor: "intended" })),
        entry("deed", unit(`→ Read src/part-${at}.ts`, { worth: 0.2, minor: "printed" })),
        entry(
          "agent",
          unit(at < 4 ? `Still running. I’ll wait ${"and wait ".repeat(at)}.` : "Still running. I’ll stop."),
        ),
      ]),
    ),
  ];
  const kept = keptOf(story, 100);
  expect(kept.filter((each) => each.startsWith("→"))).toHaveLength(4);
  expect(kept.filter((each) => each.startsWith("Still"))).toContain("Still running. I’ll stop.");
  expect(keptOf(story, 50)).not.toContain("Let me look at the parser.");
});

const text = fc.constantFrom(
  "# Found\nThe bug is in src/lexer.ts.\n## Why\nThe limit was 4711.\nTwo things:\n- one\n- two",
  "Plain words.\nMore of them.",
  "Steps:\n1. read\n2. write",
);
const anyStory = fc
  .array(
    fc.array(
      fc.tuple(
        fc.constantFrom<Voice>("user", "agent", "answer", "earlier"),
        text,
        fc.double({ min: 0.1, max: 50, noNaN: true }),
      ),
      { maxLength: 4 },
    ),
    { maxLength: 4 },
  )
  .map(
    (turns): Story =>
      turns.map((entries) =>
        turn(
          ...entries.map(([voice, words, worth]) =>
            entry(
              voice,
              ...splitUnits(words).map((each, at) => ({ ...each, worth: each.leads ? 0 : worth / (at + 1) })),
            ),
          ),
        ),
      ),
  );

test("no heading is told alone, nothing without its heading, and never more than the room", () => {
  fc.assert(
    fc.property(anyStory, fc.nat(150), (story, maxTokens) => {
      const { kept, left } = choose(story, maxTokens);
      expect(left).toBeGreaterThanOrEqual(0);
      for (const { units } of story.flatMap(({ entries }) => entries)) {
        const told = units.map((each) => kept.has(each));
        units.forEach((each, at) => {
          if (told[at] && each.under !== undefined) expect(told[each.under]).toBe(true);
          if (told[at] && each.leads) {
            expect(units.some((other, index) => told[index] && other.under === at)).toBe(true);
          }
        });
      }
    }),
    { numRuns: 200 },
  );
});

test("what is chosen takes about what was estimated", () => {
  fc.assert(
    fc.property(anyStory, fc.integer({ min: 40, max: 400 }), (story, maxTokens) => {
      const { kept } = choose(story, maxTokens);
      const tokens = counter.text(writeStory(story, (each) => kept.has(each)));
      expect(tokens).toBeLessThanOrEqual(maxTokens * 1.25 + 12);
    }),
  );
});

test("a story of very many units is chosen from in no time", () => {
  const units = splitUnits(Array.from({ length: 20_000 }, (_, at) => `# H${at}\nline ${at}`).join("\n"));
  const story = [turn(entry("agent", ...units.map((each) => ({ ...each, worth: each.leads ? 0 : 1 }))))];
  const started = performance.now();
  choose(story, 2_000);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test("facts have a share of the room before the agent's words, and what tells the same fact again has none", () => {
  const words = Array.from({ length: 20 }, (_, at) =>
    unit(`Sentence number ${at} says a lot, in words.`, { worth: 9 }),
  );
  const fact = (text: string) => unit(`  ${text}`, { minor: "printed", isFact: true, under: 0 });
  const deed = entry(
    "deed",
    unit("→ get_card(id 7)", { minor: "printed" }),
    fact("card_7 ends in 7447, holds 250"),
  );
  const again = entry(
    "deed",
    unit("→ get_cards()", { minor: "printed" }),
    fact("card_7 ends in 7447, holds 250."),
  );
  const answered = { ...turn(deed, again, entry("agent", ...words)), standing: "answered" as const };
  const kept = keptOf([answered], 120);
  expect(kept.slice(0, 2).toSorted()).toEqual(["  card_7 ends in 7447, holds 250", "→ get_card(id 7)"]);
  expect(kept).not.toContain("→ get_cards()");
  expect(kept.length).toBeGreaterThan(4);
});

test("where few calls brought facts, they have little of the room", () => {
  const words = Array.from({ length: 20 }, (_, at) =>
    unit(`Sentence number ${at} says a lot, in words.`, { worth: 9 }),
  );
  const run = Array.from({ length: 40 }, (_, at) =>
    entry("deed", unit(`$ run step ${at} → ok`, { worth: 0.1 })),
  );
  const deed = entry(
    "deed",
    unit("→ get_card(id 7)", { minor: "printed" }),
    unit("  card_7 ends in 7447, holds 250", { minor: "printed", isFact: true, under: 0 }),
  );
  expect(keptOf([turn(deed, ...run, entry("agent", ...words))], 120)).not.toContain("→ get_card(id 7)");
});

test("what a turn changed is told though another turn changed the same", () => {
  const changed = () =>
    entry("deed", unit("Changed: src/a.ts ×2"), unit(", src/b.ts", { join: "", under: 0 }));
  const ran = () => entry("deed", unit("$ npm run lint → ok"));
  const story = [turn(changed(), ran()), turn(changed(), ran())];
  expect(writeStory(story, (each) => choose(story, 200).kept.has(each))).toBe(
    [
      "[1] Changed: src/a.ts ×2, src/b.ts",
      "$ npm run lint → ok",
      "(open)",
      "[1] Changed: src/a.ts ×2, src/b.ts",
      "(open)",
    ].join("\n"),
  );
});

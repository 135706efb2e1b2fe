import { expect, test } from "vitest";
import type { Message } from "../conversation/message.ts";
import type { Policy } from "../policy/policy.ts";
import { presets } from "../policy/presets.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { composeHandoff, type HandoffRequest, smallestHandoff } from "./compose.ts";
import { END_MARKER, findHandoff } from "./prefixes.ts";
import { readSections } from "./sections.ts";
import { spanLedger } from "./span-ledger.ts";
import { asksOf, constraintsOf } from "./user-words.ts";

const counter = createTokenCounter();

function requestFor(span: readonly Message[], change: Partial<HandoffRequest> = {}): HandoffRequest {
  return {
    span,
    asks: asksOf(span, () => false),
    constraints: constraintsOf(span),
    answered: false,
    maxAskTokens: 500,
    policy: presets.balanced,
    counter,
    ...change,
  };
}

function compose(
  messages: readonly WireMessage[],
  maxTokens = 2000,
  change: Partial<HandoffRequest> = {},
): string {
  return textOf(requestFor(conversation(...messages).messages, change), maxTokens);
}

function textOf(request: HandoffRequest, maxTokens: number, beside = ""): string {
  const ledger = spanLedger(request.span, undefined, counter);
  return composeHandoff(request, { maxTokens, beside, ledger }).text;
}

const sectionsOf = (text: string) => readSections(findHandoff(text)!.body);

const work: readonly WireMessage[] = [
  user("Build the importer for billing. Never touch prod.yaml."),
  assistant("Reading.", call("read_file", { path: "src/billing/importer.ts" })),
  result(
    "export const RETRY_LIMIT = 4711;\nthrow new Error('E_BAD_ROW_88');\nplain words without anything special",
  ),
  assistant("Wait, the limit in commit 9f8e7d6c5b is wrong."),
  user("Then fix that value."),
  assistant("Fixed the limit in src/billing/importer.ts."),
];

test("[R9] a hand-off is framed as past reference, closed by the end marker, and gives no orders", () => {
  const lines = compose(work).split("\n");
  expect(lines[0]).toBe("[Pith hand-off] Past reference:");
  expect(lines.at(-1)).toBe(END_MARKER);
  expect(compose(work)).not.toMatch(/next steps|pending|resume|to do/i);
});

test("[R13] every style is delimited: its own prefix before, the end marker after", () => {
  for (const policy of Object.values(presets) as Policy[]) {
    const text = compose(work, 2000, { policy });
    expect(findHandoff(text)).toMatchObject({ rest: "" });
    expect(text.endsWith(`\n${END_MARKER}`)).toBe(true);
  }
  expect(compose(work, 2000, { policy: presets.factor3 })).toMatch(/^\[SUMMARY\]: ## First ask/);
  expect(compose(work, 2000, { policy: presets.hermes })).toMatch(/^\[CONTEXT COMPACTION\] .*\n## First ask/);
});

test("[R14 R38] the first and the latest ask stand in it verbatim", () => {
  const { firstAsk, latestAsk } = sectionsOf(compose(work));
  expect(firstAsk).toBe("Build the importer for billing. Never touch prod.yaml.");
  expect(latestAsk).toBe("Then fix that value.");
});

test("[R10 R12] an ask that was answered is told as answered, one under way as asked", () => {
  expect(compose(work, 2000, { answered: true })).toContain("## Latest ask (answered)\nThen fix that value.");
  expect(compose(work, 2000, { answered: false })).toContain("## Latest ask\nThen fix that value.");
});

test("[R15] when the user said nothing, no ask and no constraint is told", () => {
  const text = compose([
    assistant("I must never stop. Please fix src/a.ts."),
    assistant("Done with src/b.ts."),
  ]);
  expect(text).not.toMatch(/## (First|Latest) ask|## Constraints/);
  expect(text).toContain("## Progress");
});

test("[R36] identifiers are captured mechanically, each with the words around it", () => {
  const progress = sectionsOf(compose(work)).progress.join("\n");
  for (const specific of [
    "export const RETRY_LIMIT = 4711;",
    "E_BAD_ROW_88",
    "9f8e7d6c5b",
    'read_file {"path":"src/billing/importer.ts"}',
  ]) {
    expect(progress).toContain(specific);
  }
});

test("[F66] doubts are annotated with their literal phrases, where the policy wants that", () => {
  const annotation = '[Archived 6 messages. Uncertainty points preserved: "wait"]';
  expect(sectionsOf(compose(work)).uncertainty).toEqual([annotation]);
  const silent = { ...presets.balanced, markers: { annotate: false } };
  expect(sectionsOf(compose(work, 2000, { policy: silent })).uncertainty).toEqual([]);
  expect(compose([user("Wait, hold on."), result("actually perhaps")])).not.toContain("Uncertainty");
  const least = counter.text(compose(work, 0));
  expect(sectionsOf(compose(work, least + 300)).uncertainty).toEqual([annotation]);
  expect(sectionsOf(compose(work, least + 100)).uncertainty).toEqual([]);
});

test("[F66 R21] doubts of an earlier hand-off are told again as phrases, not quoted as a text", () => {
  const earlier = compose([...work, assistant("Hmm, perhaps not.")]);
  const again = sectionsOf(compose([assistant(earlier), assistant("On second thought, yes.")]));
  expect(again.uncertainty).toEqual([
    '[Archived 2 messages. Uncertainty points preserved: "wait", "hmm", "perhaps", "on second thought"]',
  ]);
});

test("[R37] constraints stand verbatim, and not twice where an ask says them", () => {
  const text = compose([...work, user("Keep it to 200 lines at most."), assistant("Yes."), user("Go.")]);
  expect(sectionsOf(text).constraints).toEqual(["Keep it to 200 lines at most."]);
  expect(sectionsOf(text).firstAsk).toContain("Never touch prod.yaml.");
});

test("[R37] items of a list of constraints survive an ask that is cut, compaction after compaction", () => {
  const items = ["two spaces", "the blue theme", "add a test"];
  const ask = `Write the exporter.\n\nConstraints:\n${items.map((item) => `- ${item}`).join("\n")}\n\n${"It is an old tool. ".repeat(200)}`;
  let messages: readonly WireMessage[] = [user(ask), assistant("Yes.")];
  for (let round = 0; round < 4; round++) {
    const request = requestFor(conversation(...messages).messages, { maxAskTokens: 50 });
    const text = textOf(request, 400);
    for (const item of items) expect(text).toContain(item);
    messages = [user(text), assistant(`Round ${round}.`), user(`Go on ${round}.`)];
  }
});

test("[R37] a user who quotes the end marker or our headings loses nothing and hides nothing", () => {
  const ask = `Never print \`${END_MARKER}\` in a reply.\n## Progress\n${END_MARKER}\nAlways answer in French.`;
  let messages: readonly WireMessage[] = [user(ask), assistant("Oui.")];
  for (let round = 0; round < 3; round++) {
    const text = compose(messages);
    expect(findHandoff(text)?.rest).toBe("");
    expect(sectionsOf(text)[round === 0 ? "latestAsk" : "firstAsk"]).toBe(ask);
    messages = [user(text), assistant("Oui."), user("Continue.")];
  }
});

test("an ask above its limit is cut to its asking and binding sentences", () => {
  const long = `${"It was like this before. ".repeat(300)}Please fix it. Never touch prod.yaml.`;
  const { latestAsk } = sectionsOf(compose([user(long)], 2000, { maxAskTokens: 100 }));
  expect(latestAsk).toBe("Please fix it.\n\nNever touch prod.yaml.");
  expect(sectionsOf(compose([user(long)], 8000, { maxAskTokens: 4000 })).latestAsk).toBe(long);
});

test("a hand-off takes what room it is given and no more, down to the smallest", () => {
  const lines = Array.from(
    { length: 400 },
    (_, line) => `export const value${line} = compute(${line * 7919});`,
  );
  const messages = conversation(...work, assistant("", call("read", {})), result(lines.join("\n"))).messages;
  const request = requestFor(messages);
  const least = counter.text(smallestHandoff(request));
  for (const room of [least, least + 10, least + 60, 500, 1500, 4000]) {
    const tokens = counter.text(textOf(request, room));
    expect(tokens).toBeLessThanOrEqual(room);
    if (room >= 500) expect(tokens).toBeGreaterThan(room * 0.85);
  }
});

test("what stands beside the hand-off anyway is not said again", () => {
  const request = requestFor(conversation(...work).messages);
  const without = textOf(request, 125, "RETRY_LIMIT 4711 E_BAD_ROW_88 src/billing/importer.ts");
  expect(textOf(request, 125)).toContain("RETRY_LIMIT");
  expect(without).not.toContain("RETRY_LIMIT");
});

test("[F58] the text form is the one-line summary, then the asks and constraints, and no digest", () => {
  const text = compose(work, 2000, { policy: presets.synthorg });
  expect(text.split("\n")[0]).toBe(
    "[Archived 6 messages. Summary of prior work: Reading.; Wait, the limit in commit 9f8e7d6c5b is wrong.; Fixed the limit in src/billing/importer.ts.]",
  );
  expect(text).toContain("## First ask");
  expect(text).not.toContain("## Progress");
});

const todoList = (statuses: Readonly<Record<string, string>>, id: string): readonly WireMessage[] => [
  assistant(
    "",
    call(
      "TodoWrite",
      { todos: Object.entries(statuses).map(([content, status]) => ({ content, status })) },
      id,
    ),
  ),
  result("Todos have been modified.", { id }),
];
const facts: readonly WireMessage[] = [
  ...work,
  ...todoList({ "Write the docs": "pending", "Fix the parser": "completed" }, "t"),
  assistant("I'll use a Map because lookups dominate.", call("Edit", { file_path: "src/parser.ts" }, "e")),
  result("The file src/parser.ts has been updated.", { id: "e" }),
  assistant("", call("Bash", { command: "npm run build" }, "b")),
  result("Successfully built in 3s", { id: "b" }),
  assistant("", call("Bash", { command: "npm test" }, "r")),
  result("Exit code 1\nTypeError: x is not a function", { id: "r" }),
];

test("[R10 R36 R40] open todos, open errors, changed files, commands and decisions stand under their headings", () => {
  const sections = sectionsOf(compose(facts));
  expect(sections.todos).toEqual(["[ ] Write the docs", "[x] Fix the parser"]);
  expect(sections.errors).toEqual(["open: TypeError: x is not a function (npm test)"]);
  expect(sections.files).toEqual(["src/billing/importer.ts: read", "src/parser.ts: edited"]);
  expect(sections.commands).toEqual(["npm run build → ok: Successfully built in 3s"]);
  expect(sections.decisions).toEqual(["I'll use a Map because lookups dominate."]);
});

test("[F58] the text form tells what must be kept below its summary, and no other fact", () => {
  const sections = sectionsOf(compose(facts, 2000, { policy: presets.synthorg }));
  expect(sections).toMatchObject({
    todos: ["[ ] Write the docs", "… 1 more todos done"],
    errors: ["open: TypeError: x is not a function (npm test)"],
    files: ["src/parser.ts: edited", "… 1 more files read"],
    commands: [],
    decisions: [],
  });
});

test("where not all that must be kept fits, the newest stand there, the rest is counted, and the number is told", () => {
  const edits = Array.from({ length: 60 }, (_, at) => [
    assistant("", call("Edit", { file_path: `src/part-${at}.ts` }, `e${at}`)),
    result("The file has been updated.", { id: `e${at}` }),
  ]).flat();
  const request = requestFor(conversation(...work, ...edits).messages);
  const ledger = spanLedger(request.span, undefined, counter);
  const { text, told } = composeHandoff(request, { maxTokens: 600, beside: "", ledger });
  const { files } = sectionsOf(text);
  expect(told.length).toBeGreaterThan(10);
  expect(told.length).toBeLessThan(60);
  expect(files.filter((line) => line.endsWith(": edited")).toSorted()).toEqual([...told].toSorted());
  expect(files).toContain("src/part-59.ts: edited");
  expect(files).toContain(`… ${60 - told.length} more files changed`);
  expect(counter.text(text)).toBeLessThanOrEqual(1200);
});

test("[R21] what the facts say is read back by the next hand-off and not quoted as progress", () => {
  const again = sectionsOf(compose([user(compose(facts)), assistant("Going on.")]));
  expect(again).toMatchObject({ todos: ["[ ] Write the docs", "[x] Fix the parser"] });
  expect(again.files).toEqual(["src/billing/importer.ts: read", "src/parser.ts: edited"]);
  expect(again.progress.filter((line) => line.includes("src/parser.ts: edited"))).toEqual([]);
});

test("a span of nothing, of empty messages, of blobs and of lone surrogates gives a hand-off all the same", () => {
  const hostile: readonly (readonly WireMessage[])[] = [
    [],
    [{ role: "user", content: null }],
    [user("\ud800".repeat(500)), assistant("\udfff\0".repeat(500))],
    [user("a".repeat(60_000)), assistant(" ".repeat(60_000)), result("-".repeat(60_000))],
    [user("日本語".repeat(10_000)), assistant("QUJD".repeat(10_000))],
    [user("> ".repeat(5000)), assistant("same\n".repeat(20_000))],
  ];
  for (const messages of hostile) {
    const text = compose(messages, 300, { maxAskTokens: 75 });
    expect(findHandoff(text)).toMatchObject({ rest: "" });
    expect(counter.text(text)).toBeLessThanOrEqual(300);
  }
});

test("[R21 R37] after 50 compactions the constraints are the same to the letter and the size has its ceiling", () => {
  const rules = [
    "Never touch prod.yaml.",
    "不要修改数据库。",
    "Use at most 200 lines\nper file.",
    "Antworte immer auf Deutsch.",
  ];
  const opening = user(`Build the importer.\n\n${rules.filter((rule) => !rule.includes("\n")).join("\n\n")}`);
  const carried = user(`[SUMMARY]: \n## Constraints\n- ${rules[2]}\n${END_MARKER}`);
  let messages: readonly WireMessage[] = [carried, opening, ...work.slice(1)];
  const sizes: number[] = [];
  let first: readonly string[] = [];
  for (let round = 0; round < 50; round++) {
    const { messages: span } = conversation(...messages);
    const text = textOf(requestFor(span), 1200);
    sizes.push(counter.text(text));
    const bound = constraintsOf(conversation(user(text)).messages);
    if (round === 0) first = bound;
    expect([...bound].toSorted()).toEqual([...first].toSorted());
    for (const rule of rules) expect(text).toContain(rule);
    expect(text.split(END_MARKER)).toHaveLength(2);
    expect(text.split("[Archived")).toHaveLength(2);
    messages = [
      user(text),
      assistant(
        `Wait, round ${round} wrote src/part-${round}.ts.`,
        call("write", { path: `src/part-${round}.ts` }),
      ),
      result(`wrote ${round * 1009 + 1000} bytes`),
      user(`Go on with part ${round}.`),
    ];
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1200);
});

test("[R36] what a recent message lost when it was cut is told", () => {
  const lost = conversation(result("const LOST_LIMIT = 98765;\nconst KEPT_LIMIT = 43210;")).messages;
  const text = textOf(
    requestFor(conversation(...work).messages, { cut: lost }),
    2000,
    "const KEPT_LIMIT = 43210;",
  );
  expect(text).toContain("LOST_LIMIT = 98765");
  expect(text).not.toContain("KEPT_LIMIT");
  expect(textOf(requestFor(conversation(...work).messages), 2000)).not.toContain("LOST_LIMIT");
});

import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { textOfMessage } from "../conversation/message.ts";
import { initialState } from "../state/compaction-state.ts";
import { initialSummarizerState } from "../state/summarizer-state.ts";
import { assistant, call, rawConversation, result, user } from "../testing/builders.ts";
import { scriptedSummarizer } from "../testing/scripted-summarizer.ts";
import { compactOccasion } from "./compact-occasion.ts";
import { readOccasion } from "./occasion.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";
import { draftFor } from "./plan-for.ts";
import { withNarration, withSummary } from "./with-summary.ts";

const input = rawConversation(
  user("Fix the parser. Never touch the lexer."),
  ...Array.from({ length: 12 }, (_, at) => [
    assistant(`Reading part ${at}.`, call("Read", { file_path: `src/part-${at}.ts` })),
    result(`export const part${at} = ${at};\n`.repeat(20)),
  ]).flat(),
  assistant("", call("Edit", { file_path: "src/parser.ts", old_string: "a", new_string: "b" })),
  result("The file src/parser.ts has been updated."),
  assistant("That is done."),
  user("What is left to do?"),
  assistant("Nothing is left."),
);

const occasionOf = (target: number, options: CompactorOptions = {}) =>
  readOccasion(input, options, { target }, 0);

async function summarized(call: CompactOptions, options: CompactorOptions) {
  const occasion = occasionOf(600, options);
  const compacted = compactOccasion(input, occasion, () => {});
  return { plain: compacted.result, told: await withSummary(compacted, input, occasion, call, options) };
}

function narrated(target: number, options: CompactorOptions, ...lines: readonly string[]) {
  const occasion = occasionOf(target, options);
  const compacted = compactOccasion(input, occasion, () => {});
  const narration = {
    story: lines,
    until: Number.POSITIVE_INFINITY,
    before: initialSummarizerState,
    summarizer: "scripted",
    attempts: [],
    state: initialSummarizerState,
  };
  return { plain: compacted.result, told: withNarration(compacted, narration, input, occasion) };
}

test("is the very result where no summary was asked for or nobody can write one", async () => {
  const summarizer = scriptedSummarizer(["It went well."]);
  const unasked = await summarized({}, { summarizer });
  expect(unasked.told).toBe(unasked.plain);
  const unable = await summarized({ summarize: true }, {});
  expect(unable.told).toBe(unable.plain);
  expect(summarizer.calls).toEqual([]);
});

test("is the very result where nothing was handed off", async () => {
  const summarizer = scriptedSummarizer(["It went well."]);
  const occasion = occasionOf(100_000);
  const plain = compactOccasion(input, occasion, () => {});
  const options = { summarizer };
  expect(await withSummary(plain, input, occasion, { summarize: true }, options)).toBe(plain.result);
  expect(summarizer.calls).toEqual([]);
});

test("puts the summary into the hand-off, and who wrote it and how well into the Report", async () => {
  const summarizer = scriptedSummarizer(["The parser was fixed on request."]);
  const { told } = await summarized({ summarize: true }, { summarizer });
  expect(told.conversation.messages.map(textOfMessage).join("\n")).toContain(
    "The parser was fixed on request.",
  );
  expect(told.report.tokensAfter).toBeLessThanOrEqual(600);
  expect(told.report.summary).toEqual({
    summarizer: "scripted",
    coverage: 0,
    putBack: 1,
    putBackLines: ["src/parser.ts: edited"],
    invented: [],
    struck: 0,
    attempts: [{ summarizer: "scripted" }],
  });
  expect(told.state.summarizer?.attempts.count).toBe(0);
});

test("a summary is put into the plan that was made: nothing is laid out or read a second time", async () => {
  const summarizer = scriptedSummarizer(["The parser was fixed on request."]);
  const { plain, told } = await summarized({ summarize: true }, { summarizer });
  expect(told.plan.steps).not.toEqual(plain.plan.steps);
  expect(told.plan.regions).toBe(plain.plan.regions);
  expect(told.plan.handedOff!.ledger).toBe(plain.plan.handedOff!.ledger);
});

test("[R30] a failed summary leaves the result and its reason", async () => {
  const summarizer = scriptedSummarizer([{ fail: "quota" }]);
  const { plain, told } = await summarized({ summarize: true }, { summarizer });
  expect(told.messages).toBe(plain.messages);
  expect(told.report.summary?.failure).toBe("The summarizer scripted failed (quota): no summary came.");
  expect(told.state.summarizer?.cooldowns).toHaveLength(1);
});

test("a must-keep for which the summary left no room is put before it", () => {
  const story = Array.from({ length: 200 }, (_, at) => `The story went on and on, ${at}.`);
  const { told } = narrated(600, {}, ...story, "src/parser.ts: edited");
  expect(told.conversation.messages.map(textOfMessage).join("\n")).toContain("src/parser.ts");
  expect(told.report.summary?.summarizer).toBe("scripted");
});

test("[R30] a summary for which the hand-off has no room leaves the result and says so", () => {
  const { plain, told } = narrated(600, {}, "A line without an end. ".repeat(400));
  expect(told.messages).toBe(plain.messages);
  expect(told.report.summary?.failure).toContain("no room");
  expect(told.report.summary?.summarizer).toBeUndefined();
});

test("[R30] a narrative that cannot be told costs nothing", () => {
  const { plain, told } = narrated(600, {}, null as unknown as string);
  expect(plain.report.compacted).toBe(true);
  expect(told.messages).toBe(plain.messages);
  expect(told.report.summary).toMatchObject({ putBack: 0, failure: expect.any(String) });
});

test("[R32] a cooldown that began while a summary was written is not overwritten by it", () => {
  const cooldown = {
    summarizer: "x",
    until: 900,
    failure: "quota",
    strikes: { quota: 1 },
    bypassed: false,
  } as const;
  const state = { ...initialState, summarizer: { cooldowns: [cooldown], attempts: { turn: 2, count: 1 } } };
  const occasion = readOccasion(input, {}, { target: 600, state }, 0);
  const plain = compactOccasion(input, occasion, () => {});
  const late = {
    story: ["The parser was fixed."],
    until: 9,
    attempts: [],
    before: initialSummarizerState,
    state: { cooldowns: [], attempts: { turn: 1, count: 0 } },
  };
  expect(withNarration(plain, late, input, occasion).state.summarizer).toEqual(state.summarizer);
});

test("[R21] a must-keep that the summary says in its own words also stands in the ledger's, once", () => {
  const { told } = narrated(
    600,
    {},
    "src/parser.ts was changed, and that was all.",
    "- src/parser.ts: edited",
  );
  const text = told.conversation.messages.map(textOfMessage).join("\n");
  expect(text.match(/src\/parser\.ts: edited/g)).toHaveLength(1);
  expect(text).toContain(
    "## Story so far\n[0] Summary by a model: src/parser.ts was changed, and that was all.\n",
  );
  expect(text.split("## State: files changed, not committed\n")[1]).toContain("src/parser.ts: edited\n");
  expect(told.report.summary).toMatchObject({ coverage: 1, putBack: 0 });
});

test("a hand-off that an earlier compaction merged into a message that stays is summarised with the rest", async () => {
  const summarizer = scriptedSummarizer(["It went on."]);
  const merged = [
    "[Pith hand-off] Past reference:",
    "## State: files changed, not committed",
    "src/early.ts: edited",
    "[End of hand-off]",
    "What is left to do?",
  ].join("\n");
  const messages = input.with(-2, { ...input.at(-2)!, content: merged });
  const compactor = createCompactor({ target: "50%", summarizer });
  const { conversation } = await compactor.compact(messages, { target: 600, summarize: true });
  expect(summarizer.calls[0]?.prompt).toContain("src/early.ts: edited");
  expect(conversation.messages.map(textOfMessage).join("\n")).toContain("\nsrc/early.ts: edited\n");
});

test("what was written stands whole, and a large newest result is told in less for it", () => {
  const printed = Array.from({ length: 120 }, (_, at) => `row ${at}: value-${at * 37}`).join("\n");
  const wire = rawConversation(
    ...input,
    user("Now list them."),
    assistant("", call("Bash", { command: "list" })),
    result(printed),
  );
  const occasion = readOccasion(wire, {}, { target: 2500 }, 0);
  const plain = compactOccasion(wire, occasion, () => {});
  expect(plain.result.conversation.messages.map(textOfMessage).join("\n")).toContain(printed);
  const story = Array.from(
    { length: 100 },
    (_, at) => `Part ${at} of the parser was looked at in src/part-${at % 12}.ts.`,
  );
  const state = initialSummarizerState;
  const narration = { story, until: 30, before: state, summarizer: "scripted", attempts: [], state };
  const told = withNarration(plain, narration, wire, occasion);
  const text = told.conversation.messages.map(textOfMessage).join("\n");
  for (const line of story) expect(text).toContain(line);
  expect(text).not.toContain(printed);
  expect(told.report.tokensAfter).toBeLessThanOrEqual(2500);
});

test("where an earlier story has no room even beside less of the newest, they still give way to it", () => {
  const story = Array.from(
    { length: 90 },
    (_, at) => `${at + 1}. Part ${at} was put into src/part-${at}.ts.`,
  );
  const handoff = `[Pith hand-off] Past reference:\n## Story so far\n[0] Earlier summary: ${story.join("\n")}\n(goes on below)\n[End of hand-off]`;
  const printed = Array.from({ length: 120 }, (_, at) => `row ${at}: value-${at * 37}`).join("\n");
  const roomIn = (rows: string) => {
    const wire = rawConversation(
      user(handoff),
      ...input.slice(1),
      user("Now list them."),
      assistant("", call("Bash", { command: "list" })),
      result(rows),
    );
    return draftFor(readOccasion(wire, {}, { target: 1500 }, 0)).told!("reserved").handedOff!.room!;
  };
  expect(roomIn(printed).missingTokens).toBeGreaterThan(0);
  expect(roomIn(printed).tokens).toBeGreaterThan(1_000);
  expect(roomIn("none").tokens - roomIn(printed).tokens).toBeLessThan(250);
});

test("[R46] no line of a key reaches the prompt, neither in the turns nor in what stands beside the text", async () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const wire = rawConversation(
    ...Array.from({ length: 14 }, (_, at) => [
      user(`Step ${at}: fix module ${at} please.`),
      assistant(
        at === 9 ? `Here is the key we use:\n${privateKey}\nkeep it.` : "",
        call("bash", { command: `npm test ${at}` }),
      ),
      result(
        at === 9
          ? `${privateKey}\nused by deploy\n`
          : Array.from(
              { length: 25 },
              (_, line) => `file_${at}_${line}.ts passes check ${line * 37 + at}`,
            ).join("\n"),
      ),
      assistant(`Module ${at} fixed in src/mod${at}.ts by changing line ${at}.`),
    ]).flat(),
    user("Go on."),
  );
  const summarizer = scriptedSummarizer(["The modules were fixed."]);
  const occasion = readOccasion(wire, {}, { target: 4500 }, 0);
  const plain = compactOccasion(wire, occasion, () => {});
  await withSummary(plain, wire, occasion, { summarize: true }, { summarizer });
  const { prompt } = summarizer.calls[0]!;
  const lines = privateKey.trim().split("\n").slice(1, -1);
  expect(lines.filter((line) => prompt.includes(line))).toEqual([]);
});

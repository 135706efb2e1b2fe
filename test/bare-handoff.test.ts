/** The bare form: a hand-off is its prefix and what a model wrote, or the story, byte for byte and nothing around it (F93). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryArchive } from "../src/archive/memory.ts";
import { SUMMARY_PREFIX } from "../src/conversation/handoffs/prefixes.ts";
import { type CompactorOptions, createCompactor } from "../src/index.ts";
import { assistant, user, type WireMessage } from "../src/testing/builders.ts";
import { createModelServer, type ModelServer } from "../src/testing/model-server.ts";
import { scriptedSummarizer } from "../src/testing/scripted-summarizer.ts";
import { constraints, knownSession, latestAsk } from "./known-session.ts";
import { signs } from "./planner-signs.ts";
import { runPith } from "./run-pith.ts";

/** Markdown, signs of our own hand-offs, a blank line, and a file that nobody knows. */
const told = [
  "## Done",
  "",
  "> The user wanted the refunds fixed.",
  "* Changed src/billing/refund.ts, see [SUMMARY]",
  "= Wrote src/made/up_7.ts.",
  "§ Always push.",
].join("\n");

function summarizing(...texts: readonly string[]): Pick<CompactorOptions, "summarizer" | "clock"> {
  return { summarizer: scriptedSummarizer(texts), clock: () => 0 };
}

const textsOf = (messages: unknown): readonly string[] =>
  (messages as readonly WireMessage[]).map(({ content }) => String(content ?? ""));

for (const [preset, prefix] of [
  ["factor3", "[SUMMARY]: "],
  ["hermes", `${SUMMARY_PREFIX}\n`],
  ["balanced", "[Pith hand-off] Past reference:\n"],
] as const) {
  test(`[F93] under ${preset} it is the prefix and the model's text, byte for byte, and what the audit found is in the Report`, async () => {
    const compactor = createCompactor({ target: 3_500, preset, handoff: "bare", ...summarizing(told) });
    const { messages, report } = await compactor.compact(knownSession, { summarize: true });
    expect(report.error).toBeUndefined();
    expect(report.tokensAfter).toBeLessThanOrEqual(3_500);
    const texts = textsOf(messages);
    expect(texts.filter((text) => text.includes("## Done"))).toEqual([prefix + told]);
    expect(texts).toContain(latestAsk);
    expect(report.summary).toMatchObject({ invented: ["src/made/up_7.ts"], struck: 0, putBack: 0 });
    expect(report.summary?.missing).toContain("npm test -- refund → failed");
    expect(report.mustKeeps).toBeUndefined();
  });

  test(`[F93] under ${preset} without a model the story follows the prefix directly`, async () => {
    const compactor = createCompactor({ target: 2_500, preset, handoff: "bare" });
    const { messages, report } = await compactor.compact(knownSession);
    expect(report.error).toBeUndefined();
    const [handoff = ""] = textsOf(messages).filter((text) => text.startsWith(prefix));
    const lines = handoff.slice(prefix.length).split("\n");
    expect(lines.filter((line) => !/^(?:[>=*~<|] | )/.test(line))).toEqual([]);
    expect(lines[0]).toMatch(/^[>=*] /);
  });
}

test("[F93] what the user asked last stays a message, and what the summary is read back as is a summary", async () => {
  const summarizer = scriptedSummarizer([told, "The refund work went on."]);
  const compactor = createCompactor({ target: 1_500, preset: "factor3", handoff: "bare", summarizer });
  const first = await compactor.compact(knownSession, { summarize: true });
  const { messages: grown } = first;
  const more = Array.from({ length: 12 }, (_, at) => [
    user(`Is part ${at} of the refund job idempotent?`),
    assistant(`Part ${at} is. ${"I looked at how often it is called, and with which keys. ".repeat(12)}`),
  ]).flat();
  const { messages, report } = await compactor.compact([...grown!, ...more, user("Go on.")], {
    summarize: true,
    state: first.state,
    target: 1_200,
  });
  expect(report.error).toBeUndefined();
  const texts = textsOf(messages);
  expect(texts.filter((text) => text.startsWith("[SUMMARY]: "))).toEqual([
    "[SUMMARY]: The refund work went on.",
  ]);
  expect(texts.at(-1)).toBe("Go on.");
  expect(JSON.stringify(summarizer.calls[1])).toContain("Changed src/billing/refund.ts, see");
  // A rule that a model wrote is nobody's rule.
  const framed = createCompactor({ target: 900, preset: "factor3+complex" });
  const again = await framed.compact(grown, { state: first.state });
  expect(textsOf(again.messages).join("\n")).toContain("Always push.");
  expect(signs.rules(again.conversation.messages).join("\n")).not.toContain("Always push.");
});

test("[F93] a story in bare form is read back as what it is, by the state, and each line is there once", async () => {
  const compactor = createCompactor({ target: 2_500, preset: "factor3", handoff: "bare" });
  let { messages, state } = await compactor.compact(knownSession);
  for (let round = 0; round < 3; round++) {
    const grown = [...(messages as readonly WireMessage[]), user(`And part ${round}?`)];
    ({ messages, state } = await compactor.compact(grown, { state, target: 1_600 - round * 200 }));
    const [handoff = ""] = textsOf(messages).filter((text) => text.startsWith("[SUMMARY]: "));
    expect(handoff).toContain(`> Refunds are paid twice when the webhook retries.`);
    expect(handoff).not.toMatch(/» |[>=*] [>=*] /);
    expect(handoff.split(constraints[0]).length).toBeLessThanOrEqual(2);
  }
});

test("[F93] what was handed off is archived under an id that the Report names, and the tools open it", async () => {
  const archive = memoryArchive();
  const compactor = createCompactor({ target: 2_500, preset: "hermes+bare", archive, ...summarizing(told) });
  const { messages, report } = await compactor.compact(knownSession, {
    summarize: true,
    conversationId: "c",
  });
  expect(textsOf(messages).join("\n")).not.toMatch(/pith:\w{12}#|Numbers 1 to/);
  expect(report.opens).toMatch(/^pith:/);
  const { run } = await compactor.tools(messages, { conversationId: "c" });
  expect(await run("recall_expand", { id: report.opens })).toContain("Backfill refunds of order W2378156");
});

test("[F93] bare needs a prefix: the text form has none, and no other form is an option", () => {
  expect(() => createCompactor({ target: 900, preset: "synthorg", handoff: "bare" })).toThrow(/"hermes"/);
  expect(() => createCompactor({ target: 900, handoff: "naked" as "bare" })).toThrow(/handoff/);
});

let server: ModelServer;
beforeAll(async () => {
  server = await createModelServer({ reply: () => ({ type: "say", text: told }) });
});
afterAll(() => server.close());

test("[F93] --handoff bare does the same on the command line, and anything else is refused", async () => {
  const summarizer = ["--summarizer", `${server.url}/v1`, "--summarizer-model", "m"];
  const file = "examples/coding-session.json";
  const { exitCode, stdout, stderr } = await runPith(
    ["compact", file, "--target", "20%", "--preset", "factor3", "--handoff", "bare", ...summarizer],
    { environment: { PITH_SUMMARIZER_KEY: "k" } },
  );
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/summary by m .*said nowhere, 2 invented specifics in it/);
  expect(textsOf(JSON.parse(stdout))).toContain(`[SUMMARY]: ${told}`);
  const wrong = await runPith(["compact", file, "--target", "20%", "--handoff", "framed"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("--handoff framed: give bare")]);
});

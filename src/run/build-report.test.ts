import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { readConversation } from "../providers/detect.ts";
import { assistant, call, rawConversation, result, system, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { failureReport } from "./build-report.ts";
import { readOccasion } from "./occasion.ts";

const counter = createTokenCounter();
const log = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `12:00:${at % 60} INFO worker ${at} finished its share`).join(
    "\n",
  );
const messages = rawConversation(
  system("Be brief."),
  user("Run it."),
  assistant("", call("bash", { command: "make" })),
  result(log(300)),
  assistant("It ran."),
  ...Array.from({ length: 12 }, (_, at) => [user(`Ask ${at}.`), assistant(`Say ${at}. `.repeat(20))]).flat(),
);

test("[F1] each stage's saving is a share of what came in, and together they are the whole saving", async () => {
  const { report } = await createCompactor({ target: "50%" }).compact(messages, { target: "55%" });
  expect(report.stages.length).toBeGreaterThan(0);
  const saved = report.stages.reduce((sum, stage) => sum + stage.tokensSaved, 0);
  expect(saved).toBe(report.tokensBefore - report.tokensAfter);
  for (const { tokensSaved, ratioSaved } of report.stages) {
    expect(ratioSaved).toBe(tokensSaved / report.tokensBefore);
  }
});

test("says of every message that came in whether it stayed, changed or went, and why", async () => {
  const { report, conversation } = await createCompactor({ target: "50%" }).compact(messages, {
    target: "20%",
  });
  expect(report.messages.map(({ position }) => position)).toEqual(messages.map((_, at) => at));
  const { messages: before } = readConversation(messages);
  for (const each of report.messages) {
    const now = conversation.messages.find((message) => message.position === each.position);
    expect(each.tokensBefore).toBe(counter.message(before[each.position]!));
    expect(each.tokensAfter).toBe(now ? counter.message(now) : 0);
    expect(each.fate).toBe(now ? (now.changed ? "changed" : "kept") : "removed");
    expect(each.fate === "kept").toBe(each.reason === undefined && each.stage === undefined);
  }
  expect(new Set(report.messages.map(({ fate }) => fate))).toEqual(new Set(["kept", "changed", "removed"]));
});

test("[R36] counts the must-keeps of what was handed off, and how many of them the hand-off tells", async () => {
  const edits = Array.from({ length: 40 }, (_, at) => [
    assistant("", call("Edit", { file_path: `src/part-${at}.ts` }, `e${at}`)),
    result("The file has been updated.", { id: `e${at}` }),
  ]).flat();
  const ask = user("Never touch prod.yaml. Change every part.");
  const worked = rawConversation(ask, ...edits, assistant("Done. ".repeat(8_000)), ...messages.slice(5));
  // The latest ask stays in the conversation.
  const total = 40 + 1;
  const roomy = await createCompactor({ target: "50%" }).compact(worked, { target: 8_000 });
  expect(roomy.report.mustKeeps).toEqual({ total, told: total });
  const tight = await createCompactor({ target: "50%" }).compact(worked, { target: 300 });
  expect(tight.report.mustKeeps?.total).toBe(total);
  expect(tight.report.mustKeeps?.told).toBeLessThan(total);
  expect(
    (await createCompactor({ target: "50%" }).compact(worked, { target: 90_000 })).report.mustKeeps,
  ).toBeUndefined();
});

test("a message that the hand-off touches twice counts once", async () => {
  const compactor = createCompactor({ target: "50%" });
  const once = (await compactor.compact(messages, { target: "20%" })).messages as typeof messages;
  const more = rawConversation(...once, ...messages.slice(5));
  const { report, plan } = await compactor.compact(more, { target: "40%" });
  for (const [at, { messages: touched }] of report.stages.entries()) {
    const positions = plan.steps[at]!.edits.flatMap((edit) =>
      edit.kind === "insert" ? [] : [edit.position],
    );
    expect(touched).toBe(new Set(positions).size);
  }
});

test("sizes are of the whole request beside what the target counts, and the cost follows them", async () => {
  const { report, conversation } = await createCompactor({ window: 20_000 }).compact(messages, {
    target: "30%",
  });
  expect(report).toMatchObject({
    window: 20_000,
    format: "openai-chat",
    encoding: "o200k_base",
    exact: true,
  });
  const before = readConversation(messages);
  expect(report.promptTokensBefore).toBe(counter.conversation(before));
  expect(report.promptTokensAfter).toBe(counter.conversation(conversation));
  expect(report.tokensBefore).toBe(report.promptTokensBefore - counter.message(before.messages[0]!));
  expect(report.messagesBefore).toBe(messages.length);
  expect(report.messagesAfter).toBe(conversation.messages.length);
  expect(report.targetTokens).toBe(Math.floor(report.tokensBefore * 0.3));
  expect(report.cost.after).toBeGreaterThan(0);
});

test("nothing done costs what it cost", async () => {
  const { report } = await createCompactor({ target: "50%" }).compact(messages, { target: "100%" });
  expect(report).toMatchObject({ compacted: false, stages: [], messages: [] });
  expect(report.promptTokensAfter).toBe(report.promptTokensBefore);
  expect(report.tokensAfter).toBe(report.tokensBefore);
  expect(report.cost.after).toBeCloseTo(report.cost.before);
  expect(report.targetTokens).toBeUndefined();
});

test("a failure is reported with what is known: sizes when it was read, nothing when not", () => {
  const error = new CompactionError("COMPACTION_FAILED", "It broke.");
  const unread = failureReport(error, "balanced", undefined);
  expect(unread).toMatchObject({
    error,
    reason: "It broke.",
    format: "unknown",
    messagesBefore: 0,
    compacted: false,
  });
  const occasion = readOccasion(messages, {}, { target: "30%" }, 0);
  const read = failureReport(error, "balanced", occasion);
  expect(read).toMatchObject({
    error,
    reason: "It broke.",
    compacted: false,
    messagesBefore: messages.length,
  });
  expect(read.tokensAfter).toBe(read.tokensBefore);
});

/** What a preset's source protects yields to the window, or to a target that was given, and to nothing else (F91). The engine keeps it so. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  assistant,
  call,
  rawConversation,
  result,
  user,
  type WireMessage,
} from "../../src/testing/builders.ts";

vi.hoisted(() => {
  process.env.PITH_ENGINE = "1";
});
const { inTemporaryFolder, runPith } = await import("../run-pith.ts");
const { baseAt } = await import("./at-threshold.ts");
const { compactAt, prose, sizeOfTalk, talk } = await import("./talk.ts");

type Compacted = Awaited<ReturnType<typeof compactAt>>;

/** The positions of what came out as it came in. */
function whole(messages: readonly unknown[], { messages: output }: Compacted): readonly number[] {
  const out = new Set((output as readonly unknown[]).map((message) => JSON.stringify(message)));
  return messages.flatMap((message, at) => (out.has(JSON.stringify(message)) ? [at] : []));
}

function yielded({ report }: Compacted): readonly string[] {
  return report.messages.flatMap(({ position, fate, yieldsTo }) =>
    yieldsTo === undefined ? [] : [`${position} ${fate}: ${yieldsTo}`],
  );
}

const lines = (name: string, tokens: number) =>
  Array.from({ length: tokens / 8 }, (_, at) => `${name} row ${at} of table has value ${at * 7}`).join("\n");

test("[F91] a target of the preset's own is exceeded for what it protects, and nothing of it yields while the window holds it", async () => {
  for (const [preset, at, first, last, each] of [
    ["hermes", 0.85, 3, 4, 2_400],
    ["factor3", 0.5, 0, 3, 4_000],
    ["gptme", 0.5, 1, 3, 4_000],
  ] as const) {
    const messages = [...talk(17, 200), ...talk(17 + last, each).slice(17)];
    const base = baseAt(at, sizeOfTalk(messages));
    const compacted = await compactAt(preset, base, messages);
    const { report, plan } = compacted;
    const ends = [...messages.keys()].filter((place) => place < first || place >= messages.length - last);
    expect(sizeOfTalk(ends.map((place) => messages[place]))).toBeGreaterThan(report.targetTokens!);
    expect(plan.steps.at(-1)?.stage).toBe("hand-off");
    expect(whole(messages, compacted)).toEqual(ends);
    expect(yielded(compacted)).toEqual([]);
    expect(report.tokensAfter).toBeLessThanOrEqual(base);
  }
});

/** A head and a middle of talk, and two results among the last 4 messages of hermes. */
function work(sizes: readonly [number, number]): readonly WireMessage[] {
  return rawConversation(
    ...talk(15, 120),
    assistant("", call("list_tables", {}, "a"), call("read_table", {}, "b")),
    result(lines("first", sizes[0]), { id: "a" }),
    result(lines("second", sizes[1]), { id: "b" }),
    user("Now count them, please."),
  );
}

test("[F91] to the window one message yields at a time: the largest result, shown in less", async () => {
  const messages = work([1_600, 2_400]);
  for (const [window, expected] of [
    [4_800, []],
    [4_000, ["17 changed: window"]],
    [1_600, ["16 changed: window", "17 changed: window"]],
  ] as const) {
    const compacted = await compactAt("hermes", window, messages);
    expect([compacted.report.compacted, compacted.report.error]).toEqual([true, undefined]);
    expect(yielded(compacted)).toEqual(expected);
    expect(whole(messages, compacted)).toEqual(
      [0, 1, 2, 15, 16, 17, 18].filter((at) => !expected.some((each) => each.startsWith(`${at} `))),
    );
    expect(sizeOfTalk(compacted.messages as readonly unknown[])).toBeLessThanOrEqual(window);
  }
});

test("[F91] a target that was given is a hard ceiling: what is protected goes from the oldest on, the newest user message last", async () => {
  const messages = talk(19, 200);
  const order = [0, 1, 2, 15, 16, 17];
  const size = sizeOfTalk(messages.slice(0, 1));
  for (const stays of [1, 3, 4, 6]) {
    const target = Math.round((stays + 0.75) * size) + 60;
    const compacted = await compactAt("hermes", 1_000_000, messages, { target });
    expect(compacted.report.error).toBeUndefined();
    expect(sizeOfTalk(compacted.messages as readonly unknown[])).toBeLessThanOrEqual(target);
    const gone = order.slice(0, yielded(compacted).length);
    expect(yielded(compacted)).toEqual(gone.map((at) => `${at} removed: target`));
    expect(gone.length).toBeGreaterThan(0);
    expect(whole(messages, compacted)).toContain(18);
  }
});

test("[F91] the command line and the session log name each protected message that yielded, and why", async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, "talk.json");
    const log = join(folder, "SESSION_LOG.md");
    writeFileSync(file, JSON.stringify(talk(19, 200)));
    const { exitCode, stderr } = await runPith([
      ...["compact", file, "--preset", "hermes", "--target", "900", "--session-log", log],
    ]);
    expect(exitCode).toBe(0);
    const line =
      /^Protected message 0 \(user, \d+ tokens\) was handed off: the target has no room for it\.$/m;
    expect(stderr).toMatch(line);
    expect(readFileSync(log, "utf8")).toMatch(line);
    expect(stderr).not.toContain("Protected message 18");
  });
});

test("[F91] a size that the provider refused tells nothing of the window, so what is protected yields to the target", async () => {
  const messages = work([1_600, 2_400]);
  const { report } = await compactAt("hermes", 8_000, messages, { force: "overflow" });
  expect(report.compacted).toBe(true);
  expect(report.tokensAfter).toBeLessThanOrEqual(report.targetTokens!);
});

test("what is protected has the hand-off beside it, and nothing is added to it", async () => {
  const messages = [...talk(12, 60), user(prose("ask", 60))];
  const compacted = await compactAt("hermes", baseAt(0.85, sizeOfTalk(messages)), messages);
  expect(whole(messages, compacted)).toEqual([0, 1, 2, 9, 10, 11, 12]);
});

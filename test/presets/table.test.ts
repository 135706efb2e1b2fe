/** Every number of every preset, written down anew from its source, and seen at the preset's own threshold. */
import { expect, test } from "vitest";
import { memoryArchive } from "../../src/archive/memory.ts";
import { SUMMARY_PREFIX } from "../../src/conversation/handoffs/prefixes.ts";
import { SYSTEM_NOTE } from "../../src/plan/system-note.ts";
import type { PresetExpression } from "../../src/policy/presets.ts";
import { initialState } from "../../src/state/compaction-state.ts";
import {
  assistant,
  call,
  rawConversation,
  result,
  scriptedSummarizer,
  system,
  user,
  type WireMessage,
} from "../../src/testing/index.ts";
import { thousands } from "../../src/tokens/number-words.ts";
import { signs } from "../planner-signs.ts";
import { baseAt } from "./at-threshold.ts";
import { compactAt, NOW, prose, sizeOfTalk, talk, wordCounter, words } from "./talk.ts";

/** At which share, doing what, coming back to which share. */
const triggers = {
  balanced: { at: 0.75, action: "hand-off", target: 0.35 },
  gptme: { at: 0.5, action: "extract", target: 0.35 },
  factor3: { at: 0.5, action: "hand-off", target: 0.35 },
  hermes: { at: 0.85, action: "hand-off", target: 0.5 },
  "hermes-lean": { at: 0.75, action: "hand-off", target: 0.25 },
  synthorg: { at: 0.8, action: "hand-off", target: 0.5 },
  "synthorg-agent": { at: 0.95, action: "safety net", target: 0.5 },
  deepagents: { at: 0.85, action: "hand-off", target: 0.5 },
  "synthorg+degraded": { at: 0.7, action: "hand-off", target: 0.5 },
  "factor3+degraded": { at: 0.4, action: "hand-off", target: 0.35 },
} as const;

/** Every threshold is in force only for a conversation that was compacted before, in balanced. */
const again = { state: { ...initialState, compactions: 1 } };

for (const [preset, { at, action, target }] of Object.entries(triggers)) {
  test(`[F12 F22 F54 F62 F76 F85 F89] ${preset} acts at ${at * 100} % of its base, not a token before, and comes back to ${target * 100} %`, async () => {
    const messages = talk(18, 60);
    const tokens = sizeOfTalk(messages);
    const base = baseAt(at, tokens);
    const log: string[] = [];
    const sessionLog = { sessionLog: (line: string) => log.push(line) };
    const early = await compactAt(preset as PresetExpression, base + 1, messages, again);
    expect([early.report.compacted, early.messages]).toEqual([false, messages]);
    const { report } = await compactAt(preset as PresetExpression, base, messages, again, sessionLog);
    expect([report.compacted, report.error]).toEqual([true, undefined]);
    const numbers = `${thousands(tokens)} of ${thousands(base)} tokens`;
    expect(report.reason).toContain(numbers);
    expect(report.reason).toContain(action);
    expect(report.base).toBe(base);
    expect(report.targetTokens).toBe(Math.floor(target * base + 1e-6));
    expect(log.join("")).toContain(`- Pre-summarization: ${thousands(tokens)} / ${thousands(base)} (`);
  });
}

test.each([
  ["balanced", 0.9, "trim", "hand-off"],
  ["gptme", 0.9, "hand-off", "extract"],
  ["factor3", 0.8, "trim", "hand-off"],
  ["factor3+degraded", 0.7, "trim", "hand-off"],
] as const)("[F38] %s does more from %d on: %s", async (preset, at, more, less) => {
  const messages = talk(18, 60);
  const base = baseAt(at, sizeOfTalk(messages));
  expect((await compactAt(preset, base + 1, messages, again)).report.reason).toContain(`(${less})`);
  expect((await compactAt(preset, base, messages, again)).report.reason).toContain(`(${more})`);
});

test.each(Object.entries(triggers))(
  "a system prompt costs the messages of %s its whole size, of balanced its part alone",
  async (preset, { at, target }) => {
    const messages = [system(prose("rule", 104)), ...talk(28, 60)];
    const base = baseAt(at, sizeOfTalk(messages));
    const { report } = await compactAt(preset as PresetExpression, base, messages, again);
    const paid = preset === "balanced" ? (0.35 / 0.75) * 104 : 104;
    expect(report.targetTokens).toBe(Math.floor(target * base - paid + 1e-6));
  },
);

test("[F17] balanced waits for the whole budget the first time", async () => {
  const messages = talk(18, 60);
  const tokens = sizeOfTalk(messages);
  expect((await compactAt("balanced", tokens + 1, messages)).report.compacted).toBe(false);
  expect((await compactAt("balanced", tokens, messages)).report.compacted).toBe(true);
});

test("[F40] factor3 summarises from 21 messages and trims from 31, whatever the fill", async () => {
  const reason = async (count: number) =>
    (await compactAt("factor3", 100_000, talk(count, 60))).report.reason;
  expect(await reason(20)).toContain("with more than 20 messages (now 20)");
  expect(await reason(21)).toContain("21 messages, and the preset allows 20 (hand-off)");
  expect(await reason(30)).toContain("30 messages, and the preset allows 20 (hand-off)");
  expect(await reason(31)).toContain("31 messages, and the preset allows 30 (trim)");
});

/** What stands, as positions of what came in; `H` is the hand-off, `-` a bridge. */
async function stands(preset: PresetExpression, messages: readonly WireMessage[], at: number) {
  const {
    messages: output,
    report,
    plan,
  } = await compactAt(preset, baseAt(at, sizeOfTalk(messages)), messages);
  expect([report.compacted, report.error]).toEqual([true, undefined]);
  const came = messages.map((message) => JSON.stringify(message));
  const places = (output as readonly WireMessage[]).map((message) => {
    const place = came.indexOf(JSON.stringify(message));
    if (place >= 0) return place;
    return String(message.content).includes("[End of hand-off]") ? `H ${message.role}` : `- ${message.role}`;
  });
  return { places, output: output as readonly WireMessage[], stages: plan.steps.map(({ stage }) => stage) };
}

const terse = system("You are terse.");

test("[F26 F27 F30] factor3 keeps the system prompt and 3 messages under its assistant's [SUMMARY]:, and does nothing else", async () => {
  const { places, output, stages } = await stands("factor3", [terse, ...talk(17, 60)], 0.5);
  expect(places).toEqual([0, "H assistant", 15, 16, 17]);
  expect(output[1]!.content).toMatch(/^\[SUMMARY\]: /);
  expect(stages).toEqual(["hand-off"]);
});

test("[F71] factor3+degraded keeps 2, and synthorg+degraded 4", async () => {
  expect((await stands("factor3+degraded", talk(18, 60), 0.4)).places.slice(1)).toEqual([16, 17]);
  expect((await stands("synthorg+degraded", talk(18, 60), 0.7)).places.slice(1)).toEqual([14, 15, 16, 17]);
});

test("[F41 F44 F50] hermes keeps the first 3 and the last 4 under its prefix, in a role that alternates, and notes it", async () => {
  const { places, output, stages } = await stands("hermes", [terse, ...talk(18, 60)], 0.85);
  expect(places).toEqual(["- system", 1, 2, 3, "H assistant", 15, 16, 17, 18]);
  expect(output[0]!.content).toBe(`You are terse.\n\n${SYSTEM_NOTE}`);
  expect(output[4]!.content).toContain(`${SUMMARY_PREFIX}\n`);
  expect(stages).toEqual(["hand-off"]);
  // Where neither role fits, a short word of the assistant's stands between.
  const odd = await stands("hermes", talk(19, 60), 0.85);
  expect(odd.places).toEqual([0, 1, 2, "- assistant", "H user", 15, 16, 17, 18]);
});

test("[R45] hermes keeps its head again the next time, hermes-lean does not", async () => {
  const messages = talk(18, 60);
  const kept = async (preset: "hermes" | "hermes-lean", at: number) => {
    const base = baseAt(at, sizeOfTalk(messages));
    const { messages: output } = await compactAt(preset, base, messages, again);
    return (output as readonly WireMessage[]).filter(({ content }) => /^m[0-2] /.test(String(content)))
      .length;
  };
  expect([await kept("hermes", 0.85), await kept("hermes-lean", 0.75)]).toEqual([3, 0]);
});

test("a hand-off may have all of the target that nothing else takes", async () => {
  const messages = talk(200, 60);
  const base = baseAt(0.85, sizeOfTalk(messages));
  const { messages: output, report } = await compactAt("hermes", base, messages);
  const handoff = (output as readonly WireMessage[]).find(({ content }) =>
    String(content).includes("[End of hand-off]"),
  );
  expect(words(String(handoff?.content))).toBeGreaterThan(0.92 * report.targetTokens!);
});

test("[F57 F58] synthorg keeps 3 turn pairs under a system message with the text summary", async () => {
  const { places, output, stages } = await stands("synthorg", [terse, ...talk(18, 60)], 0.8);
  expect(places).toEqual([0, "H system", 13, 14, 15, 16, 17, 18]);
  expect(output[1]!.content).toMatch(/^\[Archived 12 messages\. Summary of prior work: m1 looked/);
  expect(stages).toEqual(["hand-off"]);
  const agent = await stands("synthorg-agent", [terse, ...talk(18, 60)], 0.95);
  expect(agent.places).toEqual([0, "H system", 13, 14, 15, 16, 17, 18]);
});

test("[F62] deepagents fills a tenth of the window with whole messages", async () => {
  const messages = talk(174, 30);
  const { places, stages } = await stands("deepagents", messages, 0.85);
  const recent = Math.floor((0.1 * baseAt(0.85, sizeOfTalk(messages))) / 30);
  expect(recent).toBe(20);
  expect(places).toHaveLength(recent + 1 + places.filter((place) => String(place).startsWith("-")).length);
  expect(places.slice(-recent)).toEqual(messages.map((_, at) => at).slice(-recent));
  expect(stages).toEqual(["hand-off"]);
});

test("[F50] hermes-lean keeps the first 3 and at least the last 3 messages", async () => {
  const messages = talk(20, 3_900);
  const base = baseAt(0.75, sizeOfTalk(messages));
  const { messages: output } = await compactAt("hermes-lean", base, messages);
  const kept = (output as readonly WireMessage[]).map((message) => messages.indexOf(message as never));
  const texts = (output as readonly WireMessage[]).map(({ content }) => content);
  const places = messages.flatMap(({ content }, at) => (texts.includes(content) ? [at] : []));
  expect(kept.length).toBeGreaterThan(0);
  expect(places).toEqual([0, 1, 2, 17, 18, 19]);
});

/** The tail, the threshold and the comeback of hermes-lean follow the window. */
test.each([
  { window: 32_000, tail: 6_400, trigger: 0.75 * 31_000, target: 0.25 * 31_000 },
  { window: 200_000, tail: 10_000, trigger: 0.75 * 199_000, target: 0.25 * 199_000 },
  { window: 505_000, tail: 12_625, trigger: 256_000, target: 256_000 / 3 },
  { window: 520_000, tail: 13_000, trigger: 256_000, target: 128_000 },
  { window: 1_100_000, tail: 25_000, trigger: 256_000, target: 128_000 },
])("hermes-lean in a window of $window", async ({ window, tail, trigger, target }) => {
  const each = Math.ceil(tail / 20.5);
  const one = prose("m", each);
  const count = Math.ceil(trigger / each) + 1;
  const messages = Array.from({ length: count }, (_, at) =>
    (at % 2 === 0 ? user : assistant)(`${at} ${one}`),
  );
  const size = { window, reserve: 1_000 };
  const { report, messages: output } = await compactAt("hermes-lean", 0, messages, again, size);
  expect([report.compacted, report.targetTokens]).toEqual([true, Math.floor(target + 1e-6)]);
  const texts = new Set((output as readonly WireMessage[]).map(({ content }) => content));
  const whole = messages.filter(({ content }) => texts.has(content));
  const perMessage = sizeOfTalk(messages.slice(-1));
  expect(whole.length).toBe(Math.floor(tail / perMessage));
  const fewer = messages.slice(0, Math.floor((trigger - 1) / (perMessage + 1)) - 1);
  expect((await compactAt("hermes-lean", 0, fewer, again, size)).report.compacted).toBe(
    sizeOfTalk(fewer) >= trigger,
  );
});

test("[F85] a cap is only where a source has one: 256,000 tokens in balanced and hermes-lean", async () => {
  const each = prose("m", 4_000);
  const many = (tokens: number) =>
    Array.from({ length: Math.floor(tokens / 4_002) }, (_, at) =>
      (at % 2 === 0 ? user : assistant)(`${at} ${each}`),
    );
  const size = { window: 1_000_000, reserve: 0 };
  for (const preset of ["balanced", "hermes-lean"] as const) {
    expect((await compactAt(preset, 0, many(250_000), again, size)).report.compacted).toBe(false);
    expect((await compactAt(preset, 0, many(262_000), again, size)).report.compacted).toBe(true);
  }
  for (const preset of ["gptme", "factor3", "hermes", "synthorg", "deepagents"] as const) {
    const few = many(262_000).slice(-18);
    expect((await compactAt(preset, 0, few, again, size)).report.compacted).toBe(false);
  }
});

test("[F26 F50 F54] what stays anyway is left alone, and synthorg leaves fewer than 4 messages alone", async () => {
  const reason = async (preset: keyof typeof triggers, count: number) => {
    const messages = talk(count, 60);
    const base = baseAt(triggers[preset].at, sizeOfTalk(messages));
    return (await compactAt(preset, base, messages, again)).report.reason;
  };
  expect(await reason("factor3", 3)).toContain("3 messages, and the last 3 stay verbatim");
  expect(await reason("hermes", 7)).toContain("7 messages, and the first 3 and the last 4 stay verbatim");
  expect(await reason("synthorg", 3)).toContain("Only 3 messages: the preset leaves fewer than 4 alone");
  expect(await reason("synthorg", 4)).toContain("4 messages, and the last 6 stay verbatim");
  expect(await reason("balanced", 3)).toContain("Only 3 messages: the preset leaves fewer than 4 alone");
  expect(await reason("balanced", 4)).toContain("4 messages, and the last 4 stay verbatim");
  expect(await reason("gptme", 4)).toContain("4 messages, and the first 1 and the last 3 stay verbatim");
});

test("[R44] unless one tool result takes more than half of what a source's preset comes back to, a quarter in balanced", async () => {
  const compacted = async (preset: PresetExpression, at: number, share: number, target: number) => {
    const work = (size: number) =>
      rawConversation(user(prose("ask", 600)), assistant("", call("run")), result(prose("out", size)));
    // The result is `share` of the target, and the target `target / at` of all.
    let size = 100;
    for (let round = 0; round < 12; round++)
      size = Math.round((share * target * sizeOfTalk(work(size))) / at);
    const messages = work(size);
    const { report } = await compactAt(preset, baseAt(at, sizeOfTalk(messages)), messages, again);
    return !/stay verbatim|leaves fewer/.test(report.reason);
  };
  expect(await compacted("hermes", 0.85, 0.475, 0.5)).toBe(false);
  expect(await compacted("hermes", 0.85, 0.525, 0.5)).toBe(true);
  expect(await compacted("balanced", 0.75, 0.2375, 0.35)).toBe(false);
  expect(await compacted("balanced", 0.75, 0.2625, 0.35)).toBe(true);
});

/** Tools that take so much that a compaction can hardly save anything: only a counter of one's own has such. */
async function reclaimed(preset: PresetExpression, at: number, messages: readonly unknown[], tools: number) {
  const counter = {
    ...wordCounter,
    tools: () => tools,
    conversation: (told: Parameters<typeof wordCounter.conversation>[0]) =>
      wordCounter.conversation(told) + tools,
  };
  const base = baseAt(at, sizeOfTalk(messages) + tools);
  const { report, plan } = await compactAt(preset, base, messages, { ...again, tools: [{}] }, { counter });
  return { saved: plan.tokensBefore - plan.tokensAfter, of: plan.tokensBefore, compacted: report.compacted };
}

/** Looks for tools of such a size that the plan saves between `low` and `high`. */
async function reclaiming(
  preset: PresetExpression,
  at: number,
  messages: readonly unknown[],
  isWanted: (saved: number, of: number) => -1 | 0 | 1,
) {
  let [low, high] = [0, 80 * sizeOfTalk(messages)];
  for (let round = 0; round < 40; round++) {
    const tools = Math.floor((low + high) / 2);
    const found = await reclaimed(preset, at, messages, tools);
    const side = isWanted(found.saved, found.of);
    if (side === 0) return found.compacted;
    if (side > 0) low = tools;
    else high = tools;
  }
  throw new Error("No size saves so much.");
}

const within = (low: number, high: number) => (share: number) => (share < low ? -1 : share > high ? 1 : 0);

test("[R48] a saving must be 10 % or 4,096 tokens", async () => {
  const [preset, at] = ["hermes", 0.85] as const;
  const small = talk(40, 60);
  const share = (low: number, high: number) => (saved: number, of: number) => within(low, high)(saved / of);
  expect(await reclaiming(preset, at, small, share(0.091, 0.0995))).toBe(false);
  expect(await reclaiming(preset, at, small, share(0.1005, 0.109))).toBe(true);
  const large = talk(40, 1_600);
  expect(await reclaiming(preset, at, large, within(3_700, 4_090))).toBe(false);
  expect(await reclaiming(preset, at, large, within(4_100, 4_500))).toBe(true);
});

const sentences = (count: number, words: number) =>
  Array.from({ length: count }, (_, at) => `Point ${at} was ${"quite ".repeat(words)}plain here.`).join(" ");

/** Work of gptme: something long to extract from, at the given distance from the end. */
function reply(
  long: string,
  after: number,
  before: readonly WireMessage[] = talk(2, 300),
): readonly WireMessage[] {
  return [...before, user("Go on."), assistant(long), ...talk(after, 30)];
}

async function extracted(messages: readonly WireMessage[], at: number): Promise<string> {
  const { messages: output, report } = await compactAt("gptme", baseAt(0.5, sizeOfTalk(messages)), messages);
  expect([report.compacted, report.error]).toEqual([true, undefined]);
  return String((output as readonly WireMessage[])[at]?.content);
}

test("[F8 F13] gptme keeps 70 % of the sentences of assistant messages over 1,000 tokens from distance 3 on", async () => {
  const long = sentences(120, 4);
  const kept = (await extracted(reply(long, 3), 3)).match(/Point/g)?.length;
  expect(kept).toBe(84);
  const near = await compactAt("gptme", baseAt(0.5, sizeOfTalk(reply(long, 2))), reply(long, 2));
  expect(near.plan.steps.map(({ stage }) => stage)).toEqual(["hand-off"]);
  const sized = (tokens: number) => {
    let count = 1;
    while (sizeOfTalk([assistant(sentences(count, 4))]) < tokens) count++;
    return sentences(count, 4);
  };
  const stages = async (tokens: number) => {
    const messages = reply(sized(tokens), 3);
    const { plan } = await compactAt("gptme", baseAt(0.5, sizeOfTalk(messages)), messages);
    return plan.steps.map(({ stage }) => stage);
  };
  expect(await stages(950)).toEqual(["hand-off"]);
  expect(await stages(1_040)).toEqual(["extract-sentences"]);
});

test("[F1] gptme strips reasoning from distance 5, shapes results over 2,000 tokens, and extracts, in this order", async () => {
  const thought = `<think>${prose("why", 400)}</think>Done.`;
  const after = async (distance: number) => {
    const messages = [...talk(2, 300), user("Go on."), assistant(thought), ...talk(distance, 30)];
    const { plan } = await compactAt("gptme", baseAt(0.5, sizeOfTalk(messages)), messages);
    return plan.steps.map(({ stage }) => stage);
  };
  expect(await after(4)).toEqual(["hand-off"]);
  expect((await after(5))[0]).toBe("strip-reasoning");
  const lines = (tokens: number) => {
    let out = "";
    for (let at = 0; sizeOfTalk([user(out)]) < tokens; at++)
      out += `line ${at} of the output says ${at * 7}\n`;
    return out;
  };
  const shaped = async (tokens: number) => {
    const messages = rawConversation(
      ...talk(4, 100),
      user("Go on."),
      assistant("", call("run")),
      result(lines(tokens)),
      assistant(sentences(200, 4)),
      ...talk(4, 30),
    );
    const { plan } = await compactAt("gptme", baseAt(0.5, sizeOfTalk(messages)), messages);
    return plan.steps.map(({ stage }) => stage);
  };
  expect(await shaped(1_950)).toEqual(["extract-sentences"]);
  expect((await shaped(2_100))[0]).toBe("shape-tool-results");
});

test("[F1] gptme shapes the largest result first and leaves the others where that is enough", async () => {
  const lines = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${name} ${at} of the output says ${at * 7}`).join("\n");
  const messages = rawConversation(
    user("Go on."),
    assistant("", call("run")),
    result(lines("small", 220)),
    assistant("", call("run")),
    result(lines("large", 900)),
    ...talk(4, 900),
  );
  const { plan } = await compactAt("gptme", baseAt(0.5, sizeOfTalk(messages)), messages);
  expect(
    plan.steps.flatMap(({ edits }) => edits.map((edit) => ("position" in edit ? edit.position : -1))),
  ).toEqual([4]);
});

test("[F1] gptme hands off where the lighter stages save less than a tenth, and touches neither the first message nor the last 3", async () => {
  const long = sentences(150, 4);
  const shorter = words(await extracted(reply(long, 3), 3));
  const saved = words(long) - shorter;
  const stages = async (share: number) => {
    const others = saved / share - sizeOfTalk(reply(long, 3, []));
    const messages = reply(long, 3, [user(prose("w", Math.round(others)))]);
    const { plan } = await compactAt("gptme", baseAt(0.5, sizeOfTalk(messages)), messages);
    return plan.steps.map(({ stage }) => stage);
  };
  expect(await stages(0.105)).toEqual(["extract-sentences"]);
  expect(await stages(0.095)).toEqual(["hand-off"]);
  const { places } = await stands("gptme", talk(18, 60), 0.5);
  expect(places).toEqual([0, "- assistant", "H user", 15, 16, 17]);
});

test("[F1] gptme's lighter stages come first from 90 % on too, and it hands off where they do not reach the target", async () => {
  const lines = Array.from({ length: 700 }, (_, at) => `2026-01-01 12:00:00 INFO request ${at} was served`);
  const stages = async (last: number) => {
    const messages = rawConversation(
      ...talk(3, 100),
      assistant("", call("run")),
      result(lines.join("\n")),
      ...talk(5, last).slice(1),
    );
    const { plan } = await compactAt("gptme", baseAt(0.9, sizeOfTalk(messages)), messages);
    return plan.steps.map(({ stage }) => stage);
  };
  expect(await stages(100)).toEqual(["shape-tool-results"]);
  expect((await stages(1_500)).at(-1)).toBe("hand-off");
});

test("gptme waits 60 s between two attempts", async () => {
  const messages = talk(18, 60);
  const base = baseAt(0.5, sizeOfTalk(messages));
  const compacted = async (ago: number) => {
    const state = { ...initialState, lastAttemptAt: NOW - ago };
    return (await compactAt("gptme", base, messages, { state })).report.compacted;
  };
  expect([await compacted(59_999), await compacted(60_000)]).toEqual([false, true]);
});

test("[F63 F65] synthorg keeps a message with 3 groups of markers, synthorg+complex one with 1", async () => {
  const doubts = ["Wait. ", "Wait, perhaps. ", "Wait, perhaps I was wrong. "];
  const messages = talk(60, 60).map((message, at) =>
    [3, 5, 7].includes(at) ? assistant(doubts[(at - 3) / 2]! + message.content) : message,
  );
  const kept = async (preset: PresetExpression) =>
    (await stands(preset, messages, 0.8)).places.filter((place) => [3, 5, 7].includes(place as number));
  expect(await kept("synthorg")).toEqual([7]);
  expect(await kept("synthorg+complex")).toEqual([3, 5, 7]);
  expect(await kept("synthorg+deliberative")).toEqual([3, 5, 7]);
});

test.each(["deepagents", "balanced"] as const)(
  "[F62] %s sends results over 20,000 tokens to the archive as they arrive",
  async (preset) => {
    const arrives = async (tokens: number) => {
      const out = Array.from({ length: tokens / 5 }, (_, at) => `row ${at} has value ${at}`).join("\n");
      const messages = rawConversation(user("Go."), assistant("", call("run")), result(out));
      const { messages: output } = await compactAt(
        preset,
        1_000_000,
        messages,
        {},
        { archive: memoryArchive() },
      );
      return JSON.stringify(output) !== JSON.stringify(messages);
    };
    expect([await arrives(19_000), await arrives(21_000)]).toEqual([false, true]);
  },
);

test("balanced strips old reasoning where that is enough, and shapes large results before it hands off", async () => {
  const stages = async (middle: readonly WireMessage[], after: number) => {
    const messages = rawConversation(...talk(2, 100), user("Go on."), ...middle, ...talk(after, 30));
    const { plan } = await compactAt("balanced", baseAt(0.75, sizeOfTalk(messages)), messages, again);
    return plan.steps.map(({ stage }) => stage);
  };
  const thought = assistant(`<think>${prose("why", 900)}</think>Done.`);
  expect(await stages([thought], 5)).toEqual(["strip-reasoning"]);
  const lines = (tokens: number) =>
    Array.from({ length: tokens / 7 }, (_, at) => `2026-01-01 12:00:00 INFO request ${at} was served`).join(
      "\n",
    );
  const runs = (tokens: number) =>
    Array.from({ length: 6 }, (_, at) => [
      assistant("", call("run", { at })),
      result(lines(tokens).replaceAll("request", `request${at}`)),
    ]).flat();
  expect((await stages(runs(420), 5))[0]).toBe("shape-tool-results");
  if (!signs.hasLimits) return;
  // From distance 5, and results over 400 tokens.
  expect(await stages([thought], 4)).toEqual(["hand-off"]);
  expect(await stages(runs(378), 5)).toEqual(["hand-off"]);
});

/** The messages, of 30 tokens each, that stay whole at the end under balanced. */
async function tailOf(messages: readonly WireMessage[]): Promise<readonly WireMessage[]> {
  const base = baseAt(0.75, sizeOfTalk(messages));
  const { plan, report } = await compactAt("balanced", base, messages, again);
  expect(report.compacted).toBe(true);
  return plan.regions.recent.map((position) => messages[position]!);
}

test("balanced keeps the last turn, also where a tenth of its budget is less", async () => {
  const steps = Array.from({ length: 8 }, (_, at) => assistant(prose(`s${at}`, 34)));
  const short = [user("ask looked saw nothing"), assistant("Yes.")];
  const last = [user(prose("ask", 70)), ...steps];
  const tail = await tailOf([...talk(28, 60), ...short, ...last]);
  expect(tail.slice(-9)).toEqual(last);
  if (signs.hasLimits) expect(tail).toHaveLength(9);
});

test("[F61] balanced keeps about a tenth of its budget in whole turns; by its limits it cuts where the user turns to something else, and no further off", async () => {
  const turnedAt = async (turns: number, away: number) => {
    const messages = [...talk(2 * turns, 30)];
    const wanted = Math.ceil(turns / 7.5);
    const at = messages.length - 2 * (wanted - away);
    messages[at] = user(
      `Translate marmalade recipes into Portuguese ${"bitter orange peel ".repeat(7)}`.trim(),
    );
    const tail = await tailOf(messages);
    expect(tail[0]!.role).toBe("user");
    // A quarter more or less, and no more than that.
    expect(sizeOfTalk(tail)).toBeGreaterThanOrEqual((0.75 * 0.1 * sizeOfTalk(messages)) / 0.75);
    return tail.length;
  };
  const lengths = [await turnedAt(127, 4), await turnedAt(142, 5)];
  if (signs.hasLimits) expect(lengths).toEqual([2 * 13, 2 * 19]);
});

test("[F25 F45 F46 F48 F78] each preset asks in its source's words and for its source's size", async () => {
  const prompt = async (preset: PresetExpression, at: number, each = 800, window?: number) => {
    const messages = talk(16, each);
    const summarizer = scriptedSummarizer(["Nothing happened."]);
    const base = baseAt(at, sizeOfTalk(messages));
    const call = { ...again, summarize: true };
    const size = window === undefined ? {} : { window, reserve: 1_000 };
    await compactAt(preset, base, messages, call, { summarizer, ...size });
    return summarizer.calls[0]?.prompt ?? "";
  };
  expect(await prompt("factor3", 0.5)).toMatch(
    /^Summarize the following conversation, preserving:\n- Key decisions made\n- Unresolved issues\n- Current task state\nBe concise\.\n/,
  );
  expect(await prompt("hermes", 0.85)).toMatch(
    /^Summarize these conversation turns concisely\. This summary will replace these turns[\s\S]*Target ~500 tokens\.\n/,
  );
  expect(await prompt("synthorg", 0.8)).toMatch(
    /current task progress, key findings so far, unresolved questions, next steps[\s\S]*Target at most 500 tokens\.\n/,
  );
  expect(await prompt("synthorg-agent", 0.95)).toMatch(/Target at most 500 tokens\.\n/);
  for (const preset of ["balanced", "gptme", "deepagents"] as const) {
    expect(await prompt(preset, preset === "balanced" ? 0.75 : preset === "gptme" ? 0.5 : 0.85)).toMatch(
      /^An AI agent has worked for a user, and the turns below are about to leave its memory\./,
    );
  }
  expect(await prompt("hermes-lean", 0.75, 4_000, 80_000)).toMatch(/## Historical Task Snapshot/);
  /** Little stays at either end, so that nearly all of it is summarised. */
  const lean = async (tokens: number, window: number) => {
    const middle = [assistant(prose("a", 0.3 * tokens)), user(prose("b", 0.7 * tokens - 60))];
    const messages = [...talk(3, 10), ...middle, ...talk(4, 10).slice(1)];
    const summarizer = scriptedSummarizer(["Nothing happened."]);
    const call = { summarize: true, force: "manual" } as const;
    await compactAt("hermes-lean", 0, messages, call, { summarizer, window, reserve: 1_000 });
    return Number(/Target roughly (\d+) tokens/.exec(summarizer.calls[0]?.prompt ?? "")?.[1]);
  };
  // A twentieth of the window, and never more than 10,000; below that a fifth of what is summarised, at least 2,000.
  expect(await lean(60_000, 80_000)).toBe(4_000);
  expect(await lean(140_000, 190_000)).toBe(9_500);
  expect(await lean(140_000, 240_000)).toBe(10_000);
  expect(await lean(9_500, 200_000)).toBe(2_000);
  expect(Math.abs((await lean(40_000, 200_000)) - 8_000)).toBeLessThan(50);
});

import { expect, test } from "vitest";
import type { Archive } from "./archive/archive.ts";
import { archiveItem } from "./archive/item-id.ts";
import { memoryArchive } from "./archive/memory.ts";
import { createCompactor, doorCompactor } from "./compactor.ts";
import { SUMMARY_PREFIX } from "./conversation/handoffs/prefixes.ts";
import { OptionsError } from "./errors/options-error.ts";
import { TargetUnreachableError } from "./errors/target-unreachable-error.ts";
import { UnknownWindowError } from "./errors/unknown-window-error.ts";
import { presets } from "./policy/presets.ts";
import { readConversation } from "./providers/detect.ts";
import type { CompactionEvent } from "./report/event.ts";
import type { CompactOptions, CompactorOptions } from "./run/options.ts";
import type { Result } from "./run/result.ts";
import { initialState } from "./state/compaction-state.ts";
import {
  assistant,
  call,
  rawConversation,
  result,
  system,
  user,
  type WireMessage,
} from "./testing/builders.ts";
import { readingSession } from "./testing/reading-session.ts";
import { createTokenCounter } from "./tokens/counter.ts";

const counter = createTokenCounter();
const session = readingSession;
const tokensOf = (messages: readonly WireMessage[]) => counter.conversation(readConversation(messages));

async function compact<Body>(input: Body, call: CompactOptions = {}, options: CompactorOptions = {}) {
  const events: CompactionEvent[] = [];
  const known =
    options.window === undefined && options.model === undefined ? ({ target: "50%" } as const) : {};
  const result = await createCompactor({
    onEvent: (event) => events.push(event),
    ...known,
    ...options,
  }).compact(input, call);
  return { ...result, events, types: events.map((event) => event.type) };
}

const wire = (result: Pick<Result, "messages">) => result.messages as readonly WireMessage[];
/** A window in which these messages fill so large a share of the budget. */
const windowFor = (messages: readonly WireMessage[], fill: number) => ({
  window: Math.floor(tokensOf(messages) / fill),
  reserve: 0,
});

test.each([
  [{ window: 0 }, "window"],
  [{ window: -1 }, "window"],
  [{ window: 1.5 }, "window"],
  [{ window: Number.NaN }, "window"],
  [{ reserve: -1 }, "reserve"],
  [{ window: 100, reserve: 100 }, "reserve"],
  [{ format: "morse" }, "format"],
  [{ preset: "balancd" as "balanced" }, "preset"],
  [{ preset: "balanced+degrade" as "balanced" }, "preset"],
  [{ sumarizer: "none" }, "sumarizer"],
  [{ target: "abc" as "1%" }, "target"],
  [{ target: -1 }, "target"],
  [{ model: 42 as unknown as string }, "model"],
  [{ onEvent: "log.txt" as unknown as () => void }, "onEvent"],
  [{ sessionLog: "SESSION_LOG.md" as unknown as () => void }, "sessionLog"],
])("options %j are refused at once, by name", (options, option) => {
  const create = () => createCompactor({ model: "gpt-4o", ...options });
  expect(create).toThrow(OptionsError);
  expect(create).toThrow(expect.objectContaining({ option }));
});

test("a mistyped option or modifier is told the nearest there is", () => {
  const misspelt = { model: "gpt-4o", archve: undefined } as CompactorOptions;
  expect(() => createCompactor(misspelt)).toThrow('There is no option "archve". Did you mean "archive"?');
  const degrade = () => createCompactor({ model: "gpt-4o", preset: "balanced+degrade" });
  expect(degrade).toThrow('There is no modifier "degrade". Did you mean "degraded"?');
});

test.each<[unknown, string]>([
  ["x.sqlite", 'archive is "x.sqlite"; give sqliteArchive({ file: "x.sqlite" }) of pith/archive/sqlite.'],
  ["C:\\kept\\x.sqlite", 'archive is "C:\\\\kept\\\\x.sqlite"; give'],
  ["./kept here.db", "archive is a text; give sqliteArchive({ file })"],
  ["", "archive is a text; give sqliteArchive({ file })"],
  ["hidden", "archive is a text"],
  ["aG/hidden+x.y0000000000", "archive is a text"],
  ["host=x.y password=hidden", "archive is a text"],
  ["mysql://me:hidden@db/pith", "archive is a text"],
  ["//me:hidden@db/pith", "archive is a text"],
  ["x.sqlite?key=hidden", "archive is a text"],
  ["none", "leave it out"],
  ["postgres://me:hidden@db/pith", "archive is an address; give postgresArchive({ url })"],
  [{}, "archive has no put and no get; give an Archive"],
  [memoryArchive, "give an Archive"],
])("what is no archive is refused at once: %j", (given, words) => {
  const create = () => createCompactor({ model: "gpt-4o", archive: given as Archive });
  expect(create).toThrow(OptionsError);
  expect(create).toThrow(words);
  expect(create).not.toThrow("hidden");
});

test.each([
  [null, "options", "The options of a call are null"],
  [5, "options", "give an object"],
  [{ tools: 5 }, "tools", "a list of tool definitions"],
  [{ pins: 5 }, "pins", "a list of message positions"],
  [{ requested: {} }, "requested", "a callId and a reason"],
  [{ tarqet: 100 }, "tarqet", 'Did you mean "target"?'],
  [{ force: "always" }, "force", 'force is \'always\'; it must be "manual" or "overflow".'],
  [{ force: true }, "force", 'it must be "manual" or "overflow"'],
  [{ summarize: "later" }, "summarize", 'it must be true or false or "background"'],
  [{ model: {} }, "model", "it must be a text"],
  [{ conversationId: 7 }, "conversationId", "it must be a text"],
  [{ window: 100 }, "window", "give it to createCompactor"],
  [{ preset: "hermes" }, "preset", "give it to createCompactor"],
])("the options %j of a call come back as an error that says what to do", async (given, option, words) => {
  const messages = session(3);
  const call = given as CompactOptions;
  for (const archive of [{}, { archive: memoryArchive() }]) {
    const { compact, plan, wrap } = createCompactor({ window: 1_000, ...archive });
    const { messages: output, report, state } = await compact(messages, call);
    expect([output, state]).toEqual([messages, initialState]);
    expect(report.error).toBeInstanceOf(OptionsError);
    expect(report.error).toMatchObject({ option, message: expect.stringContaining(words) });
    await expect(plan(messages, call)).rejects.toThrow(OptionsError);
    const tooLong = Object.assign(new Error("prompt is too long: 9 tokens > 8 maximum"), { status: 400 });
    await expect(wrap(() => Promise.reject(tooLong))(messages, call)).rejects.toBe(tooLong);
  }
});

test("the target of the compactor holds where a call names none, and an overflow is made smaller all the same", async () => {
  const messages = session(20);
  const { compact } = createCompactor({ target: "50%" });
  const half = (await compact(messages)).report;
  expect(half.tokensAfter).toBeLessThanOrEqual(half.tokensBefore / 2);
  expect((await compact(messages, { target: "100%" })).report.compacted).toBe(false);
  const windowed = createCompactor({ target: 1_000_000, window: 100_000 });
  expect((await windowed.compact(messages)).report.compacted).toBe(false);
  expect((await windowed.compact(messages, { force: "overflow" })).report.compacted).toBe(true);
  const tight = createCompactor({ target: 1_000, window: 100_000 });
  const forced = { force: "overflow" } as const;
  expect((await tight.compact(messages, forced)).report.tokensAfter).toBeLessThanOrEqual(1_000);
  const unreachable = createCompactor({ target: 1, window: 100_000 });
  expect((await unreachable.compact(messages, forced)).report.compacted).toBe(true);
});

test("nothing to do gives the very input and the state it came with", async () => {
  const messages = session(1);
  const { messages: output, report, plan, state, types } = await compact(messages, {}, { window: 100_000 });
  expect(output).toBe(messages);
  expect(report).toMatchObject({ compacted: false, messages: [], stages: [] });
  expect(report.reason).toMatch(/^Not due/);
  expect(plan.steps).toEqual([]);
  const planned = await createCompactor({ window: 100_000 }).plan(messages);
  expect(planned).toMatchObject({ steps: [], reason: report.reason, targetTokens: planned.tokensBefore });
  expect(state).toEqual(initialState);
  expect(types).toEqual(["compaction-skip", "compaction-end"]);
});

test("a request whose input is one text is read, and comes back as it came", async () => {
  const body = { model: "gpt-5", instructions: "Be brief.", input: "hello there" };
  for (const input of [body, JSON.stringify(body)]) {
    const result = await createCompactor({ window: 100_000 }).compact(input);
    expect(result.report.error).toBe(undefined);
    expect(result.body).toBe(input);
    expect(result.conversation.messages.map(({ role }) => role)).toEqual(["system", "user"]);
  }
});

test.each([
  ["no messages", []],
  ["only a system prompt", [system("Be brief.")]],
])("%s is left alone, whoever asks", async (_, messages) => {
  const calls: readonly CompactOptions[] = [{}, { force: "manual" }, { force: "overflow" }, { target: 10 }];
  for (const call of calls) {
    const { messages: output, report } = await compact(messages, call, { window: 1000 });
    expect([output === messages, report.compacted, report.error]).toEqual([true, false, undefined]);
  }
});

test("[R28] an unknown window is an error by name, unless a target is given", async () => {
  const messages = session(3);
  expect(() => createCompactor({ preset: "balanced" })).toThrow(UnknownWindowError);
  expect(() => createCompactor(undefined as unknown as CompactorOptions)).toThrow(UnknownWindowError);
  expect(() => createCompactor({ model: "" })).toThrow(UnknownWindowError);
  const options = { model: "nobody-knows-9" };
  for (const { compact, plan } of [createCompactor(options), doorCompactor({})]) {
    const { messages: output, report } = await compact(messages);
    expect(output).toBe(messages);
    expect(report.error).toBeInstanceOf(UnknownWindowError);
    await expect(plan(messages)).rejects.toThrow(UnknownWindowError);
  }
  expect((await compact(messages, { target: "50%" })).report).toMatchObject({ compacted: true });
  expect((await compact(messages, {}, { model: "gpt-4o" })).report.error).toBeUndefined();
});

test("[F12] gptme starts at half of the window, not before", async () => {
  const prose = Array.from(
    { length: 300 },
    (_, at) => `Sentence ${at} tells of the parser and its token.`,
  ).join(" ");
  const messages = [user("go"), assistant(prose), ...session(1)];
  const fill = async (share: number) =>
    (await compact(messages, {}, { preset: "gptme", ...windowFor(messages, share) })).report.compacted;
  expect(await fill(0.49)).toBe(false);
  expect(await fill(0.51)).toBe(true);
});

test("[F54 F55] synthorg starts at 80 %, and never while a call is unanswered", async () => {
  const messages = session(6);
  const at = async (told: readonly WireMessage[], share: number) =>
    (await compact(told, {}, { preset: "synthorg", counter, ...windowFor(told, share) })).report;
  expect((await at(messages, 0.79)).compacted).toBe(false);
  expect((await at(messages, 0.82)).compacted).toBe(true);
  const open = rawConversation(...messages, user("Deploy."), assistant("", call("deploy")));
  const waiting = await at(open, 0.9);
  expect(waiting.compacted).toBe(false);
  expect(waiting.reason).toContain("not answered yet");
});

test("[F26] factor3 keeps the latest three messages intact", async () => {
  for (const last of [[], [user("Thanks. And now?")], [user("Thanks."), assistant("Welcome.")]]) {
    const messages = [...session(12), ...last];
    const { messages: output, report } = await compact(
      messages,
      {},
      { preset: "factor3", ...windowFor(messages, 0.6) },
    );
    expect(report.compacted).toBe(true);
    expect(wire({ messages: output }).slice(-3)).toEqual(messages.slice(-3));
  }
});

test("[F57] synthorg keeps the last three pairs and the leading system messages as they are", async () => {
  const chat = Array.from({ length: 30 }, (_, at) => [
    user(`Ask ${at}.`),
    assistant(`Say ${at}. `.repeat(30)),
  ]).flat();
  const messages = [system("a"), system("b"), ...chat];
  const { messages: output } = await compact(
    messages,
    {},
    { preset: "synthorg", ...windowFor(messages, 0.85) },
  );
  const kept = wire({ messages: output });
  expect(kept.slice(0, 2)).toEqual(messages.slice(0, 2));
  for (const [at, message] of kept.slice(-6).entries()) expect(message).toBe(messages.slice(-6)[at]);
});

test("[F71] degraded compacts ten points earlier and keeps a pair less", async () => {
  const messages = session(6);
  const at = async (preset: "synthorg" | "synthorg+degraded") =>
    (await compact(messages, {}, { preset, counter, ...windowFor(messages, 0.75) })).report.compacted;
  expect([await at("synthorg"), await at("synthorg+degraded")]).toEqual([false, true]);
});

test("[F77] a share of the window keeps more than the turns do", async () => {
  const chat = Array.from({ length: 60 }, (_, at) => [
    user(`Ask ${at}.`),
    assistant(`Say ${at}. `.repeat(30)),
  ]).flat();
  const kept = async (percent?: number) => {
    const { percent: _, ...retention } = {
      ...presets.balanced.retention,
      messages: 2,
      turns: 1,
      ceiling: 0.9,
    };
    const preset = {
      ...presets.balanced,
      retention: percent === undefined ? retention : { ...retention, percent },
    };
    return (await compact(chat, {}, { preset, ...windowFor(chat, 1) })).plan.regions.recent.length;
  };
  expect(await kept(0.2)).toBeGreaterThan(2 * (await kept()));
});

test("[F36] in debug nothing shrinks but for an overflow or a target", async () => {
  const messages = session(8);
  const options = { preset: "balanced+debug" as const, ...windowFor(messages, 0.95) };
  const compacted = async (call: CompactOptions) => (await compact(messages, call, options)).report.compacted;
  expect(await compacted({})).toBe(false);
  expect(await compacted({ force: "manual" })).toBe(false);
  expect(await compacted({ force: "overflow" })).toBe(true);
  expect(await compacted({ target: "40%" })).toBe(true);
});

test("[F62] an overflow compacts at once, whatever the fill, the pauses and the blocks say", async () => {
  const messages = session(8);
  const blocked = { ...initialState, strikes: 5, blockedUntil: 9e15, rearmTokens: 1e9 };
  const { report, plan } = await compact(
    messages,
    { force: "overflow", state: blocked },
    { preset: "deepagents", window: 1_000_000 },
  );
  expect(report.compacted).toBe(true);
  expect(plan.tokensAfter).toBeLessThan(0.7 * plan.tokensBefore);
});

test("[F76] with agent control only the net at 95 % acts, and says so by its code", async () => {
  const messages = session(8);
  const run = (share: number) =>
    compact(messages, {}, { preset: "synthorg-agent", counter, ...windowFor(messages, share) });
  expect((await run(0.9)).report.compacted).toBe(false);
  const { events, report, types } = await run(0.96);
  expect(report.compacted).toBe(true);
  expect(types.slice(0, 3)).toEqual(["compaction-start", "safety-net", "plan-made"]);
  expect(events[1]).toMatchObject({ code: "CONTEXT_BUDGET_COMPACTION_SAFETY_NET" });
});

test("events come in the order of the work, and end with the report", async () => {
  const { types, events, report, plan } = await compact(session(8), { target: "30%" });
  expect(types).toEqual([
    "compaction-start",
    "plan-made",
    ...plan.steps.map(() => "stage-end"),
    "compaction-end",
  ]);
  expect(events.at(-1)).toEqual({ type: "compaction-end", report });
  expect(events[0]).toMatchObject({ cause: "target", tokens: report.tokensBefore });
});

test("[F52 R52] every way to a compaction writes the same prefix and keeps the same protections", async () => {
  const rule = "Never touch deploy/production.yaml.";
  const messages = rawConversation(...session(2, system("s")), user(`Go on. ${rule}`), ...session(10));
  const ways: readonly [CompactOptions, number][] = [
    [{}, 0.95],
    [{ force: "manual" }, 0.5],
    [{ force: "overflow" }, 0.5],
    [{ target: "30%" }, 0.5],
  ];
  for (const [call, share] of ways) {
    const pins = [5];
    const { messages: output, report } = await compact(
      messages,
      { ...call, pins },
      { preset: "hermes", ...windowFor(messages, share) },
    );
    expect(report.compacted).toBe(true);
    const text = JSON.stringify(output);
    expect(text.split(JSON.stringify(SUMMARY_PREFIX).slice(1, -1))).toHaveLength(2);
    expect(text).toContain(rule);
    expect(wire({ messages: output })).toContain(messages[5]);
    expect(wire({ messages: output }).at(-1)).toBe(messages.at(-1));
  }
});

test("[R19] a result that is not smaller is refused, and that is a strike", async () => {
  const messages = Array.from({ length: 24 }, (_, at) =>
    at % 2 ? assistant(`Say ${at}.`) : user(`Ask ${at}.`),
  );
  const pins = messages.map((_, at) => at).filter((at) => at !== 3);
  const {
    messages: output,
    report,
    state,
  } = await compact(messages, { pins }, { preset: "factor3", window: 100_000 });
  expect([output === messages, report.compacted]).toEqual([true, false]);
  expect(report.reason).toMatch(/^The plan would save 0 of \d+ tokens/);
  expect(state.strikes).toBe(1);
});

test("[R18] nothing to take away is a pause, not a strike, and not tried again at once", async () => {
  const messages = [user("Go on."), ...session(1).slice(1)];
  const preset = { ...presets.balanced, minMessages: 1, retention: { messages: 0, turns: 9, ceiling: 1 } };
  const options = {
    preset: { ...preset, thresholds: [{ at: 0.5, action: "shrink" as const }] },
    clock: () => 1000,
  };
  const first = await compact(messages, {}, { ...options, ...windowFor(messages, 0.6) });
  expect(first.report.reason).toMatch(/^Nothing was left to take away/);
  expect(first.types).toEqual(["compaction-start", "plan-made", "compaction-skip", "compaction-end"]);
  expect(first.state).toMatchObject({ strikes: 0, blockedUntil: 301_000 });
  const second = await compact(messages, { state: first.state }, { ...options, ...windowFor(messages, 0.6) });
  expect(second.types).toEqual(["compaction-skip", "compaction-end"]);
});

test("[R48] a saving that is not worth the broken cache is not made, unless a target is given", async () => {
  const messages = session(10);
  const preset = { ...presets.balanced, minReclaim: { ratio: 0.99, tokens: 1e9 } };
  const options = { preset, ...windowFor(messages, 1) };
  const { messages: output, report } = await compact(messages, {}, options);
  expect(output).toBe(messages);
  expect(report.reason).toContain("prompt cache");
  expect((await compact(messages, { target: "50%" }, options)).report.compacted).toBe(true);
});

test("[R16 R22] a compaction forgets the reported size and is judged once by the next one", async () => {
  const messages = session(10);
  const options = { ...windowFor(messages, 1), clock: () => 5000 };
  const state = { ...initialState, anchor: { promptTokens: tokensOf(messages), messages: messages.length } };
  const first = await compact(messages, { state }, options);
  expect(first.report.compacted).toBe(true);
  expect(first.state.anchor).toBeUndefined();
  expect(first.state.pendingVerdict).toBeDefined();
  const next = [...wire(first), user("And?"), assistant("So.")];
  const bad = await compact(
    next,
    { state: first.state, usage: { prompt_tokens: options.window } },
    { ...options, window: 10 * options.window },
  );
  expect(bad.state).toMatchObject({ strikes: 1 });
  expect(bad.state.pendingVerdict).toBeUndefined();
  const good = await compact(next, { state: first.state, usage: { prompt_tokens: 100 } }, options);
  expect(good.state).toMatchObject({ strikes: 0, compactions: 1 });
});

test("[R17] a block is ended by hand, and another model starts afresh", async () => {
  const messages = session(10);
  const state = {
    ...initialState,
    strikes: 2,
    blockedUntil: 10_000,
    blockedReason: "it did not help",
    model: "gpt-4o",
  };
  const options = { ...windowFor(messages, 1), clock: () => 5000, model: "gpt-4o" };
  const blocked = await compact(messages, { state }, options);
  expect(blocked.report.compacted).toBe(false);
  expect(blocked.report.reason).toContain("it did not help");
  const byHand = await compact(messages, { state, force: "manual" }, options);
  expect(byHand.state).toMatchObject({ strikes: 0, compactions: 1 });
  expect(byHand.state.blockedUntil).toBeUndefined();
  expect((await compact(messages, { state }, { ...options, model: "gpt-4.1" })).report.compacted).toBe(true);
});

test("[R20] compactions that all end at the same size for little gain are stopped", async () => {
  const messages = session(10);
  const size = Math.floor(tokensOf(messages) * 0.45);
  const again = { at: 4000, tokensBefore: size + 9, tokensAfter: size };
  const preset = { ...presets.balanced, targetRatio: 0.74, minReclaim: { ratio: 0, tokens: 1 } };
  const options = { preset, ...windowFor(messages, 0.76), clock: () => 5000 };
  const before = { ...initialState, compactions: 1 };
  const probe = await compact(messages, { state: before }, options);
  const stuck = {
    ...again,
    tokensAfter: probe.report.tokensAfter,
    tokensBefore: probe.report.tokensAfter + 9,
  };
  const { state } = await compact(messages, { state: { ...before, recentResults: [stuck, stuck] } }, options);
  expect(state.blockedReason).toContain("compactions all ended at about");
});

test("[R24] what is kept free for the answer is not part of the budget", async () => {
  const messages = session(8);
  const { window } = windowFor(messages, 0.8);
  const compacted = async (reserve: number) =>
    (await compact(messages, {}, { window, reserve })).report.compacted;
  expect([await compacted(0), await compacted(Math.floor(window * 0.3))]).toEqual([false, true]);
});

test("[F51] null contents pass through every preset", async () => {
  const empty = [
    { role: "system", content: null },
    { role: "user", content: null },
    { role: "assistant", content: null },
  ];
  const messages = rawConversation(...empty, ...session(8), ...empty.slice(1));
  for (const preset of Object.keys(presets) as (keyof typeof presets)[]) {
    const { report } = await compact(messages, { target: "30%" }, { preset });
    expect([preset, report.error, report.compacted]).toEqual([preset, undefined, true]);
  }
});

test("[R51] what cannot be read or reached is in the report, with the input and the state as they were", async () => {
  const state = { ...initialState, compactions: 3 };
  for (const [input, call, code] of [
    ["{not json", {}, "INVALID_INPUT"],
    [42, {}, "INVALID_INPUT"],
    [session(3), { target: 1 }, "TARGET_UNREACHABLE"],
    [session(3), { target: "0%" }, "INVALID_OPTIONS"],
    [session(3), { target: -1 }, "INVALID_OPTIONS"],
    [session(3), { target: null as unknown as number }, "INVALID_OPTIONS"],
    [session(3), { target: "much" as "1%" }, "INVALID_OPTIONS"],
    [session(3), { pins: [99] }, "INVALID_OPTIONS"],
  ] as const) {
    const result = await compact<unknown>(input, { ...call, state }, { window: 10_000 });
    const { report, types, state: after } = result;
    expect([code, report.error?.code, (result.messages ?? result.body) === input]).toEqual([
      code,
      code,
      true,
    ]);
    expect(report.compacted).toBe(false);
    expect(types.at(-1)).toBe("compaction-fail");
    expect(after.compactions).toBe(3);
  }
});

test("where only the last call is over the window, everything before it is handed off all the same", async () => {
  const messages = rawConversation(
    user("Write the table."),
    ...Array.from({ length: 20 }, (_, at) => [
      user(`And row ${at}?`),
      assistant(`It has ${"cells ".repeat(60)}`),
    ]).flat(),
    user("Write it."),
    assistant("", call("Write", { content: "cell ".repeat(3000) })),
    result("ok"),
  );
  const { report } = await createCompactor({ window: 2_000, clock: () => 0 }).compact(messages);
  expect(report.error).toBeUndefined();
  expect(report.compacted).toBe(true);
});

test("a system prompt or tools that are over the window leave the messages as they were, and the error names them", async () => {
  const long = "You are a careful engineer. ".repeat(2_000);
  const tools = [{ type: "function", function: { name: "read", description: long, parameters: {} } }];
  for (const [body, part] of [
    [{ messages: [system(long), ...session(8)] }, "system prompt"],
    [{ messages: session(8), tools }, "tools"],
  ] as const) {
    const first = await compact<unknown>(body, {}, { window: 8_000 });
    const again = await compact<unknown>(body, { state: first.state }, { window: 8_000 });
    for (const { report, body: after } of [first, again]) {
      expect([report.compacted, report.error?.code, after === body]).toEqual([
        false,
        "TARGET_UNREACHABLE",
        true,
      ]);
      expect(report.error?.message).toMatch(new RegExp(`the window of 8000 tokens.*\\b${part} \\d+`));
    }
  }
});

test("[R51] a clock that fails never throws into the loop", async () => {
  const messages = session(8);
  const clock = () => {
    throw new Error("no time");
  };
  const { messages: output, report } = await createCompactor({ target: "30%", clock }).compact(messages);
  expect(output).toBe(messages);
  expect(report.error).toMatchObject({ code: "COMPACTION_FAILED" });
  expect(report.error!.message).toContain("no time");
});

test("[R18] an automatic attempt that fails is a strike and blocks the second time; one by hand is not", async () => {
  const messages = session(10);
  const archive = { ...memoryArchive(), put: () => Promise.reject(new Error("disk full")) };
  const options = { ...windowFor(messages, 1), archive, clock: () => 5000 };
  const first = await compact(messages, {}, options);
  expect(first.state.strikes).toBe(1);
  const second = await compact(messages, { state: first.state }, options);
  expect(second.state).toMatchObject({ strikes: 2, blockedUntil: 305_000 });
  const third = await compact(messages, { state: second.state }, options);
  expect(third.types).toEqual(["compaction-skip", "compaction-end"]);
  expect((await compact(messages, { force: "manual" }, options)).state.strikes).toBe(0);
});

test("[F56] the session log hears of compactions and of failures, and of nothing else", async () => {
  const log: string[] = [];
  const options = {
    preset: "factor3" as const,
    sessionLog: (text: string) => log.push(text),
    clock: () => 0,
  };
  await compact(session(1), {}, { ...options, window: 100_000 });
  expect(log).toEqual([]);
  await compact(session(3), { target: 1 }, options);
  expect(log.splice(0).join("")).toMatch(
    /^Compaction failed @ 1970-01-01T00:00:00: .* \[TARGET_UNREACHABLE\]\n\n$/,
  );
  const messages = session(10);
  await compact(messages, {}, { ...options, ...windowFor(messages, 0.6) });
  expect(log).toHaveLength(1);
  expect(log[0]).toMatch(/^Summarized \d+ messages → 1 summary \(saved ~[\d,]+ tokens\)/m);
  expect(log[0]).toContain("## Token Usage @ 1970-01-01T00:00:00");
});

test("a threshold that cannot be met is met as nearly as can be; a target that cannot is an error", async () => {
  const messages = session(8);
  const pins = [2, 6, 10, 14];
  for (const preset of ["balanced", "gptme"] as const) {
    const options = { preset, ...windowFor(messages, 1) };
    const { report } = await compact(messages, { pins }, options);
    expect([preset, report.error, report.compacted]).toEqual([preset, undefined, true]);
    expect(report.tokensAfter).toBeGreaterThan(report.targetTokens!);
    const { error } = (await compact(messages, { pins, target: "10%" }, options)).report;
    expect(error).toBeInstanceOf(TargetUnreachableError);
  }
});

test("the target that a refusal advises can be met, although it has room for more of the rules", async () => {
  const rules = ["a", "b"].map((name) => `Never touch the ${"very old ".repeat(26)}folder packages/${name}.`);
  const messages = [
    ...rules.flatMap((rule, at) => [
      { role: "user", content: rule },
      { role: "assistant", content: `Module ${at} is read. `.repeat(40) },
    ]),
    { role: "user", content: `Why does the build fail ${"again and ".repeat(40)}again?` },
    { role: "assistant", content: "It is slow. ".repeat(60) },
  ];
  const { error } = (await compact(messages, { target: 20 })).report;
  expect(error).toBeInstanceOf(TargetUnreachableError);
  const { floorTokens } = error as TargetUnreachableError;
  const { report } = await compact(messages, { target: floorTokens });
  expect([report.error, report.compacted]).toEqual([undefined, true]);
  expect(report.tokensAfter).toBeLessThanOrEqual(floorTokens);
});
test("[F31] factor3 shapes a tool's output on arrival, idempotently; others and debug leave it", async () => {
  const text = Array.from({ length: 900 }, (_, at) => `12:00:${at % 60} INFO worker ${at} finished`).join(
    "\n",
  );
  const output = { text, toolName: "bash", toolArguments: '{"command":"make"}', isError: false };
  const factor3 = createCompactor({ target: "50%", preset: "factor3" });
  const shaped = await factor3.receive(output);
  expect(shaped.length).toBeLessThan(text.length / 2);
  expect(await factor3.receive({ ...output, text: shaped })).toBe(shaped);
  expect(await factor3.receive({ ...output, text: "ok" })).toBe("ok");
  expect(await createCompactor({ target: "50%" }).receive(output)).toBe(text);
  expect(await createCompactor({ target: "50%", preset: "factor3+debug" }).receive(output)).toBe(text);
});

test("plan says what compact does, without doing it, and throws by name", async () => {
  const messages = session(8);
  const compactor = createCompactor({ target: "50%" });
  const { fingerprints, ...plan } = await compactor.plan(messages, { target: "30%" });
  expect((await compactor.compact(messages, { target: "30%" })).plan).toMatchObject(plan);
  expect(Object.keys(fingerprints).length).toBeGreaterThan(0);
  expect((await compactor.plan(messages, { target: "100%" })).steps).toEqual([]);
  await expect(compactor.plan(messages, { target: 1 })).rejects.toThrow(TargetUnreachableError);
});

test("plan starts from the state that the archive keeps, as compact does", async () => {
  const archive = memoryArchive();
  const messages = session(12);
  const { compact, plan } = createCompactor({ ...windowFor(messages, 1), archive, clock: () => 5_000 });
  const blocked = { ...initialState, strikes: 2, blockedUntil: 305_000 };
  await archive.put({ conversation: "c", at: 0, items: [archiveItem("state", JSON.stringify(blocked))] });
  expect((await compact(messages, { conversationId: "c" })).report.compacted).toBe(false);
  expect((await plan(messages, { conversationId: "c" })).steps).toEqual([]);
  expect((await plan(messages, { conversationId: "d" })).steps).not.toEqual([]);
});

test("counts with the counter that it is given", async () => {
  const twice = (tokens: number) => tokens * 2;
  const own = {
    ...counter,
    encoding: "twice",
    text: (text: string) => twice(counter.text(text)),
    message: (message: Parameters<typeof counter.message>[0]) => twice(counter.message(message)),
    conversation: (given: Parameters<typeof counter.conversation>[0]) => twice(counter.conversation(given)),
  };
  const messages = session(6);
  const plain = await createCompactor({ target: "50%" }).compact(messages, { target: "50%" });
  const doubled = await createCompactor({ target: "50%", counter: own }).compact(messages, { target: "50%" });
  expect(doubled.report).toMatchObject({ encoding: "twice", tokensBefore: 2 * plain.report.tokensBefore });
});

test("health needs no window", () => {
  expect(createCompactor({ target: "50%" }).health(session(6)).messages).toBe(24);
  expect(createCompactor({ window: 1000 }).health(session(6)).status).toBe("CRITICAL");
});

test("[F44] hermes notes its first hand-off also when lighter stages compacted before", async () => {
  const compactor = createCompactor({ preset: "hermes", window: 20_000 });
  const messages = session(12, system("Be brief."));
  const light = { ...initialState, compactions: 1 };
  const first = await compactor.compact(messages, { target: "20%", state: light });
  const noted = (output: unknown) => JSON.stringify(output).includes("compacted into a handoff summary");
  expect(noted(first.messages)).toBe(true);
  expect(first.state.systemNoted).toBe(true);
  const second = await compactor.compact(messages, { target: "20%", state: first.state });
  expect(noted(second.messages)).toBe(false);
});

test("[R22] a report from before a compaction, given again, is neither judged nor believed", async () => {
  const compactor = createCompactor({ window: 12_000, reserve: 1000 });
  const messages = session(14);
  const usage = { prompt_tokens: 11_500, completion_tokens: 5 };
  const first = await compactor.compact(messages, { usage });
  expect(first.report.compacted).toBe(true);
  const again = await compactor.compact(first.messages, { usage, state: first.state });
  expect(again.report.compacted).toBe(false);
  expect(again.state.strikes).toBe(0);
  expect(again.report.promptTokensBefore).toBeLessThan(5000);
});

test("[R8] an ask of less than a quarter of the target stays whole, however little of the conversation stays", async () => {
  const ask = `${"It looked right to me at first sight, on both machines. ".repeat(8)}Why is it slow?`;
  const messages = [...session(120), user(ask)];
  const result = await compact(messages, { target: Math.ceil((tokensOf([user(ask)]) + 8) * 4.2) });
  expect(result.report.error).toBeUndefined();
  expect(wire(result).at(-1)?.content).toContain(ask);
});

/** Agent control through the front door: the tool is offered, the agent's request is honoured once, and the net is below. */
import { expect, test } from "vitest";
import {
  COMPRESS_CONTEXT,
  compressContextParameters,
  compressContextResult,
} from "../src/agent-control/compress-context.ts";
import { fillNote } from "../src/agent-control/fill-note.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import {
  type CompactionEvent,
  type CompactionState,
  type CompactorOptions,
  createCompactor,
} from "../src/index.ts";
import { presets } from "../src/policy/presets.ts";
import { convertConversation } from "../src/providers/convert.ts";
import { readConversation, writeConversation } from "../src/providers/detect.ts";
import { printReport } from "../src/report/print-report.ts";
import {
  assistant,
  call,
  rawConversation,
  result,
  user,
  type WireCall,
  type WireMessage,
} from "../src/testing/builders.ts";
import { scriptedSummarizer } from "../src/testing/scripted-summarizer.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";

const counter = createTokenCounter();
const tokensOf = (messages: readonly WireMessage[]) => counter.conversation(readConversation(messages));
const listing = (name: string) =>
  Array.from({ length: 60 }, (_, at) => `export const ${name}x${at} = compute(${at * 7919});`).join("\n");
const session = (turns: number) =>
  Array.from({ length: turns }, (_, at) => [
    user(`What does module${at} do?`),
    assistant(
      `Wait, perhaps module${at} is another one.`,
      call("read_file", { path: `module${at}.ts` }, `read${at}`),
    ),
    result(listing(`module${at}`), { id: `read${at}` }),
    assistant(`module${at} computes.`),
  ]).flat();
const compress = (args: object = {}, id = "ask1") =>
  call(COMPRESS_CONTEXT, { reason: "the survey is done", ...args }, id);
const granted = (id = "ask1") => result(compressContextResult({ reason: "the survey is done" }), { id });
/** A session in which the agent has just asked for compaction, beside other calls. */
const asking = (made: WireCall = compress(), ...others: readonly WireMessage[]) =>
  rawConversation(
    ...session(12),
    user("Go on."),
    assistant("A good moment.", made),
    granted(made.id),
    ...others,
  );

/** A compactor for which these messages fill so large a share of the budget. */
function compactorAt(fill: number, messages: readonly WireMessage[], options: CompactorOptions = {}) {
  const events: CompactionEvent[] = [];
  const compactor = createCompactor({
    preset: "synthorg-agent",
    counter,
    window: Math.floor(tokensOf(messages) / fill),
    reserve: 0,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { ...compactor, events };
}

const saved = (state: CompactionState) => JSON.parse(JSON.stringify(state)) as CompactionState;
const wire = (output: unknown) => output as readonly WireMessage[];

test("[F73 F75] under agent control the tool is offered in the wire's own form, with the live fill", async () => {
  const messages = session(12);
  const { tools } = compactorAt(0.784, messages);
  const description = expect.stringContaining("Current context fill: 78%.");
  const parameters = compressContextParameters;
  expect((await tools(messages)).definitions).toEqual([
    { type: "function", function: { name: "compress_context", description, parameters } },
  ]);
  const anthropic = writeConversation(convertConversation(readConversation(messages), "anthropic-messages"));
  expect((await tools(anthropic)).definitions).toEqual([
    {
      name: "compress_context",
      description: expect.stringMatching(/Current context fill: 7\d%/),
      input_schema: parameters,
    },
  ]);
});

test.each(Object.keys(presets).filter((name) => name !== "synthorg-agent"))(
  "[F75] the preset %s offers no tool",
  async (preset) => {
    expect(
      (await createCompactor({ preset: preset as "balanced", window: 8000 }).tools(session(3))).definitions,
    ).toEqual([]);
  },
);

test("[F73] without a known window the tool says so", async () => {
  const { definitions } = await createCompactor({ model: "nobody-knows-9", preset: "synthorg-agent" }).tools(
    session(2),
  );
  expect(JSON.stringify(definitions[0])).toContain("Current context fill: unknown.");
});

test.each(Object.keys(presets))(
  "[F74 R50] a request is honoured under %s, far below any threshold",
  async (preset) => {
    const messages = asking();
    const { compact, events } = compactorAt(0.3, messages, { preset: preset as "balanced" });
    const idle = await compact(session(4));
    expect(idle.report.compacted).toBe(false);
    events.length = 0;
    const { report, state } = await compact(messages);
    expect(report.compacted).toBe(true);
    expect(report.reason).toContain("The agent asked for compaction");
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore * 0.8);
    expect(events).toContainEqual(expect.objectContaining({ type: "compaction-start", cause: "request" }));
    expect(state).toMatchObject({ compactions: 1, honouredRequest: "ask1" });
  },
);

test("[F74] the agent sees the effect in the next fill", async () => {
  const messages = asking();
  const { compact, tools } = compactorAt(0.6, messages);
  expect(JSON.stringify((await tools(messages)).definitions)).toContain("fill: 60%");
  const { messages: output } = await compact(messages);
  const [, percent] = /fill: (\d+)%/.exec(JSON.stringify((await tools(output)).definitions)) ?? [];
  expect(Number(percent)).toBeLessThan(45);
});

test("[F82] a tool's answer tells the fill of the last request, and after the compaction the lower one", async () => {
  const messages = asking();
  const { compact, tools } = compactorAt(0.6, messages, { archive: memoryArchive() });
  const before = await compact(messages, { target: 1_000_000 });
  const { budget, promptTokensAfter } = before.report;
  const asked = await (await tools(messages)).run(COMPRESS_CONTEXT, { reason: "the survey is done" });
  const numbers = [promptTokensAfter, budget!].map((count) => count.toLocaleString("en"));
  expect(asked).toBe(
    `Compaction requested: the survey is done\n[Context fill: 60% (${numbers.join(" of ")} tokens).]`,
  );
  const after = await compact(messages);
  const next = await tools(after.messages, { state: after.state });
  const found = await next.run("recall_search", { query: "module3" });
  const [, percent] = /\n\[Context fill: (\d+)% \([\d,]+ of [\d,]+ tokens\)\.\]$/.exec(found!) ?? [];
  expect(Number(percent)).toBeLessThan(45);
  expect(fillNote({ tokens: 31_200, budget: 40_000 })).toBe(
    "[Context fill: 78% (31,200 of 40,000 tokens). Consider using compress_context before large tool results or at task boundaries.]",
  );
  const automatic = createCompactor({ preset: "synthorg", window: budget!, archive: memoryArchive() });
  const { run } = await automatic.tools(messages);
  expect(await run("recall_search", { query: "x" })).not.toContain("Context fill");
});

test("[F74] the batch in which the agent asked stays, its call with its answer", async () => {
  const messages = asking();
  const { messages: output } = await compactorAt(0.5, messages).compact(messages);
  expect(wire(output)).toEqual(expect.arrayContaining(messages.slice(-2)));
});

test("[R50] the same request is not honoured again, on the same messages or on what came out", async () => {
  const messages = asking();
  const { compact } = compactorAt(0.5, messages);
  const first = await compact(messages);
  const state = saved(first.state);
  for (const body of [messages, first.messages]) {
    const again = await compact(body, { state });
    expect(again.messages).toBe(body);
    expect(again.report).toMatchObject({ compacted: false });
    expect(again.state.compactions).toBe(1);
  }
  const later = [...wire(first.messages), assistant("On to the rest."), ...session(12)];
  const second = [...later, assistant("Again.", compress({}, "ask2")), granted("ask2")];
  expect((await compact(later, { state })).report.compacted).toBe(false);
  const honoured = await compact(second, { state });
  expect(honoured.report.compacted).toBe(true);
  expect(honoured.state.honouredRequest).toBe("ask2");
});

test.each([
  ["too few messages", rawConversation(user("Hi."), assistant("", compress()), granted()), {}],
  ["compaction is switched off", asking(), { preset: "synthorg-agent+debug" }],
] as const)("[R50] a request that is declined is consumed too: %s", async (_, messages, options) => {
  const { compact } = compactorAt(0.3, messages, options);
  const declined = await compact(messages);
  expect(declined.messages).toBe(messages);
  expect(declined.report.error).toBeUndefined();
  expect(declined.state.honouredRequest).toBe("ask1");
  const free = compactorAt(0.3, messages);
  expect((await free.compact(messages, { state: declined.state })).report.compacted).toBe(false);
});

test("[R50] a request is consumed when the caller's own target takes its place, or the attempt fails", async () => {
  const messages = asking();
  const { compact } = compactorAt(0.3, messages);
  for (const target of [1_000_000, 1, "50%"] as const) {
    const { state } = await compact(messages, { target });
    expect(state.honouredRequest).toBe("ask1");
  }
});

test("[F74] a request waits for the rest of its batch, and is honoured then", async () => {
  const calls = [compress(), call("read_file", { path: "a.ts" }, "other")];
  const open = rawConversation(
    ...session(12),
    user("Go on."),
    assistant("Both at once.", ...calls),
    granted(),
  );
  const { compact } = compactorAt(0.5, open);
  const waiting = await compact(open);
  expect(waiting.messages).toBe(open);
  expect(waiting.state.honouredRequest).toBeUndefined();
  const whole = [...open, result("const a = 1;", { id: "other" })];
  const done = await compact(whole, { state: waiting.state });
  expect(done.report.compacted).toBe(true);
  expect(wire(done.messages)).toEqual(expect.arrayContaining(whole.slice(-3)));
});

test("[F73] preserve_markers decides whether the points of doubt are told", async () => {
  const told = async (args: object) => {
    const messages = asking(compress(args));
    const preset = { ...presets["synthorg-agent"], markers: { annotate: true } };
    const { messages: output, report } = await compactorAt(0.5, messages, { preset }).compact(messages);
    expect(report.compacted).toBe(true);
    return JSON.stringify(output).includes("## State: doubts");
  };
  expect(await told({})).toBe(true);
  expect(await told({ preserve_markers: true })).toBe(true);
  expect(await told({ preserve_markers: false })).toBe(false);
});

test("[F76] from the threshold to the net nothing is automatic; at 95 % the net catches and says so", async () => {
  const messages = rawConversation(...session(12), user("Go on."));
  for (const fill of [0.82, 0.9, 0.94]) {
    const { compact, events } = compactorAt(fill, messages);
    expect((await compact(messages)).messages).toBe(messages);
    expect(events.map(({ type }) => type)).not.toContain("safety-net");
  }
  const logged: string[] = [];
  const { compact, events } = compactorAt(0.96, messages, { sessionLog: (text) => logged.push(text) });
  const { report } = await compact(messages);
  expect(report).toMatchObject({ compacted: true, cause: "safety-net" });
  expect(report.reason).toContain("safety net");
  const caught = { code: "CONTEXT_BUDGET_COMPACTION_SAFETY_NET", fill: expect.closeTo(0.96, 2) };
  expect(report.safetyNet).toEqual(caught);
  expect(events).toContainEqual({ type: "safety-net", ...caught });
  expect(logged.join("")).toMatch(
    /^CONTEXT_BUDGET_COMPACTION_SAFETY_NET: [\d,]+ \/ [\d,]+ \(9[56][.\d]*%\)\n/,
  );
  const automatic = compactorAt(0.82, messages, { preset: "synthorg" });
  const own = await automatic.compact(messages);
  expect(own.report.compacted).toBe(true);
  expect(own.report.safetyNet).toBeUndefined();
  expect(automatic.events.map(({ type }) => type)).not.toContain("safety-net");
});

test("[F76] a request at the net's own fill is the agent's, and no net is told of", async () => {
  const messages = asking();
  const { compact, events } = compactorAt(0.97, messages);
  const { report } = await compact(messages);
  expect(report.compacted).toBe(true);
  expect(events.map(({ type }) => type)).not.toContain("safety-net");
});

test.each(["synthorg-agent", "balanced"] as const)(
  "[F73 F84] under %s the strategy archive writes no summary and asks nobody for one; the originals can be recalled",
  async (preset) => {
    const messages = asking(compress({ strategy: "archive" }));
    const summarizer = scriptedSummarizer(["module3 computes 7919."]);
    const archive = memoryArchive();
    const logged: string[] = [];
    const sessionLog = (text: string) => logged.push(text);
    const { compact, tools } = compactorAt(0.5, messages, { preset, archive, summarizer, sessionLog });
    const { messages: output, report } = await compact(messages, {
      summarize: true,
      conversationId: "survey",
    });
    expect(report).toMatchObject({ compacted: true, request: { strategy: "archive" } });
    expect(summarizer.calls).toEqual([]);
    expect(report.summary).toBeUndefined();
    const left = JSON.stringify(wire(output).slice(0, -2));
    expect(left).not.toMatch(/Summary of prior work|module3 computes/);
    expect(left).toContain("Uncertainty points preserved");
    expect(left).toMatch(/"?wait/i);
    expect(logged.join("")).toMatch(/^Archived \d+ messages? \(saved ~[\d,]+ tokens\)$/m);
    const [id] = /pith:[0-9a-z]{8,}/.exec(left) ?? [];
    const { run } = await tools(output, { conversationId: "survey" });
    expect(await run("recall_expand", { id: `${id}#1`, max_tokens: 4_000 })).toContain(
      "module0x1 = compute(7919)",
    );
    const found = await run("recall_search", { query: "what does module3 do?" });
    expect(found).toContain("module3 computes.");
  },
);

test("[F84] preserve_markers false leaves the points of doubt out of an archive too", async () => {
  const messages = asking(compress({ strategy: "archive", preserve_markers: false }));
  const { messages: output, report } = await compactorAt(0.5, messages, { archive: memoryArchive() }).compact(
    messages,
  );
  expect(report.compacted).toBe(true);
  expect(JSON.stringify(output)).not.toContain("Uncertainty points");
});

test("[F84] without an archive nothing could be recalled, so there is a summary, and the Report says why", async () => {
  const messages = asking(compress({ strategy: "archive" }));
  const { messages: output, report } = await compactorAt(0.5, messages).compact(messages);
  expect(report.request).toMatchObject({ strategy: "archive", withoutArchive: true });
  expect(JSON.stringify(output)).toContain("Summary of prior work");
  expect(printReport(report)).toContain("there is none, so it was summarized");
});

test("[F83] the agent's reason stands in the Report, the event and the log, on one line and without secrets", async () => {
  const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const messages = asking(compress({ reason: `the survey\nis done, ${key}`, strategy: "summarize" }));
  const logged: string[] = [];
  const { compact, events } = compactorAt(0.5, messages, { sessionLog: (text) => logged.push(text) });
  const { report } = await compact(messages);
  const reason = "the survey is done, [redacted: github]";
  const request = { reason, strategy: "summarize", preserveMarkers: true };
  expect(report).toMatchObject({ compacted: true, cause: "request", request });
  expect(events).toContainEqual(expect.objectContaining({ type: "compaction-start", request }));
  expect(logged.join("")).toMatch(/^Requested by the agent: the survey is done, \[redacted: github\]\n/);
  expect(printReport(report)).toContain(`the agent asked for it (summarize): ${reason}`);
});

test("[F83] a request that is declined is told of in the Report, a blank one is none", async () => {
  const few = rawConversation(user("Hi."), assistant("", compress()), granted());
  const declined = await compactorAt(0.3, few).compact(few);
  expect(declined.report).toMatchObject({ compacted: false, request: { reason: "the survey is done" } });
  const blank = asking(compress({ reason: " \n" }));
  const { report, messages: output } = await compactorAt(0.5, blank).compact(blank);
  expect(output).toBe(blank);
  expect(report.request).toBeUndefined();
});

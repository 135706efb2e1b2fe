/** Behaviours that only the whole engine shows: what a caller gives to `compact` and what comes back. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withPrefix } from "../src/conversation/handoffs/prefixes.ts";
import { UnknownWindowError } from "../src/errors/unknown-window-error.ts";
import {
  type CompactionEvent,
  type CompactOptions,
  type CompactorOptions,
  createCompactor,
  type Result,
} from "../src/index.ts";
import { type PresetName, presets } from "../src/policy/presets.ts";
import { convertConversation } from "../src/providers/convert.ts";
import { readConversation, writeConversation } from "../src/providers/detect.ts";
import { LEGACY_SUMMARY_PREFIX, SUMMARY_PREFIX } from "../src/summarizer/index.ts";
import {
  assistant,
  call,
  rawConversation,
  result,
  system,
  user,
  type WireMessage,
} from "../src/testing/builders.ts";
import { readingSession } from "../src/testing/reading-session.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { signs, signsOf } from "./planner-signs.ts";
import { wireFaults } from "./wire-faults.ts";

const example: readonly WireMessage[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "../examples/coding-session.json"), "utf8"),
);
const endMarker = "[End of hand-off]";

const session = readingSession;

function compact(
  messages: readonly unknown[],
  call: CompactOptions,
  { window, ...options }: CompactorOptions = {},
): Promise<Result<readonly unknown[]>> {
  return createCompactor({ ...(window ? { window } : { target: "50%" }), ...options }).compact(
    messages,
    call,
  );
}

function wireOf({ messages, report }: Result<readonly unknown[]>): readonly WireMessage[] {
  expect(report.error).toBeUndefined();
  return messages as readonly WireMessage[];
}

function textOf(messages: readonly WireMessage[]): string {
  return messages
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
    .join("\n");
}

function handoffIn(messages: readonly WireMessage[]): WireMessage {
  return messages.find(({ content }) => String(content).includes(endMarker))!;
}

test("[F1] the report says for every stage, in order, what it saved, and the savings add up", async () => {
  const thinking = {
    ...assistant("Now I know."),
    reasoning_content: "Let me think this through once more. ".repeat(60),
  };
  const log = Array.from(
    { length: 300 },
    (_, line) => `12:00:${line % 60} INFO worker ${line} finished its share`,
  ).join("\n");
  const messages = rawConversation(
    user("Think first."),
    thinking,
    user("Run it."),
    assistant("", call("bash", { command: "make run" })),
    result(log),
    assistant("It ran."),
    ...chat(20),
  );
  const { report } = await compact(messages, { target: "55%" });
  expect(report.stages.map(({ stage }) => stage).slice(0, 2)).toEqual([
    "strip-reasoning",
    "shape-tool-results",
  ]);
  const saved = report.stages.reduce((sum, { tokensSaved }) => sum + tokensSaved, 0);
  expect(saved).toBe(report.tokensBefore - report.tokensAfter);
  for (const { tokensSaved, ratioSaved } of report.stages)
    expect(ratioSaved).toBe(tokensSaved / report.tokensBefore);
});

test("[F13] gptme extracts long assistant messages at least three from the end, and no others", async () => {
  const prose = (name: string) =>
    Array.from(
      { length: 120 },
      (_, line) => `The ${name} paragraph says thing number ${line} about the parser.`,
    ).join(" ");
  const messages = [
    user(prose("user")),
    assistant(prose("old")),
    user("And the lexer?"),
    assistant("Short and old."),
    user("Go deeper."),
    assistant(prose("other old")),
    user("And now?"),
    assistant(prose("recent")),
    user("Thanks. Go on."),
  ];
  const output = wireOf(await compact(messages, {}, { preset: "gptme", window: 10_000, reserve: 0 }));
  expect(output).toHaveLength(messages.length);
  for (const position of [1, 5]) {
    expect(String(output[position]!.content).length).toBeLessThan(
      0.8 * String(messages[position]!.content).length,
    );
  }
  for (const position of [0, 2, 3, 4, 6, 7, 8]) expect(output[position]).toBe(messages[position]);
});

test("[F3] gptme at its threshold leaves every code block whole, also where its fence opens in mid-line", async () => {
  const words = (name: string) =>
    Array.from({ length: 40 }, (_, at) => `The ${name} part says thing number ${at} about the parser.`).join(
      " ",
    );
  const code = (name: string) => `const ${name} = parse(text). trim()!\nreturn ${name}? yes. no.`;
  const blocks = [
    `\`\`\`ts\n${code("a")}\n\`\`\``,
    `\`\`\`${code("b")}\`\`\``,
    `~~~\n${code("c")}\n~~~`,
    "```npm test -- parser```",
  ];
  const text = blocks.map((block, at) => `${words(`p${at}`)} It is done by ${block} and`).join(" ");
  const whole = `${text} so on. ${words("last")}`;
  const messages = [user("Why?"), assistant(whole)];
  for (let at = 0; at < 4; at++) messages.push(user("And?"), assistant(`So be it ${at}.`));
  const window = 2 * (await compact(messages, { target: 1e6 })).report.promptTokensBefore;
  const result = await compact(messages, {}, { preset: "gptme", window, reserve: 0 });
  const output = String(wireOf(result)[1]!.content);
  expect(result.report.stages.map(({ stage }) => stage)).toEqual(["extract-sentences"]);
  for (const block of blocks) expect(output).toContain(block);
  expect(output.length).toBeLessThan(0.85 * whole.length);
});

test("[F20 R52] every path keeps the same protections: each preset, a target, by hand, an overflow, a threshold", async () => {
  const rule = "You must never touch the file deploy/production.yaml.";
  const messages = session(
    12,
    system("You are a careful agent."),
    ...chat(2),
    user(`One more thing. ${rule}`),
    assistant("I will keep to it."),
  );
  for (const preset of Object.keys(presets) as PresetName[]) {
    const paths: readonly [CompactOptions, CompactorOptions][] = [
      [{ target: "25%" }, {}],
      [{ force: "manual" }, { window: 12_000 }],
      [{ force: "overflow" }, { window: 8000 }],
      [{}, { window: 8000, reserve: 0 }],
    ];
    for (const [call, options] of paths) {
      const compacted = await compact(messages, call, { preset, ...options });
      const output = wireOf(compacted);
      expect([preset, call, compacted.report.compacted]).toEqual([preset, call, true]);
      expect(wireFaults("openai-chat", output)).toEqual([]);
      expect(textOf(output)).toContain(rule);
      expect(output.at(-1)).toBe(messages.at(-1));
      expect(String(output[0]!.content)).toMatch(/^You are a careful agent\./);
    }
  }
});

test("[F27] factor3 puts one summary at the beginning, as an assistant message after [SUMMARY]:", async () => {
  const messages = [
    ...session(8),
    user("Now count the modules."),
    assistant("Eight."),
    user("And the values?"),
  ];
  const output = wireOf(await compact(messages, { target: "30%" }, { preset: "factor3" }));
  const summaries = output.filter(({ content }) => String(content).startsWith("[SUMMARY]: "));
  expect(summaries).toHaveLength(1);
  expect(output[0]).toBe(summaries[0]);
  expect(output[0]!.role).toBe("assistant");
  expect(output.slice(-3)).toEqual(messages.slice(-3));
});

test("[F30] system prompts, SESSION_LOG content, the active checkpoint and constraints are never summarised", async () => {
  const log = "# SESSION_LOG\n\nSummarized 8 messages → 1 summary (saved ~1,200 tokens)";
  const checkpoint = "# Active state checkpoint\nstep: 3 of 9\nbranch: fix/parser";
  const rule = "Never rename a public function.";
  const messages = session(
    10,
    system("You are Ada, a build engineer."),
    user("Start."),
    assistant(log),
    user("Fine."),
    assistant(checkpoint),
    user(`Go on. ${rule}`),
    assistant("Yes."),
  );
  const output = wireOf(await compact(messages, { target: "20%" }));
  expect(output[0]).toBe(messages[0]);
  for (const text of [log, checkpoint]) expect(output.map(({ content }) => content)).toContain(text);
  expect(textOf(output)).toContain(rule);
  // A text summary has no story that the rule could stand in.
  const brief = await compact(messages, { target: "30%" }, { preset: "synthorg" });
  expect(brief.report.stages.map(({ stage }) => stage)).toContain("hand-off");
  expect(textOf(wireOf(brief))).toContain(rule);
});

test("[F41 F42] the prefixes are the source's, word for word, and can be imported", () => {
  expect(SUMMARY_PREFIX).toBe(
    "[CONTEXT COMPACTION] An earlier part of this conversation was summarized to preserve context space. Below is the summary — use it to build on the work already done and avoid duplicating effort:",
  );
  expect(LEGACY_SUMMARY_PREFIX).toBe("[CONTEXT SUMMARY]:");
});

test("[F43] a summary gets the prefix once, with or without the legacy one before it, and null is an empty one", () => {
  for (const text of ["[CONTEXT SUMMARY]:  x", "x", " x ", `${SUMMARY_PREFIX}\nx`]) {
    expect(withPrefix(text, "hermes")).toBe(`${SUMMARY_PREFIX}\nx`);
  }
  expect(withPrefix(null, "hermes")).toBe(`${SUMMARY_PREFIX}\n`);
});

test("[F44] hermes notes the first compaction in the system prompt, once, and only there", async () => {
  const note =
    "\n\n[Note: Some earlier conversation turns have been compacted into a handoff summary to preserve context space. Build on that summary rather than re-doing work.]";
  const messages = session(8, system("You are an agent."));
  const first = await compact(messages, { target: "40%" }, { preset: "hermes" });
  const noted = wireOf(first);
  expect(noted[0]!.content).toBe(`You are an agent.${note}`);
  const longer = [...noted, ...session(8)];
  const again = wireOf(await compact(longer, { target: "40%", state: first.state }, { preset: "hermes" }));
  expect(again[0]).toBe(noted[0]);
  const withoutSystem = wireOf(await compact(session(8), { target: "40%" }, { preset: "hermes" }));
  expect(textOf(withoutSystem)).not.toContain(note.trim());
  const nullContent = session(8, { role: "system", content: null });
  expect((await compact(nullContent, { target: "40%" }, { preset: "hermes" })).report.error).toBeUndefined();
});

/** Short turns without tools: many of them fit under a small target. */
function chat(turns: number, name = "part"): readonly WireMessage[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`What does ${name} ${turn} do?`),
    assistant(`It turns the input of ${name} ${turn} into lines and hands them to ${name} ${turn + 1}.`),
  ]).flat();
}

test("[F50] hermes keeps the first 3 and the last 4 messages, and its summary alternates with its neighbours", async () => {
  const messages = chat(40);
  const output = wireOf(await compact(messages, { target: "45%" }, { preset: "hermes" }));
  expect(output.slice(0, 3)).toEqual(messages.slice(0, 3));
  expect(output.slice(-4)).toEqual(messages.slice(-4));
  for (let index = 1; index < output.length; index++)
    expect(output[index]!.role).not.toBe(output[index - 1]!.role);
  expect(textOf(output)).toContain(SUMMARY_PREFIX);
});

test.each(["## Session Log", "# Persona definition", "# State Checkpoints"])(
  "[F30] factor3 at its threshold keeps what stands under %s, wherever it stands",
  async (heading) => {
    const text = `${heading}\n- step 3 of 5 is done`;
    const messages = session(8, user("Begin."), assistant(text));
    const window = 2 * (await compact(messages, { target: 1e6 })).report.promptTokensBefore - 20;
    const { messages: output, report } = await compact(
      messages,
      {},
      { preset: "factor3", window, reserve: 0 },
    );
    expect(report.stages.map(({ stage }) => stage)).toContain("hand-off");
    expect((output as readonly WireMessage[]).map(({ content }) => content)).toContain(text);
  },
);

test("[F56] an exhausted stack is raised, through compact, wrap and receive; any other error is not", async () => {
  const deep = (): number => deep() + 1;
  const failing = (fail: () => number): CompactorOptions => {
    const counter = { ...createTokenCounter(), text: fail, message: fail, conversation: fail };
    return { preset: "factor3", window: 1_000, counter };
  };
  const output = { text: "12 rows\n".repeat(400), toolName: "run", toolArguments: "{}", isError: false };
  const { compact: fatal, wrap, receive } = createCompactor(failing(deep));
  for (const raised of [fatal(session(8)), wrap(async () => "sent")(session(8)), receive(output)])
    await expect(raised).rejects.toThrow(RangeError);
  const wrong = createCompactor(failing(() => ([] as string[]).at(3)!.length));
  const { messages: given, report } = await wrong.compact(example);
  expect([given, report.error?.code]).toEqual([example, "COMPACTION_FAILED"]);
  expect(await wrong.receive(output)).toBe(output.text);
});

test("[F56 R51] a compaction that fails gives back the original, says why and tells who listens", async () => {
  const events: CompactionEvent[] = [];
  const counter = {
    ...createTokenCounter(),
    text: () => {
      throw new Error("the counter is gone");
    },
  };
  const compactor = createCompactor({ target: "50%", counter, onEvent: (event) => events.push(event) });
  const { messages: output, report } = await compactor.compact(example, { target: "30%" });
  expect(output).toBe(example);
  expect(report.error?.code).toBe("COMPACTION_FAILED");
  expect(report.error?.message).toContain("the counter is gone");
  expect(events.find(({ type }) => type === "compaction-fail")).toMatchObject({
    code: "CONTEXT_BUDGET_COMPACTION_FAILED",
  });
});

test("[F58] the text fallback joins 100 characters of each assistant message, 500 in all", async () => {
  const messages = Array.from({ length: 12 }, (_, turn) => [
    user(`Step ${turn}, please.`),
    assistant(`Step ${turn} is done:\nthe ${"very ".repeat(40)}long story follows.`),
  ]).flat();
  const output = wireOf(await compact(messages, { target: "60%" }, { preset: "synthorg" }));
  const [, archived, summary] =
    /\[Archived (\d+) messages\. Summary of prior work: ([\s\S]*?)\]/.exec(textOf(output)) ?? [];
  expect(Number(archived)).toBe(messages.length - 6);
  expect(summary).toMatch(/^Step 0 is done: the very /);
  expect(summary).toHaveLength(503);
  expect(summary).toMatch(/\.\.\.$/);
  expect(summary!.split("; ")[0]!.length).toBeLessThanOrEqual(100);
});

test.each(["complex", "deliberative", "verbose"])(
  "[F67 F80] with %s one group of markers keeps a message, without it does not",
  async (modifier) => {
    const doubt = "Wait, the offset is counted from the wrong end.";
    const messages = session(10, user("Find the bug."), assistant(doubt));
    const plain = wireOf(await compact(messages, { target: "40%" }, { preset: "synthorg" }));
    const complex = wireOf(await compact(messages, { target: "40%" }, { preset: `synthorg+${modifier}` }));
    expect(plain.map(({ content }) => content)).not.toContain(doubt);
    expect(complex.map(({ content }) => content)).toContain(doubt);
  },
);

test("[R1] parallel calls and their results stay or go together, whatever the target", async () => {
  const groups = Array.from({ length: 12 }, (_, turn) => [
    assistant("", call("read", { path: `a${turn}.ts` }), call("read", { path: `b${turn}.ts` })),
    result(`left ${turn}\n${"left line\n".repeat(30)}`),
    result(`right ${turn}\n${"right line\n".repeat(30)}`),
  ]).flat();
  const messages = rawConversation(user("Compare all pairs of files."), ...groups);
  for (const target of ["60%", "40%", "25%", "15%"] as const) {
    expect(wireFaults("openai-chat", wireOf(await compact(messages, { target })))).toEqual([]);
  }
});

test("[R2] a call that still runs is never taken away", async () => {
  const messages = [
    ...session(8),
    ...rawConversation(user("Deploy it."), assistant("Deploying.", call("deploy", {}, "running"))),
  ];
  const output = wireOf(await compact(messages, { target: "15%" }));
  expect(JSON.stringify(output.at(-1))).toContain('"running"');
});

test("[R4 R5] in anthropic-messages the user speaks first and nobody twice in a row", async () => {
  const messages = Array.from({ length: 14 }, (_, turn) => [
    { role: "user", content: `Question ${turn}: what does part ${turn} do?` },
    {
      role: "assistant",
      content: [{ type: "text", text: `Part ${turn} ${"does something particular and ".repeat(20)}more.` }],
    },
  ]).flat();
  for (const target of ["50%", "20%", "8%"] as const) {
    for (const cut of [0, 1]) {
      const given = messages.slice(0, messages.length - cut);
      const { messages: output, report } = await compact(given, { target }, { format: "anthropic" });
      expect(report.error).toBeUndefined();
      expect(wireFaults("anthropic-messages", output)).toEqual([]);
    }
  }
});

test("[R8] the newest ask stays verbatim, and no hand-off is taken for it", async () => {
  const ask = "Rename the flag --fast to --quick in src/run/options.ts.";
  const work = session(10).filter(({ role }) => role !== "user");
  const first = wireOf(await compact([...session(3), user(ask), ...work], { target: "20%" }));
  expect(textOf(first)).toContain(ask);
  const later = wireOf(
    await compact([...first, ...work.map((message) => renamed(message, 1))], { target: "30%" }),
  );
  expect(textOf(later)).toContain(ask);
});

test("[R9] the hand-off is told as past reference, closed by an end marker, and gives no orders", async () => {
  const text = String(handoffIn(wireOf(await compact(example, { target: "20%" }))).content);
  expect(text.split("\n")[0]).toMatch(/past reference/i);
  expect(text).toContain(endMarker);
  expect(text).not.toMatch(/next steps|pending asks|resume exactly/i);
});

test("[R12] a finished question and its answer are on the same side of the cut", async () => {
  const messages = chat(40);
  const kept = new Set(wireOf(await compact(messages, { target: "45%" })));
  const answers = messages.filter((message) => message.role === "assistant" && kept.has(message));
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) {
    const question = String(messages[messages.indexOf(answer) - 1]!.content);
    expect([...kept].some(({ role, content }) => role === "user" && String(content).endsWith(question))).toBe(
      true,
    );
  }
});

test("[R12] where a source counts messages and cuts within a turn, the hand-off says that its answer follows", async () => {
  const { opens } = signsOf("factor3");
  const messages = chat(40);
  const [handoff, ...after] = wireOf(await compact(messages, { target: "45%" }, { preset: "factor3" }));
  expect(after).toEqual(messages.slice(-3));
  expect(after[0]!.role).toBe("assistant");
  const [story, rest] = String(handoff!.content).split(String(messages.at(-4)!.content));
  expect(story).toMatch(new RegExp(`${opens.person.source}$`, "m"));
  expect(rest).toBe("\n(goes on below)\n[End of hand-off]");
});

test("[R13] the role of the summary is the preset's, and it is always delimited", async () => {
  const roleWith = async (preset: PresetName, last: WireMessage[] = []) => {
    const output = wireOf(await compact([...chat(40), ...last], { target: "45%" }, { preset }));
    const handoff = handoffIn(output);
    expect(String(handoff.content)).toContain(endMarker);
    return handoff.role;
  };
  expect(await roleWith("synthorg")).toBe("system");
  expect(await roleWith("factor3", [user("Go on.")])).toBe("assistant");
  // Otherwise the assistant would speak first (R4).
  expect(await roleWith("synthorg", [user("Go on.")])).toBe("user");
});

test("[R14 R38] a bare follow-up keeps the goal it follows", async () => {
  const goal = "Port the tokenizer from Python to Rust.";
  const messages = [...session(8, user(goal), assistant("I will.")), user("continue")];
  const output = wireOf(await compact(messages, { target: "12%" }));
  expect(textOf(output)).toContain(goal);
  expect(output.at(-1)!.content).toContain("continue");
});

test("[R21] hand-offs are folded in, never piled up, and constraints stay the same to the letter", async () => {
  const rule = "Always keep the public API backward compatible; never drop a field.";
  let messages = session(6, user(`Work through the modules. ${rule}`), assistant("Understood."));
  let state: Result["state"] | undefined;
  for (let round = 0; round < 12; round++) {
    const compacted = await compact(messages, { target: 3000, ...(state && { state }) });
    const output = wireOf(compacted);
    const handoffs = textOf(output).split("[Pith hand-off]").length - 1;
    expect(handoffs).toBeLessThanOrEqual(1);
    expect(handoffs).toBeGreaterThanOrEqual(round < signs.roundsInPlace ? 0 : 1);
    expect(textOf(output)).toContain(rule);
    expect(signs.timesTold(textOf(output), rule)).toBe(handoffs);
    expect(compacted.report.tokensAfter).toBeLessThanOrEqual(3000);
    messages = [...output, ...session(5).map((message) => renamed(message, round))];
    state = compacted.state;
  }
});

function renamed(message: WireMessage, round: number): WireMessage {
  return JSON.parse(
    JSON.stringify(message).replaceAll("module", `part${round}x`).replaceAll("call_", `c${round}_`),
  );
}

test("[R28] a window that nobody knows is a loud error, and a known model or a target ends it", async () => {
  expect(() => createCompactor({ preset: "balanced" })).toThrow(UnknownWindowError);
  const { messages: output, report } = await createCompactor({ model: "nobody-knows-9" }).compact(example);
  expect(report.error).toBeInstanceOf(UnknownWindowError);
  expect(output).toBe(example);
  expect((await createCompactor({ model: "gpt-4o" }).compact(example)).report.error).toBeUndefined();
  expect((await compact(example, { target: "50%" })).report.error).toBeUndefined();
});

test("[R36] exact paths, hashes and error strings survive without a model", async () => {
  const facts = [
    "src/net/retry-policy.ts",
    "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
    "ECONNRESET_AFTER_47_BYTES",
  ];
  const messages = [
    user("Why does the upload stop?"),
    assistant(`The cause is in ${facts[0]}: since commit ${facts[1]} it fails with ${facts[2]}.`),
    ...chat(60),
  ];
  const text = textOf(wireOf(await compact(messages, { target: "25%" })));
  for (const fact of facts) expect(text).toContain(fact);
});

test("[R36] of a talk of short questions the answers are told, too", async () => {
  const output = wireOf(await compact(chat(60), { target: "30%" }));
  const [story] = textOf(output).split("[End of hand-off]");
  expect(story!.match(signs.opens.person)!.length).toBeGreaterThan(8);
  expect(story!.match(signs.opens.agent)!.length).toBeGreaterThan(2);
});

test("[R44] what a short story leaves of the room goes to the newest result", async () => {
  const lines = Array.from(
    { length: 4_000 },
    (_, line) => `export const value${line} = compute(${line * 7});`,
  );
  const messages = [
    user("Read src/values.ts and tell me what it does."),
    assistant("", call("read_file", { path: "src/values.ts" }, "read")),
    result(lines.join("\n"), { id: "read" }),
  ];
  const { report } = await compact(messages, { target: 3_000 });
  expect(report.tokensAfter).toBeLessThanOrEqual(3_000);
  expect(report.tokensAfter).toBeGreaterThan(2_400);
});

test("[R37] what the user demanded stays verbatim down to the floor", async () => {
  const rules = signs.demands;
  const messages = session(
    10,
    user(`Build the report page. ${rules[0]}`),
    assistant("Yes."),
    user(rules[1]),
    assistant("Yes."),
  );
  const unreachable = await compact(messages, { target: 1 });
  const floor = (unreachable.report.error as unknown as { floorTokens: number }).floorTokens;
  const text = textOf(wireOf(await compact(messages, { target: Math.max(floor, signs.least) })));
  for (const rule of rules) expect(text).toContain(rule);
});

test("[R41] what the user answers to a question is the user's word", async () => {
  const answer = "Use PostgreSQL 17 and never SQLite.";
  const messages = session(
    8,
    user("Set up the store."),
    assistant("Which database do you want?"),
    user(answer),
  );
  expect(textOf(wireOf(await compact(messages, { target: "12%" })))).toContain(answer);
});

test("[R44] a huge result in the newest turn shrinks, and its call stays answered", async () => {
  const huge = Array.from(
    { length: 40_000 },
    (_, line) => `line ${line}: status ok, took ${line % 97} ms`,
  ).join("\n");
  const messages = rawConversation(user("Read the log."), assistant("", call("read_log", {})), result(huge));
  const compacted = await compact(messages, { target: 2000 });
  expect(compacted.report.tokensAfter).toBeLessThanOrEqual(2000);
  expect(wireFaults("openai-chat", wireOf(compacted))).toEqual([]);
});

test("[R45] head messages are kept by the first compaction and not for ever", async () => {
  const messages = chat(40);
  const first = await compact(messages, { target: "45%" }, { preset: "hermes-lean" });
  expect(wireOf(first).slice(0, 3)).toEqual(messages.slice(0, 3));
  const longer = [...wireOf(first), ...chat(40, "piece")];
  const second = await compact(longer, { target: "45%", state: first.state }, { preset: "hermes-lean" });
  expect(wireOf(second)[0]).not.toEqual(messages[0]);
});

test.each([
  "Die Spaltennamen bleiben, wie sie sind.",
  "Les montants restent en centimes.",
  "Los importes van siempre en céntimos.",
  "金額は整数で扱います。",
  "Суммы храним в копейках.",
  "金额一律用整数。",
  "Kiasi chote kiwe katika senti.",
])("what a person typed early stands at a tenth, whatever the language: %j", async (sentence) => {
  const messages = session(20, user("Fix the importer."), assistant("Done."), user(`Go on. ${sentence}`));
  expect(textOf(wireOf(await compact(messages, { target: "10%" })))).toContain(sentence);
});

test.each(Object.keys(presets))(
  "[F87] under %s nothing that is given is mutated, whatever is done to it",
  async (preset) => {
    const messages = [...rawConversation(system("You are terse.")), ...session(10)];
    const before = JSON.stringify(messages);
    const given = deepFreeze(JSON.parse(before) as WireMessage[]);
    const { report, messages: output } = await compact(
      given,
      { target: "40%" },
      { preset: preset as "balanced" },
    );
    expect(report).toMatchObject({ compacted: true });
    expect(JSON.stringify(given)).toBe(before);
    expect(output).not.toBe(given);
  },
);

test("[F87] a preflight compaction returns the new system prompt beside the messages", async () => {
  const chat = convertConversation(readConversation(session(10)), "anthropic-messages");
  const body = {
    system: "You are terse.",
    messages: (writeConversation(chat) as { messages: unknown[] }).messages,
  };
  const given = deepFreeze(structuredClone(body));
  const { body: output } = await createCompactor({ target: "50%", preset: "hermes" }).compact(given, {
    target: "40%",
  });
  const { system: noted, messages: sent } = output as typeof body;
  expect(noted).toMatch(/^You are terse\.\n\n\[Note: Some earlier conversation turns have been compacted/);
  expect(sent.length).toBeLessThan(body.messages.length);
  expect(given).toEqual(body);
});

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}

import { expect, test } from "vitest";
import { MARKER } from "../archive/item-id.ts";
import { createMarks } from "../archive/marks.ts";
import { idsOfItem } from "../archive/named-ids.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { SUMMARY_PREFIX } from "../conversation/handoffs/prefixes.ts";
import { isHandoffMessage } from "../conversation/handoffs/separate.ts";
import { type Message, proseOf, textOfMessage } from "../conversation/message.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import type { Policy } from "../policy/policy.ts";
import { presets } from "../policy/presets.ts";
import { formatNamed } from "../providers/detect.ts";
import {
  anthropicConversation,
  assistant,
  call,
  conversation,
  result,
  system,
  user,
  type WireMessage,
} from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { applyPlan } from "./apply-plan.ts";
import { countedTokensIn } from "./counted-tokens.ts";
import { floorOf } from "./floor.ts";
import { planCompaction } from "./plan-compaction.ts";
import type { PlanRequest } from "./plan-request.ts";
import { violations } from "./violations.ts";

const counter = createTokenCounter();
const code = (name: string) =>
  Array.from({ length: 50 }, (_, at) => `export const ${name}x${at} = compute(${at * 7919});`).join("\n");
const step = (name: string) => [
  assistant(`Reading ${name}.`, call("read_file", { path: `src/${name}.ts` })),
  result(code(name)),
];
const turn = (name: string) => [user(`What does ${name} do?`), ...step(name), assistant(`${name} computes.`)];
const turns = (count: number) => Array.from({ length: count }, (_, at) => turn(`module${at}`)).flat();

function requestFor(told: Conversation, share: number, more: Partial<PlanRequest> = {}): PlanRequest {
  return {
    conversation: told,
    policy: presets.balanced,
    counter,
    targetTokens: Math.floor(countedTokensIn(told, counter) * share),
    action: "trim",
    compactions: 0,
    format: formatNamed(told.format),
    ...more,
  };
}

/** Plans, applies and checks every rule. */
function compact(told: Conversation, share: number, more: Partial<PlanRequest> = {}) {
  const request = requestFor(told, share, more);
  const plan = planCompaction(request);
  const after = applyPlan(told, plan);
  expect(violations(told.messages, after.messages)).toEqual([]);
  const tokens = after.messages.reduce((sum, message) => sum + costOf(message, told), 0);
  expect(plan.tokensAfter).toBe(tokens);
  return { plan, after: after.messages, stages: plan.steps.map((each) => each.stage) };
}

/** Of a system message that came in, only what was added counts, by itself. */
function costOf(message: Message, { messages }: Conversation): number {
  const original = message.role === "system" ? messages[message.position] : undefined;
  if (!original) return counter.message(message);
  return counter.text(textOfMessage(message).slice(textOfMessage(original).length));
}

const prefixes = (messages: readonly Message[]) =>
  messages
    .map(textOfMessage)
    .join("\n")
    .split(/\[Pith hand-off\]|\[CONTEXT COMPACTION\]/).length - 1;

test("[F1] stages run from least loss to most, each measured, and stop when the target is met", () => {
  const log = Array.from({ length: 200 }, (_, at) => `12:00:${at % 60} INFO worker ${at} finished its share`);
  const told = conversation(
    user("go"),
    { ...assistant("I know."), reasoning_content: "The loop reads tokens. ".repeat(100) },
    ...step("a"),
    ...step("a"),
    assistant("", call("bash", { command: "make" })),
    result(log.join("\n")),
    assistant("", call("write", { path: "b", text: code("b") })),
    result("ok"),
    ...turns(2),
  );
  const { plan, stages } = compact(told, 0.42);
  const order = ["strip-reasoning", "drop-duplicates", "shape-tool-results", "shrink-call-arguments"];
  expect(stages).toEqual(order.slice(0, stages.length));
  expect(stages.length).toBeGreaterThan(2);
  let tokens = plan.tokensBefore;
  for (const { tokensBefore, tokensAfter } of plan.steps) {
    expect(tokensBefore).toBe(tokens);
    expect(tokensAfter).toBeLessThan(tokensBefore);
    tokens = tokensAfter;
  }
  expect(compact(told, 0.95).stages).toEqual(["strip-reasoning"]);
});

test("[F1] where thinking is what takes the room, nothing is handed off before it is stripped", () => {
  const thinking = "The loop reads tokens. ".repeat(400);
  const talk = Array.from({ length: 6 }, (_, at) => [user(`Ask ${at}.`), assistant(`Answer ${at}.`)]).flat();
  for (const thought of [
    { ...assistant("I know."), reasoning_content: thinking },
    assistant(`<think>${thinking}</think>\nI know.`),
  ]) {
    expect(compact(conversation(user("go"), thought, ...talk), 0.6).stages).toEqual(["strip-reasoning"]);
  }
});

test("nothing is planned for what fits already", () => {
  const { plan } = compact(conversation(...turns(2)), 1);
  expect(plan).toMatchObject({ steps: [], passes: 0, fingerprints: {} });
  expect(plan.tokensAfter).toBe(plan.tokensBefore);
});

test("shrink stops before extraction, extract before the hand-off, wherever that leaves it", () => {
  const prose = Array.from({ length: 150 }, (_, at) => `Sentence ${at} tells of the parser and its token.`);
  const told = conversation(user("go"), assistant(prose.join(" ")), ...turns(4));
  const policy = presets.gptme;
  expect(compact(told, 0.1, { policy, action: "shrink" }).stages).not.toContain("extract-sentences");
  const { plan, stages } = compact(told, 0.1, { policy, action: "extract" });
  expect(stages).toContain("extract-sentences");
  expect(stages).not.toContain("hand-off");
  expect(plan.tokensAfter).toBeGreaterThan(plan.targetTokens);
});

test("planning twice gives the same plan", () => {
  const told = conversation(system("s"), ...turns(8));
  expect(planCompaction(requestFor(told, 0.2))).toEqual(planCompaction(requestFor(told, 0.2)));
});

test("too many messages are handed off even where few tokens are", () => {
  const { plan } = compact(conversation(...turns(6)), 1.2, { mustHandOff: true, policy: presets.factor3 });
  expect(plan.steps.map((each) => each.stage)).toContain("hand-off");
  const short = compact(conversation(user("a"), assistant("b")), 20, { mustHandOff: true });
  expect(short.plan.steps).toEqual([]);
});

test.each(["openai", "anthropic"])("keeps untouched messages as the same objects (%s)", (format) => {
  const told = (format === "openai" ? conversation : anthropicConversation)(
    system("s"),
    ...turns(20),
    user("Thanks."),
  );
  const { after } = compact(told, 0.3);
  expect(after[0]).toBe(told.messages[0]);
  expect(after.filter((message) => message === told.messages[message.position]).length).toBeGreaterThan(1);
});

test("[R2] a call under way stays, with its arguments, and nothing is made up for its result", () => {
  const told = conversation(
    ...turns(6),
    user("Deploy it."),
    assistant("", call("deploy", { to: "staging" })),
  );
  const { after } = compact(told, 0.15);
  expect(after.at(-1)).toBe(told.messages.at(-1));
});

test("[R8] the ask that the last group follows at once stays in its place, the group whole beside it", () => {
  const told = conversation(system("Be brief."), ...turns(14), user("What does gate do?"), ...step("gate"));
  const target = Math.floor(countedTokensIn(told, counter) * 0.2);
  const own = told.messages.slice(-3);
  // The group alone is over what the tail may take.
  expect(own.slice(1).reduce((sum, message) => sum + counter.message(message), 0)).toBeGreaterThan(
    target * presets.balanced.retention.ceiling,
  );
  const { after } = compact(told, 0.2);
  expect(after.slice(-2)).toEqual(own.slice(1));
  expect(proseOf(after.at(-3)!)).toMatch(/\[End of hand-off\]\s*What does gate do\?$/);
  expect(proseOf(after.at(-3)!).split("What does gate do?")).toHaveLength(2);
});

test("[R8 R44] the newest ask stays verbatim beside one result of five megabytes", () => {
  const ask = user("Please find out why worker 17 stalls. Never restart the database.");
  const lines = Array.from(
    { length: 100_000 },
    (_, at) => `2026-11-15 12:00:00 INFO worker ${at % 40} did its share ${at}`,
  );
  const told = conversation(
    ask,
    assistant("", call("bash", { command: "cat log" })),
    result(lines.join("\n")),
  );
  expect(lines.join("\n").length).toBeGreaterThan(5_000_000);
  const { after, plan } = compact(told, 0.01);
  expect(plan.passes).toBeLessThanOrEqual(4);
  expect(textOfMessage(after[0]!)).toContain(ask.content);
  expect(after.slice(1).map(({ position }) => position)).toEqual([1, 2]);
});

test("[R44] a conversation that is one user message of megabytes keeps what it asks and binds", () => {
  const ask = "Please summarise this log.";
  const rule = "You must not name customers.";
  const told = conversation(user(`${ask}\n\n${code("a").repeat(1500)}\n\n${rule}`));
  const { after } = compact(told, 0.001);
  expect(after).toHaveLength(1);
  expect(textOfMessage(after[0]!)).toContain(ask);
  expect(textOfMessage(after[0]!)).toContain(rule);
});

test("pins stay whole in the middle and in the tail, with their groups", () => {
  const told = conversation(...turns(6));
  const pins = [6, 22];
  const messages = told.messages.map((each) =>
    pins.includes(each.position) ? { ...each, pinned: true } : each,
  );
  const { after } = compact({ ...told, messages }, 0.45);
  for (const pin of [5, ...pins]) expect(after).toContain(messages[pin]);
});

test("[F30] system messages stay wherever they stand", () => {
  const told = conversation(system("a"), ...turns(3), system("b"), ...turns(3), system("c"));
  const { after } = compact(told, 0.2);
  const prompts = told.messages.filter((message) => message.role === "system");
  expect(after.filter((message) => message.role === "system")).toEqual(prompts);
  expect(after.at(-2)!.role).not.toBe("system");
  expect(after.at(-2)!.position).toBeGreaterThan(0);
});

test("ends well where the assistant had the last word", () => {
  const { after } = compact(conversation(...turns(6)), 0.2);
  expect(after.at(-1)!.role).toBe("assistant");
  expect(after.map(textOfMessage).join("\n")).toContain("What does module5 do?");
});

test.each([
  ["nothing at all", []],
  ["only system messages", [system("a"), system("b ".repeat(500))]],
])("there is no plan for %s", (_, told) => {
  expect(planCompaction(requestFor(conversation(...told), 0.5)).steps).toEqual([]);
});

test("[F51] null contents neither break a plan nor leave two hand-offs", () => {
  const empty = { role: "assistant", content: null };
  const told = conversation(
    { role: "system", content: null },
    ...turns(4),
    empty,
    { role: "user", content: null },
    ...turns(2),
  );
  for (const policy of [presets.balanced, presets.hermes]) {
    const { after, plan } = compact(told, 0.3, { policy });
    expect(prefixes(after)).toBe(1);
    expect(plan.tokensAfter).toBeLessThan(plan.tokensBefore);
  }
});

test("[F51] two and more compactions in a row leave one hand-off, and what binds stays", () => {
  const rule = "Never rename a public function.";
  for (const policy of Object.values(presets)) {
    let told = conversation(system("s"), user(`Refactor it. ${rule}`), assistant("Yes."), ...turns(8));
    for (let round = 0; round < 4; round++) {
      const { after } = compact(told, 0.3, { policy, compactions: round });
      const wire = formatNamed("openai-chat").write({ ...told, messages: after }) as readonly WireMessage[];
      expect(wire.filter(({ content }) => String(content).includes("[End of hand-off]"))).toHaveLength(1);
      expect(JSON.stringify(wire)).toContain(rule);
      told = conversation(...wire, ...turns(6));
    }
  }
});

/** One long turn, so that the hand-off of hermes joins the user message that ends its head. */
test("[F51] a hand-off that was merged into a message of the head is folded into the next one", () => {
  const head = [system("s"), user("Hello."), assistant("Hi."), user("Fix all. Never rename files.")];
  const { hermes } = presets;
  const policy: Policy = { ...hermes, retention: { ...hermes.retention, whole: false } };
  const work = (from: number) => Array.from({ length: 20 }, (_, at) => step(`file${from + at}`)).flat();
  const first = conversation(...head, ...work(0));
  const once = compact(first, 0.3, { policy }).after;
  expect(once[3]!.parts).toHaveLength(2);
  const wire = formatNamed("openai-chat").write({ ...first, messages: once }) as readonly WireMessage[];
  for (const ending of [[], [assistant("Done."), ...turns(3)]]) {
    const second = conversation(...wire, ...work(20), ...work(40), ...work(60), ...ending);
    const { after } = compact(second, 0.39, { policy, compactions: 1 });
    expect(after[3]!.position).toBe(3);
    expect(prefixes(after)).toBe(1);
    expect(after.map(proseOf).join("\n")).toContain("Never rename files.");
  }
});

test("[F44] hermes notes the first hand-off in the system prompt, and no later one", () => {
  const told = conversation(system("Be brief."), ...turns(8));
  const { after } = compact(told, 0.3, { policy: presets.hermes });
  expect(textOfMessage(after[0]!)).toMatch(/^Be brief\.\n\n\[Note: Some earlier/);
  for (const more of [
    { policy: presets.hermes, systemNoted: true },
    { policy: presets.balanced },
    { policy: presets["hermes-lean"] },
  ]) {
    expect(compact(told, 0.3, more).after[0]).toBe(told.messages[0]);
  }
});

test("[F52] the prefix is the same for every way to the hand-off", () => {
  const told = conversation(user("Start."), assistant("Yes."), ...turns(8));
  for (const action of ["hand-off", "trim"] as const) {
    for (const share of [0.35, 0.1]) {
      const { after } = compact(told, share, { policy: presets.hermes, action });
      expect(after.some((message) => textOfMessage(message).includes(SUMMARY_PREFIX))).toBe(true);
    }
  }
});

test("below the floor the error names what cannot shrink, and at the floor it can be had", () => {
  const told = conversation(
    user("Refactor it. Never rename a public function."),
    assistant("Yes."),
    ...turns(6),
  );
  const messages = told.messages.map((each) => (each.position === 4 ? { ...each, pinned: true } : each));
  const pinned = { ...told, messages };
  const floor = floorOf(requestFor(pinned, 0.5));
  expect(floor.parts.map((part) => part.name)).toEqual([
    "frame",
    "task",
    "constraints",
    "pinned messages",
    "last message",
  ]);
  expect(floor.parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(floor.tokens);
  const at = (targetTokens: number) => planCompaction({ ...requestFor(pinned, 1), targetTokens });
  expect(at(floor.tokens).tokensAfter).toBeLessThanOrEqual(floor.tokens);
  expect(() => at(0)).toThrow(TargetUnreachableError);
  expect(() => at(0)).toThrow(/pinned messages \d+/);
});

test("the floor is never above what the conversation has, and only what is pinned can be unpinned", () => {
  const small = conversation(user("hi"), assistant("hello"));
  const tokens = countedTokensIn(small, counter);
  const at = (told: Conversation, targetTokens: number) => () =>
    planCompaction({ ...requestFor(told, 1), targetTokens });
  expect(at(small, 3)).toThrow(
    `The target of 3 tokens is below the floor of ${tokens}: the conversation has no more than that, and it cannot be made smaller.`,
  );
  const long = conversation(...turns(6), user("And?"), assistant("Fine."));
  expect(at(long, 3)).toThrow(/last message \d+\. Ask for at least \d+ tokens\.$/);
  const messages = long.messages.map((each) => (each.position === 4 ? { ...each, pinned: true } : each));
  expect(at({ ...long, messages }, 3)).toThrow(/Ask for at least \d+ tokens, or unpin messages\.$/);
});

test("of any target most is used, however the tokens are divided between the messages", () => {
  const short = Array.from({ length: 20 }, (_, at) => [
    user(`And week ${at}?`),
    assistant(`It is ${at * 3}.`),
  ]).flat();
  const shapes = {
    "one long message of the agent": [
      user("Write."),
      assistant(`\`\`\`\n${[..."mnopqrst"].map(code).join("\n")}\n\`\`\``),
      ...short,
    ],
    "one long message of the user": [
      user(`Look at this:\n${[..."mnopqrst"].map(code).join("\n")}`),
      ...short,
    ],
    "a few long ones": ["a", "b", "c", "d"].flatMap((name) => [
      user(`Is this right?\n${code(name)}`),
      assistant("Yes."),
    ]),
    "long turns": [...turns(3), user("Go on."), ...step("d"), ...step("e"), assistant("Done."), user("And?")],
  };
  for (const [name, told] of Object.entries(shapes)) {
    for (const share of [0.95, 0.8, 0.65, 0.5]) {
      const { plan } = compact(conversation(...told), share);
      expect(plan.tokensAfter / plan.targetTokens, `${name}, ${share}`).toBeGreaterThan(0.85);
      expect(plan.tokensAfter).toBeLessThanOrEqual(plan.targetTokens);
    }
  }
});

test("what stands for the span is one message that is all hand-off, or joins its neighbour", () => {
  const { after, plan } = compact(conversation(...turns(8), ...step("last")), 0.3, {
    policy: presets.deepagents,
  });
  const handoff = plan.steps.find((each) => each.stage === "hand-off")!;
  const added = handoff.edits.filter((edit) => edit.kind === "insert");
  expect(added).toHaveLength(after.filter(isHandoffMessage).length);
  expect(prefixes(after)).toBe(1);
});

test("[R10] where nothing of the last tool group would be shown, the hand-off tells of it and the ask is restated below", () => {
  const ask = "Which of them use the clock? Never rename a file.";
  const told = conversation(system("s"), ...turns(6), user(ask), ...step("clock"), ...step("last"));
  const { after, plan } = compact(told, 0.05);
  expect(after.map(({ role }) => role)).toEqual(["system", "user"]);
  const [handoff, restated] = after[1]!.parts.map((part) => (part.type === "text" ? part.text : ""));
  expect(handoff).toContain("src/last.ts");
  expect(handoff).not.toContain(ask);
  expect(restated).toBe(ask);
  expect(plan.regions.recent).toEqual([told.messages.findLast(({ role }) => role === "user")!.position]);
});

test("a last tool group stays while a call of it runs, where it is pinned, and where it is all there is", () => {
  const calls = (messages: readonly Message[]) =>
    messages.flatMap(({ parts }) => parts).filter(({ type }) => type === "tool-call").length;
  const running = conversation(...turns(6), user("Go on."), assistant("", call("read_file", { path: "a" })));
  expect(calls(compact(running, 0.05).after)).toBe(1);
  const ended = conversation(...turns(6), user("Go on."), ...step("last"));
  const messages = ended.messages.map((each, at, all) =>
    at === all.length - 1 ? { ...each, pinned: true } : each,
  );
  expect(calls(compact({ ...ended, messages }, 0.3).after)).toBeGreaterThan(0);
  expect(calls(compact(conversation(user("Read it."), ...step("only")), 0.2).after)).toBe(1);
});

test("[R8] a restated ask of up to a quarter of the target stays as it was written, marks and all", () => {
  const ask = "- `pith enable` no longer asks twice <- why has this no tests? ";
  const told = conversation(...turns(8), user(ask), ...step("last"));
  const targetTokens = 4 * counter.text(ask);
  const { after } = compact(told, 1, { targetTokens });
  expect(after.at(-1)!.parts.at(-1)).toEqual({ type: "text", text: ask });
});

test("[R8] an ask that a later hand-off has left behind is not restated", () => {
  const handoff = `[Pith hand-off] Past reference:\n## Story so far\n[1] User: Now fix the clock.\n(open)\n[End of hand-off]`;
  const told = conversation(
    user("Read all."),
    ...turns(2),
    user("And?"),
    assistant(handoff),
    ...step("last"),
  );
  const { after } = compact(told, 0.1);
  const text = after.map(textOfMessage).join("\n");
  expect(text).toContain("Now fix the clock.");
  expect(proseOf(after.at(-1)!)).not.toBe("And?");
});

test("[R10] an ask that was answered, or that another message came after, is not restated", () => {
  const ask = "Deploy to production now.";
  const notice = "<task-notification>Done.</task-notification>";
  for (const since of [[assistant("Deployed. All done.")], [user(notice)]]) {
    const told = conversation(...turns(6), user(ask), ...step("deploy"), ...since, ...step("last"));
    expect(proseOf(compact(told, 0.05).after.at(-1)!)).not.toContain(ask);
  }
});

test("a plan holds the originals of all that its texts name, whatever was planned before with the same marks", () => {
  const told = conversation(...turns(12), user("And now?"));
  const marks = createMarks();
  for (const share of [0.8, 0.3, 0.05]) {
    const { plan, after } = compact(told, share, { marks });
    const named = new Set(after.flatMap((message) => textOfMessage(message).match(MARKER) ?? []));
    expect(named.size).toBeGreaterThan(0);
    const held = new Set(plan.originals.map(({ id }) => id));
    expect([...named].filter((id) => !held.has(id))).toEqual([]);
    expect(plan).toEqual(compact(told, share, { marks: createMarks() }).plan);
    const inSpans = new Set(plan.originals.flatMap(idsOfItem));
    expect([...held].filter((id) => !named.has(id) && !inSpans.has(id))).toEqual([]);
    expect([...inSpans].filter((id) => !held.has(id))).toEqual([]);
  }
  expect(compact(told, 0.3).plan.originals).toEqual([]);
});

test("messages that do not stay whole are not cut to find that out: trying costs no more than their size", () => {
  const told = conversation(...turns(12));
  const { hermes } = presets;
  const cutMessages = (whole: boolean) => {
    let cut = 0;
    const message = (each: Message) => {
      if (each.changed) cut++;
      return counter.message(each);
    };
    const policy: Policy = { ...hermes, retention: { ...hermes.retention, whole } };
    const plan = planCompaction(requestFor(told, 0.05, { policy, counter: { ...counter, message } }));
    return { cut, passes: plan.passes };
  };
  expect(cutMessages(true).passes - cutMessages(false).passes).toBe(3);
  expect(cutMessages(true).cut).toBe(cutMessages(false).cut);
});

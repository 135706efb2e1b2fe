import { expect, test } from "vitest";
import { createMarks } from "../archive/marks.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { presets } from "../policy/presets.ts";
import { formatNamed, readConversation, writeConversation } from "../providers/detect.ts";
import { validateRequest } from "../providers/validate/index.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { applyPlan } from "./apply-plan.ts";
import { countedTokensIn } from "./counted-tokens.ts";
import { planCompaction } from "./plan-compaction.ts";
import type { PlanRequest } from "./plan-request.ts";
import { violations } from "./violations.ts";

const counter = createTokenCounter();
const lines = (from: number) =>
  Array.from(
    { length: 60 },
    (_, at) => `export const value${from + at} = compute(${at}); // of ${from}`,
  ).join("\n");
const data = (at: number) => Buffer.from(`picture ${at} `.repeat(40)).toString("base64");
const TEN = Array.from({ length: 10 }, (_, at) => data(at));
const ALL = [...TEN.keys()];
const IMAGE_TOKENS = 1600;

/** How each wire says the same. */
interface Wire {
  readonly format: string;
  readonly body: (items: readonly unknown[]) => unknown;
  readonly said: (role: "user" | "assistant", text: string) => unknown;
  readonly asked: (pictures: readonly string[], text: string) => unknown;
  readonly called: (id: string, output: string) => readonly unknown[];
  /** A call whose result is a picture. */
  readonly looked: (id: string, picture: string) => readonly unknown[];
}

const png = (picture: string) => `data:image/png;base64,${picture}`;
const chatCall = (id: string) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "look", arguments: "{}" } }],
});
const chatImages = (pictures: readonly string[]) =>
  pictures.map((picture) => ({ type: "image_url", image_url: { url: png(picture) } }));
const blocks = (pictures: readonly string[]) =>
  pictures.map((each) => ({
    type: "image",
    source: { type: "base64", media_type: "image/png", data: each },
  }));
const inputs = (pictures: readonly string[]) =>
  pictures.map((picture) => ({ type: "input_image", detail: "auto", image_url: png(picture) }));
const use = (id: string) => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name: "look", input: {} }],
});
const used = (id: string, content: unknown) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content }],
});
const functionCall = (id: string) => ({ type: "function_call", call_id: id, name: "look", arguments: "{}" });

const wires: readonly Wire[] = [
  {
    format: "openai-chat",
    body: (messages) => ({ model: "gpt-5", messages }),
    said: (role, content) => ({ role, content }),
    asked: (pictures, text) => ({ role: "user", content: [...chatImages(pictures), { type: "text", text }] }),
    called: (id, content) => [chatCall(id), { role: "tool", tool_call_id: id, content }],
    looked: (id, picture) => [
      chatCall(id),
      { role: "tool", tool_call_id: id, content: "taken" },
      { role: "user", content: chatImages([picture]) },
    ],
  },
  {
    format: "anthropic-messages",
    body: (messages) => ({ model: "claude-sonnet-4", max_tokens: 1000, messages }),
    said: (role, content) => ({ role, content }),
    asked: (pictures, text) => ({ role: "user", content: [...blocks(pictures), { type: "text", text }] }),
    called: (id, content) => [use(id), used(id, content)],
    looked: (id, picture) => [use(id), used(id, blocks([picture]))],
  },
  {
    format: "openai-responses",
    body: (input) => ({ model: "gpt-5", input }),
    said: (role, content) => ({ role, content }),
    asked: (pictures, text) => ({
      role: "user",
      content: [...inputs(pictures), { type: "input_text", text }],
    }),
    called: (id, output) => [functionCall(id), { type: "function_call_output", call_id: id, output }],
    looked: (id, picture) => [
      functionCall(id),
      { type: "function_call_output", call_id: id, output: inputs([picture]) },
    ],
  },
];

const past = ({ said }: Wire, turns: number): readonly unknown[] =>
  Array.from({ length: turns }, (_, at) => [
    said("user", `Read module ${at}.`),
    said("assistant", lines(at)),
  ]).flat();
const work = ({ called }: Wire, steps: number): readonly unknown[] =>
  Array.from({ length: steps }, (_, at) => called(`w${at}`, lines(at))).flat();

/** Plans and carries out for a target that is a wish, in a window that has this much room. */
function compact(wire: Wire, items: readonly unknown[], limits: Partial<PlanRequest>) {
  const told: Conversation = readConversation(wire.body(items), { format: wire.format });
  const plan = planCompaction({
    conversation: told,
    policy: presets.balanced,
    counter,
    targetTokens: Math.floor(countedTokensIn(told, counter) * 0.3),
    action: "trim",
    compactions: 0,
    format: formatNamed(told.format),
    ...limits,
  });
  const after = applyPlan(told, plan);
  expect(violations(told.messages, after.messages)).toEqual([]);
  const body = writeConversation(after);
  expect(validateRequest(body, { format: wire.format, alternate: true }).faults).toEqual([]);
  expect(plan.tokensAfter).toBe(countedTokensIn(after, counter));
  expect(plan.tokensAfter).toBeLessThanOrEqual(plan.targetTokens);
  expect(plan.steps.at(-1)!.tokensAfter).toBe(plan.tokensAfter);
  expect(plan.inViewTokens ?? 0).toBeLessThan(plan.tokensAfter);
  const text = JSON.stringify(body);
  return { plan, text, pictures: ALL.filter((at) => text.includes(TEN[at]!)) };
}

test.each(wires)(
  "[$format] the pictures of the latest ask stay, and a soft target is exceeded for them",
  (wire) => {
    const items = [...past(wire, 60), wire.asked(TEN, "Which of these is broken?")];
    const { plan, pictures, text } = compact(wire, items, { targetTokens: 12_000, roomTokens: 100_000 });
    expect(pictures).toEqual(ALL);
    expect(text).toContain("Which of these is broken?");
    expect(text).toContain("[Pith hand-off]");
    expect(plan.tokensAfter).toBeGreaterThan(10 * IMAGE_TOKENS);
    expect(plan.tokensAfter).toBeLessThanOrEqual(12_000 + 10 * IMAGE_TOKENS + 1);
  },
);

test.each(wires)(
  "[$format] speakers take turns where what is in view is before what is protected",
  (wire) => {
    const log = (at: number) =>
      wire.said("assistant", `# SESSION_LOG\n## Token Usage @ 10:0${at}\nall of it`);
    const asked = wire.asked([TEN[0]!], "Which of these is broken?");
    const items = [wire.said("user", "Build it."), ...work(wire, 3), log(1), asked];
    const later = Array.from({ length: 9 }, (_, at) => wire.called(`v${at}`, lines(at))).flat();
    for (const targetTokens of [1_500, 3_000, 5_000]) {
      const limits = { targetTokens, roomTokens: 100_000 };
      const { pictures } = compact(wire, [...items, ...later.slice(0, 6), log(2), ...later.slice(6)], limits);
      expect(pictures).toEqual([0]);
    }
  },
);

test.each(wires)("[$format] they stay however long the agent works on them", (wire) => {
  const items = [...past(wire, 20), wire.asked(TEN, "Which of these is broken?"), ...work(wire, 60)];
  const { pictures, text } = compact(wire, items, { targetTokens: 12_000, roomTokens: 100_000 });
  expect(pictures).toEqual(ALL);
  expect(text).toContain("Which of these is broken?");
  expect(text).not.toContain('"w0"');
});

test.each(wires)("[$format] the screenshot that the agent looks at stays, older ones go", (wire) => {
  const looks = TEN.flatMap((picture, at) => [
    ...wire.called(`c${at}`, lines(at)),
    ...wire.looked(`s${at}`, picture),
  ]);
  const items = [...past(wire, 40), wire.said("user", "Fix the page."), ...looks];
  const limits = { targetTokens: 1_000, roomTokens: 100_000 };
  expect(compact(wire, items, limits).pictures).toEqual([9]);
  const asked = [...items, wire.said("assistant", lines(0)), wire.said("user", "Is the button green?")];
  expect(compact(wire, asked, limits).pictures).toEqual([9]);
});

test.each(wires)("[$format] a hard target holds them as long as the rest finds room beside them", (wire) => {
  const items = [...past(wire, 60), wire.asked(TEN, "Which of these is broken?")];
  const { plan, pictures, text } = compact(wire, items, { targetTokens: 10 * IMAGE_TOKENS + 1_000 });
  expect(pictures).toEqual(ALL);
  expect(text).toContain("[Pith hand-off]");
  expect(plan.targetTokens).toBeLessThanOrEqual(10 * IMAGE_TOKENS + 1_000);
});

test.each(wires)(
  "[$format] what a hard target cannot hold goes, the oldest first, and leaves its id",
  (wire) => {
    const items = [...past(wire, 60), wire.asked(TEN, "Which of these is broken?")];
    const marks = createMarks();
    const { pictures, text } = compact(wire, items, { targetTokens: 6_000, marks });
    expect(pictures).toEqual([7, 8, 9]);
    const [, id] = /\[image not shown: (pith:[0-9a-z]+)\]/.exec(text)!;
    expect(marks.items.get(id!)!.content).toContain(TEN[0]);
    expect(compact(wire, items, { targetTokens: 600, marks }).pictures).toEqual([]);
  },
);

test.each(wires)("[$format] a target below the floor is named without what may go", (wire) => {
  const items = [...past(wire, 60), wire.asked(TEN, "Which of these is broken?")];
  const told = () => compact(wire, items, { targetTokens: 10 });
  expect(told).toThrow(TargetUnreachableError);
  expect(told).toThrow(/below the floor of \d{2,3}:/);
});

test("where the window holds little more than the pictures, the rest leaves room to go on", () => {
  const [wire] = wires as [Wire];
  const items = [...past(wire, 60), wire.asked(TEN, "Which of these is broken?")];
  const { plan, pictures } = compact(wire, items, { targetTokens: 12_000, roomTokens: 20_000 });
  expect(pictures).toEqual(ALL);
  expect(plan.tokensAfter).toBeLessThanOrEqual(18_001);
  const narrow = compact(wire, items, { targetTokens: 6_000, roomTokens: 10_000 });
  expect(narrow.pictures).toEqual(ALL.slice(-narrow.pictures.length));
  expect(narrow.pictures.length).toBeGreaterThan(3);
  expect(narrow.plan.tokensAfter).toBeLessThanOrEqual(10_000);
});

test("a long text beside the pictures is cut, the pictures are not", () => {
  const [wire] = wires as [Wire];
  const pasted = `Which of these is broken?\n\n${Array.from({ length: 200 }, (_, at) => lines(at)).join("\n")}`;
  const { pictures, text, plan } = compact(wire, [...past(wire, 20), wire.asked(TEN, pasted)], {
    targetTokens: 8_000,
    roomTokens: 100_000,
  });
  expect(pictures).toEqual(ALL);
  expect(text).toContain("Which of these is broken?");
  expect(plan.tokensAfter).toBeLessThanOrEqual(24_001);
});

test("a piece that no format knows stays too", () => {
  const [wire] = wires as [Wire];
  const hologram = { type: "hologram", data: lines(1) };
  const ask = { role: "user", content: [hologram, { type: "text", text: "What is this?" }] };
  const { text } = compact(wire, [...past(wire, 60), ask], { targetTokens: 3_000, roomTokens: 50_000 });
  expect(text).toContain(JSON.stringify(hologram));
});

import { expect, test } from "vitest";
import { END_MARKER, SUMMARY_PREFIX } from "../conversation/handoffs/prefixes.ts";
import type { Policy } from "../policy/policy.ts";
import { presets } from "../policy/presets.ts";
import {
  assistant,
  call,
  conversation,
  result,
  system,
  user,
  type WireMessage,
} from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { type SplitOptions, splitRegions } from "./regions.ts";

const counter = createTokenCounter();

function split(
  told: readonly WireMessage[],
  options: Partial<SplitOptions> & { pins?: readonly number[] } = {},
) {
  const { pins = [], ...rest } = options;
  const messages = conversation(...told).messages.map((message) =>
    pins.includes(message.position) ? { ...message, pinned: true } : message,
  );
  return splitRegions(messages, {
    policy: presets.balanced,
    counter,
    tailStart: messages.length - 1,
    compactions: 0,
    softTokens: 10_000,
    ...rest,
  });
}

const chat = (turns: number) =>
  Array.from({ length: turns }, (_, turn) => [
    user(`Question ${turn}.`),
    assistant(`Answer ${turn}.`),
  ]).flat();
const read = [assistant("", call("read", { path: "a" })), result("text of a")];

test("[F57] head is the leading system messages, recent the tail, archivable what is between", () => {
  expect(split([system("a"), system("b"), ...chat(3)], { tailStart: 6 })).toEqual({
    head: [0, 1],
    pinned: [],
    archivable: [2, 3, 4, 5],
    recent: [6, 7],
  });
});

test("a system message in the middle or in the tail stays and is no head", () => {
  const told = [system("a"), ...chat(1), system("b"), ...chat(1), system("c"), user("d")];
  expect(split(told, { tailStart: 6 })).toEqual({
    head: [0],
    pinned: [3, 6],
    archivable: [1, 2, 4, 5],
    recent: [7],
  });
  expect(split([user("a"), system("b")], { tailStart: 0 })).toMatchObject({
    head: [],
    pinned: [1],
    recent: [0],
  });
});

test("a pin keeps the whole tool group that it is in", () => {
  const told = [...chat(1), ...read, ...chat(1)];
  for (const pin of [2, 3]) expect(split(told, { pins: [pin] }).pinned).toEqual([2, 3]);
});

test("a pin costs none of the room for other protections", () => {
  expect(split([...chat(2)], { pins: [0], softTokens: 0 }).pinned).toEqual([0]);
});

test("[R45] the head decays where the policy says so, and its groups stay whole", () => {
  const told = [system("s"), user("go"), ...read, ...chat(2)];
  const head = { messages: 2, decays: true };
  const policy: Policy = { ...presets.balanced, head };
  expect(split(told, { policy }).head).toEqual([0, 1, 2, 3]);
  expect(split(told, { policy, compactions: 1 }).head).toEqual([0]);
  expect(split(told, { policy: { ...policy, head: { ...head, messages: 1.5 } } }).head).toEqual([0, 1]);
  const fossil: Policy = { ...policy, head: { ...head, decays: false } };
  expect(split(told, { policy: fossil, compactions: 9 }).head).toEqual([0, 1, 2, 3]);
});

const log = "# SESSION_LOG\nSummarized 8 messages → 1 summary (saved ~1,200 tokens)";
const checkpoint = (step: number) => `# Active state checkpoint\nstep: ${step}`;

test("[F30] SESSION_LOG content and the newest checkpoint are pinned", () => {
  const told = [
    user("a"),
    assistant(checkpoint(1)),
    user("b"),
    assistant(log),
    user("c"),
    assistant(checkpoint(2)),
    ...chat(1),
  ];
  expect(split(told).pinned).toEqual([3, 5]);
});

test("[R44] protections yield one by one, the oldest first, where there is no room for all", () => {
  const told = [
    user("a"),
    assistant(`${log}\n${"x y z ".repeat(500)}`),
    user("b"),
    assistant(checkpoint(2)),
    ...chat(1),
  ];
  expect(split(told, { softTokens: 100 }).pinned).toEqual([3]);
  expect(split(told, { softTokens: 0 }).pinned).toEqual([]);
  const policy: Policy = { ...presets.balanced, head: { messages: 2, decays: false } };
  expect(split(told, { policy, softTokens: 100 }).head).toEqual([]);
});

test("[F65 F86] messages of anyone with enough groups of markers are promoted, the newest first", () => {
  const doubt = "Wait, actually I was wrong. Let me verify this.";
  const told = [
    user("a"),
    assistant(doubt),
    user(doubt),
    assistant("Hmm."),
    user("c"),
    assistant(doubt),
    ...chat(1),
  ];
  expect(split(told, { policy: presets.synthorg }).pinned).toEqual([1, 2, 5]);
  const one = counter.message(conversation(assistant(doubt)).messages[0]!);
  expect(split(told, { policy: presets.synthorg, softTokens: one }).pinned).toEqual([5]);
  const complex = { ...presets.synthorg, markers: { promoteAt: 1, annotate: true } };
  expect(split(told, { policy: complex }).pinned).toEqual([1, 2, 3, 5]);
  expect(split(told).pinned).toEqual([]);
});

test("a promoted message that makes calls brings their results along", () => {
  const told = [
    user("a"),
    assistant("Wait, hold on, let me verify: perhaps.", call("ls")),
    result("x"),
    ...chat(1),
  ];
  expect(split(told, { policy: presets.synthorg }).pinned).toEqual([1, 2]);
});

test("an earlier hand-off is never head, protected or promoted, whoever said it", () => {
  const handoff = `${SUMMARY_PREFIX}\nWait, actually I was wrong. Let me verify.\n${log}\n${END_MARKER}`;
  const policy: Policy = {
    ...presets.synthorg,
    head: { messages: 1, decays: false },
  };
  for (const role of ["user", "assistant", "system"]) {
    const told = [{ role, content: handoff }, ...chat(2)];
    const { head, pinned, archivable } = split(told, { policy });
    expect([...head, ...pinned]).not.toContain(0);
    expect(archivable).toContain(0);
  }
});

test("every message is in exactly one region", () => {
  const told = [system("s"), ...chat(3), ...read, system("t"), assistant(log), ...chat(3)];
  for (let tailStart = 1; tailStart <= told.length; tailStart++) {
    const regions = split(told, { tailStart, policy: presets.hermes, pins: [4, 11] });
    expect(
      Object.values(regions)
        .flat()
        .sort((a, b) => a - b),
    ).toEqual(told.map((_, at) => at));
  }
});

test("promotes among thousands of messages without looking at all of them for each", () => {
  const policy = { ...presets.synthorg, markers: { promoteAt: 1, annotate: true } };
  const told = Array.from({ length: 8000 }, (_, at) => (at % 2 ? assistant("Hmm, wait.") : user("Go.")));
  expect(split(told, { policy, softTokens: 1e9 }).pinned).toHaveLength(3999);
});

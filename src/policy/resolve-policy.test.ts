import { expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import type { Policy } from "./policy.ts";
import { presets } from "./presets.ts";
import { resolvePolicy } from "./resolve-policy.ts";

test("gives the balanced preset when nothing is asked for", () => {
  expect(resolvePolicy(undefined)).toEqual(presets.balanced);
});

test("resolves every preset, alone and with every modifier", () => {
  for (const name of Object.keys(presets) as (keyof typeof presets)[]) {
    expect(resolvePolicy(name).name).toBe(name);
    for (const modifier of ["degraded", "complex", "deliberative", "debug"]) {
      expect(resolvePolicy(`${name}+${modifier}`).name).toBe(`${name}+${modifier}`);
    }
  }
});

test("returns a policy that is frozen throughout, and leaves the caller's own object alone", () => {
  const own = structuredClone(presets.balanced) as Policy;
  const resolved = resolvePolicy(own);
  expect(Object.isFrozen(resolved)).toBe(true);
  expect(Object.isFrozen(resolved.thresholds[0])).toBe(true);
  expect(Object.isFrozen(own)).toBe(false);
  expect(resolved).toEqual(own);
});

test("[F54 F57] the synthorg preset compacts at 80 %, from 4 messages, and keeps 3 turn pairs", () => {
  const { thresholds, minMessages, retention } = resolvePolicy("synthorg");
  expect(thresholds.map(({ at }) => at)).toEqual([0.8]);
  expect(minMessages).toBe(4);
  expect(retention.messages).toBe(3 * 2);
});

test("[F71] degraded takes ten points off each threshold and one turn off what stays", () => {
  const degraded = resolvePolicy("synthorg+degraded");
  expect(degraded.thresholds[0]?.at).toBe(0.7);
  expect(degraded.retention.messages).toBe(2 * 2);
  expect(resolvePolicy("factor3+degraded").thresholds.map(({ at }) => at)).toEqual([0.4, 0.7]);
});

test("[F71] degraded never keeps less than one turn and leaves the safety net where it is", () => {
  expect(resolvePolicy("balanced+degraded").retention).toMatchObject({ turns: 1, messages: 2 });
  expect(resolvePolicy("deepagents+degraded").retention).toMatchObject({ turns: 0, messages: 0 });
  expect(resolvePolicy("synthorg-agent+degraded").agentControlled).toEqual({ safetyAt: 0.95 });
});

test("[F65] complex keeps a message for one group of markers instead of three", () => {
  expect(resolvePolicy("synthorg").markers.promoteAt).toBe(3);
  expect(resolvePolicy("synthorg+complex").markers.promoteAt).toBe(1);
});

test.each(["deliberative", "verbose"])(
  "[F80] %s uses the marker threshold of complex tasks, whatever the preset",
  (modifier) => {
    expect(resolvePolicy(`synthorg+${modifier}`).markers.promoteAt).toBe(1);
    expect(resolvePolicy(`balanced+${modifier}`).markers.promoteAt).toBe(1);
  },
);

test("modifiers add up, in any order and with spaces around the plus signs", () => {
  const both = resolvePolicy("synthorg + complex +degraded" as "synthorg+complex+degraded");
  expect(both.name).toBe("synthorg+complex+degraded");
  expect(both).toEqual({ ...resolvePolicy("synthorg+degraded+complex"), name: both.name });
});

test("hermes-lean compacts small windows from 75 % and large ones from 50 %", () => {
  expect(resolvePolicy("hermes-lean", 200_000).thresholds[0]?.at).toBe(0.75);
  expect(resolvePolicy("hermes-lean", 511_999).thresholds[0]?.at).toBe(0.75);
  expect(resolvePolicy("hermes-lean", 512_000).thresholds[0]?.at).toBe(0.5);
  expect(resolvePolicy("hermes-lean").thresholds[0]?.at).toBe(0.5);
  expect(resolvePolicy("hermes-lean", 1_000_000).triggerCapTokens).toBe(256_000);
});

test.each([
  [8_000, 1_600],
  [32_000, 6_400],
  [200_000, 10_000],
  [600_000, 15_000],
  [2_000_000, 25_000],
])("hermes-lean at a window of %i keeps a tail of %i tokens", (window, tail) => {
  expect(resolvePolicy("hermes-lean", window).retention).toMatchObject({ tokens: tail });
});

test("an unknown preset is refused with what there is and what was probably meant", () => {
  expect(() => resolvePolicy("balnced" as never)).toThrow(
    /no preset "balnced".*Did you mean "balanced"\?.*gptme/,
  );
  expect(() => resolvePolicy("zzzzzzzz" as never)).toThrow(/^(?!.*Did you mean).*balanced, gptme/);
  expect(() => resolvePolicy("syn" as never)).toThrow(/Did you mean "synthorg"/);
  expect(() => resolvePolicy("" as never)).toThrow(OptionsError);
  expect(() => resolvePolicy("constructor" as never)).toThrow(OptionsError);
  expect(() => resolvePolicy("x".repeat(1_000_000) as never)).toThrow(/"x{60}…"/);
});

test("an unknown or repeated modifier is refused", () => {
  expect(() => resolvePolicy("balanced+debgu")).toThrow(/no modifier "debgu".*Did you mean "debug"/);
  expect(() => resolvePolicy("balanced+")).toThrow(/no modifier ""/);
  expect(() => resolvePolicy("balanced+__proto__")).toThrow(/no modifier/);
  expect(() => resolvePolicy("balanced+debug+debug")).toThrow(/"debug" is named twice/);
});

const wrongPolicies: readonly [field: string, policy: unknown][] = [
  ["preset", null],
  ["preset", 7],
  ["preset", []],
  ["name", { ...presets.balanced, name: " " }],
  ["thresholds", { ...presets.balanced, thresholds: [] }],
  ["thresholds", { ...presets.balanced, thresholds: undefined }],
  ["thresholds[0]", { ...presets.balanced, thresholds: ["50%"] }],
  ["thresholds[0].at", { ...presets.balanced, thresholds: [{ at: 75, action: "hand-off" }] }],
  ["thresholds[0].at", { ...presets.balanced, thresholds: [{ at: 0, action: "hand-off" }] }],
  ["thresholds[0].at", { ...presets.balanced, thresholds: [{ at: Number.NaN, action: "hand-off" }] }],
  ["thresholds[1].at", { ...presets.balanced, thresholds: [...presets.balanced.thresholds].reverse() }],
  ["thresholds[0].action", { ...presets.balanced, thresholds: [{ at: 0.5, action: "explode" }] }],
  [
    "thresholds[0].messages",
    { ...presets.balanced, thresholds: [{ at: 0.5, action: "trim", messages: -1 }] },
  ],
  ["agentControlled.safetyAt", { ...presets.balanced, agentControlled: { safetyAt: 0.9 } }],
  ["agentControlled", { ...presets.balanced, agentControlled: null }],
  ["triggerCapTokens", { ...presets.balanced, triggerCapTokens: 0 }],
  ["targetRatio", { ...presets.balanced, targetRatio: 0.75 }],
  ["targetOf", { ...presets.balanced, targetOf: "budget" }],
  ["minReclaim", { ...presets.balanced, minReclaim: undefined }],
  ["minMessages", { ...presets.balanced, minMessages: "4" }],
  ["intervalMs", { ...presets.balanced, intervalMs: -1 }],
  ["retention.turns", { ...presets.balanced, retention: { messages: 1, ceiling: 0.5 } }],
  ["retention.percent", { ...presets.balanced, retention: { ...presets.balanced.retention, percent: 10 } }],
  ["retention.tokens", { ...presets.balanced, retention: { ...presets.balanced.retention, tokens: 0 } }],
  ["stripReasoning.distance", { ...presets.balanced, stripReasoning: null }],
  ["shape.minTokens", { ...presets.balanced, shape: { order: "oldest-first" } }],
  ["shrinkArguments.leafChars", { ...presets.balanced, shrinkArguments: {} }],
  ["extract.ratio", { ...presets.balanced, extract: { ratio: 1.5, minTokens: 0, distance: 0 } }],
  ["markers.promoteAt", { ...presets.balanced, markers: { promoteAt: 0, annotate: true } }],
  ["enabled", { ...presets.balanced, enabled: "yes" }],
];

test.each(wrongPolicies)("a policy of one's own with a wrong %s is refused by that name", (field, policy) => {
  let caught: unknown;
  try {
    resolvePolicy(policy as Policy);
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(OptionsError);
  expect(caught).toMatchObject({ option: field, code: "INVALID_OPTIONS" });
});

test("[F17] a policy of one's own sets other thresholds", () => {
  const own: Policy = { ...presets.gptme, name: "tuned", thresholds: [{ at: 0.62, action: "extract" }] };
  expect(resolvePolicy(own).thresholds).toEqual([{ at: 0.62, action: "extract" }]);
});

import { expect, test } from "vitest";
import { createStrayKeys } from "./stray-keys.ts";

const created = () => createStrayKeys("a job", ["id", "window", "tools"], ["size"]);

test("a key that is nearly one which the line does not have is a fault", () => {
  const { faultIn, told } = created();
  expect(faultIn({ id: 1, windw: 5 })).toBe('there is no "windw" here (did you mean "window"?)');
  expect(faultIn({ id: 1, window: 4, windw: 5 })).toBeUndefined();
  expect(faultIn({ id: 1, uid: 2, kind: "x" })).toBeUndefined();
  expect(told()).toBe('Passed over, as a job has no such key: "windw", "uid", "kind"\n');
});

test("other keys are let through and told once, not more than ten of them", () => {
  const { faultIn, told } = created();
  expect(told()).toBe("");
  expect(faultIn({ id: 1, window: 2, tools: [], size: 3 })).toBeUndefined();
  expect(told()).toBe("");
  for (const line of [{ metadata: {} }, { metadata: {}, expected: "x\n" }])
    expect(faultIn(line)).toBeUndefined();
  expect(told()).toBe('Passed over, as a job has no such key: "metadata", "expected"\n');
  expect(faultIn(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`column ${at}`, at])))).toBe(
    undefined,
  );
  expect(told()).toMatch(/"column 7" and others\n$/);
});

import { expect, test } from "vitest";
import { lostFailures } from "./json-failures.ts";

test("[R40] finds failures at any depth that a summary does not show, with their keys", () => {
  const value = {
    a: { b: [{ message: "fine" }, { message: "one\nERROR: disk full\ntwo" }] },
    list: ["fatal: gone"],
  };
  expect(lostFailures(value, "")).toEqual(["message: ERROR: disk full", "list: fatal: gone"]);
  expect(lostFailures(value, "… ERROR: disk full …")).toEqual(["list: fatal: gone"]);
  expect(lostFailures('a\nERROR: "x"', 'escaped as ERROR: \\"x\\"')).toEqual([]);
  expect(lostFailures(["ERROR: x"], "")).toEqual(["ERROR: x"]);
});

test("a value nested deeper than calls can be is walked all the same", () => {
  const deep = JSON.parse(`${"[".repeat(5_000)}"ERROR: deep"${"]".repeat(5_000)}`) as unknown;
  expect(lostFailures(deep, "")).toEqual(["ERROR: deep"]);
});

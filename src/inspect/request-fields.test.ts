import { expect, test } from "vitest";
import { InspectRefusal } from "./refusal.ts";
import { planFields, readFields, searchFields } from "./request-fields.ts";

test("a date alone is all of that day, a time is itself", () => {
  const read = (since: string, until: string) => {
    const fields = readFields(searchFields, { q: "x", since, until });
    return [fields.since, fields.until];
  };
  expect(read("2026-11-02", "2026-11-02")).toEqual([
    Date.UTC(2026, 10, 2),
    Date.UTC(2026, 10, 2, 23, 59, 59, 999),
  ]);
  expect(read("2026-11-02T08:00:00Z", "1000")).toEqual([Date.UTC(2026, 10, 2, 8), 1_000]);
});

test.each([
  [searchFields, { q: "x", since: "yesterday" }, /since/],
  [searchFields, { q: "x", role: "root" }, /role/],
  [planFields, { conversation: "c", target: "a lot" }, /target/],
  [planFields, { conversation: "c", pins: [-1] }, /pins/],
  [planFields, { conversation: "c", taregt: 5 }, /taregt/],
] as const)("what is wrong is named: %#", (schema, given, named) => {
  expect(() => readFields(schema, given)).toThrow(InspectRefusal);
  expect(() => readFields(schema, given)).toThrow(named);
});

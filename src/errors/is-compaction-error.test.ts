import { expect, expectTypeOf, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { user } from "../testing/builders.ts";
import { isCompactionError } from "./is-compaction-error.ts";

test("an error is told by its code, with what it brings", async () => {
  const { report } = await createCompactor({ target: 1 }).compact([user("Never touch legacy.ts.")]);
  const { error } = report;
  expect(isCompactionError(error)).toBe(true);
  expect(isCompactionError(error, "ARCHIVE_FAILED")).toBe(false);
  if (!isCompactionError(error, "TARGET_UNREACHABLE")) throw new Error("It is of another kind.");
  expectTypeOf(error.floorTokens).toEqualTypeOf<number>();
  expect(error.floorTokens).toBeGreaterThan(1);
});

test("what others raise is none of ours", () => {
  for (const other of [new Error("disk full"), { code: "ARCHIVE_FAILED" }, undefined])
    expect(isCompactionError(other)).toBe(false);
});

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createCompactor, doorCompactor } from "../compactor.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { leaveWarningsOut, warnOfFailure } from "./warn-of-failure.ts";

const messages = [{ role: "user", content: "Fix the build of module 7." }];

async function warningsOf(work: () => unknown): Promise<readonly string[]> {
  const warnings: string[] = [];
  const hear = (warning: Error & { code?: string }) => warnings.push(`${warning.name} ${warning.code}`);
  process.on("warning", hear);
  await work();
  await setImmediate();
  process.off("warning", hear);
  return warnings;
}

test("a window that nobody said is a warning, the first time", async () => {
  const attempts = async () => {
    for (const compactor of [doorCompactor({}), createCompactor({ model: "nobody-knows-9" })])
      await compactor.compact(messages);
  };
  expect(await warningsOf(attempts)).toEqual(["PithWarning PITH_UNKNOWN_WINDOW"]);
  expect(await warningsOf(attempts)).toEqual([]);
});

test("what is wrong with one conversation is left to its report", async () => {
  const compact = () => createCompactor({ target: "50%" }).compact(messages, { target: 1 });
  expect((await compact()).report.error).toBeInstanceOf(TargetUnreachableError);
  expect(await warningsOf(compact)).toEqual([]);
  expect(await warningsOf(() => createCompactor({ target: "50%" }).compact("{}"))).toEqual([]);
});

test("a program that tells failures itself has no warnings", async () => {
  leaveWarningsOut();
  expect(await warningsOf(() => warnOfFailure(new ArchiveError("a.sqlite", "The disk is full.")))).toEqual(
    [],
  );
});

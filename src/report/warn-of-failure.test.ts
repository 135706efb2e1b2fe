import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryArchive } from "../archive/memory.ts";
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

test("a compaction that was refused for what it would have made of one conversation is left to its report", async () => {
  const compactor = createCompactor({ target: "50%" });
  const plan = await compactor.plan(messages, { target: "100%" });
  const apply = async () => {
    const { report } = await compactor.apply(messages, plan);
    expect(report.error).toMatchObject({ code: "COMPACTION_FAILED" });
  };
  expect(await warningsOf(apply)).toEqual([]);
});

test("what nobody foresaw is a warning that claims nothing about other conversations", async () => {
  const compact = (clock: () => number) => createCompactor({ target: "50%", clock }).compact(messages);
  const fails = () => {
    throw new Error("no time");
  };
  const said: string[] = [];
  const hear = ({ message }: Error) => said.push(message);
  process.on("warning", hear);
  expect(await warningsOf(() => compact(fails))).toEqual(["PithWarning PITH_COMPACTION_FAILED"]);
  process.off("warning", hear);
  expect(said.join()).toMatch(/^A conversation was not compacted: .*no time/);
});

const long = Array.from({ length: 20 }, (_, at) => ({
  role: at % 2 === 0 ? "user" : "assistant",
  content: `Part ${at}: ${"the words of it. ".repeat(40)}`,
}));

test.each(["onEvent", "sessionLog"] as const)(
  "%s that throws is a warning, once, and what was recorded is returned",
  async (option) => {
    const archive = memoryArchive();
    const fails = () => {
      throw new Error("disk full");
    };
    const compact = () => createCompactor({ target: "30%", archive, [option]: fails }).compact(long);
    const warnings = await warningsOf(async () => {
      const { report, state } = await compact();
      expect([report.compacted, report.error]).toEqual([true, undefined]);
      expect(await archive.compaction!(report.compaction!)).toMatchObject({ id: state.lastCompaction });
      await compact();
    });
    expect(warnings).toEqual(["PithWarning PITH_LISTENER_FAILED"]);
  },
);

test("so is one that rejects later", async () => {
  const compact = () =>
    createCompactor({
      target: "30%",
      onEvent: async ({ type }) => {
        if (type === "compaction-end") throw new Error(`late ${type}`);
      },
    }).compact(long);
  expect((await compact()).report.compacted).toBe(true);
});

test("a program that tells failures itself has no warnings", async () => {
  leaveWarningsOut();
  expect(await warningsOf(() => warnOfFailure(new ArchiveError("a.sqlite", "The disk is full.")))).toEqual(
    [],
  );
});

import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What a test process loads, its threads and the programs that it starts, is compiled once: they inherit this from here. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/pith-tests");

/** Where CI wants the results in a form that programs read. */
const report = process.env.PITH_TEST_REPORT;

/** Beside the source, and yet in a process of its own: it starts a server, reads recordings, or looks at what a process says once. */
const apart = [
  "src/archive/postgres.test.ts",
  "src/archive/postgres/{connection,many-writers,migrate}.test.ts",
  "src/providers/recordings.test.ts",
  "src/report/warn-of-failure.test.ts",
];
const elsewhere = ["**/node_modules/**", "test/adapters/**"];

/** Begun first, so that every core has work until the end: how long a file takes is not known in a new clone. */
const longest = [
  "test/gateway-replicas.test.ts",
  "test/gateway-restart.test.ts",
  "test/gateway.test.ts",
  "test/kill-nine.test.ts",
  "test/many-compactions.test.ts",
  "test/secrets-everywhere.test.ts",
  "test/gateway-secrets.test.ts",
  "test/recall-archives.test.ts",
  "test/every-recording.test.ts",
  "test/presets/doors.test.ts",
  "test/gateway-forget.test.ts",
  "test/forged-frames.test.ts",
  "test/wire-fuzz.test.ts",
  "test/gateway-same.test.ts",
  "test/properties.test.ts",
  "test/gateway-network.test.ts",
  "test/gateway-loop.test.ts",
  "test/presets/recordings.test.ts",
  "test/transcripts-recordings.test.ts",
  "test/cli-archive-operations.test.ts",
  "test/gateway-overload.test.ts",
  "test/inspector/accessible.test.ts",
  "test/cli-archive.test.ts",
  "test/cli-import.test.ts",
  "test/sessions-twice.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const at = longest.indexOf(relative(import.meta.dirname, moduleId));
      return at < 0 ? longest.length : at;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  test: {
    // One more than there are cores: a test that waits for a server or for another process leaves its core to the next.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["src/**/*.test.ts"],
          exclude: [...elsewhere, ...apart],
          // Values in, values out: they leave nothing behind that the next file would meet.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: [...apart, "test/**/*.test.ts", "eval/**/*.test.ts"],
          exclude: elsewhere,
          globalSetup: "test/compile-programs.ts",
          sequence: { groupOrder: 1 },
        },
      },
    ],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    coverage: {
      include: ["src/**/*.ts"],
      // The adapters are tested in a workspace of their own, with the SDKs: `npm run test:adapters`.
      exclude: ["src/**/*.test.ts", "src/cli/**", "src/testing/**", "src/adapters/**"],
      thresholds: { lines: 95 },
      reporter: ["text-summary", "json-summary"],
    },
  },
});

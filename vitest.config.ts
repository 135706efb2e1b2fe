import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

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

export default defineConfig({
  test: {
    // As many as there are cores: vitest itself has little to do while they work.
    maxWorkers: "100%",
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
          // The programs that they start are compiled once.
          env: { NODE_COMPILE_CACHE: join(tmpdir(), "pith-test-compiled") },
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

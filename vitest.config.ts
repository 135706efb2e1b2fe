import { defineConfig } from "vitest/config";

/** Where CI wants the results in a form that programs read. */
const report = process.env.PITH_TEST_REPORT;

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "eval/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/adapters/**"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
    coverage: {
      include: ["src/**/*.ts"],
      // The adapters are tested in a workspace of their own, with the SDKs: `npm run test:adapters`.
      exclude: ["src/**/*.test.ts", "src/cli/**", "src/testing/**", "src/adapters/**"],
      thresholds: { lines: 95 },
      reporter: ["text-summary", "json-summary"],
    },
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/adapters/*.test.ts"], root: ".", testTimeout: 120_000, maxWorkers: 1 },
});

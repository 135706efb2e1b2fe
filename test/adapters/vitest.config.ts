import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/adapters/*.test.ts"], root: ".", testTimeout: 600_000, maxWorkers: 1 },
});

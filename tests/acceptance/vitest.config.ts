import { defineConfig } from "vitest/config";

/** Black-box tests of the running server: `npm run acceptance`. They start processes, so each has time for that. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "driver/scratch.ts",
    reporters: ["default", "../../tools/plain-reporter.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores on the smallest machine, and every test has a server of its own beside it.
    maxWorkers: 2,
  },
});

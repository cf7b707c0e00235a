import { defineConfig } from "vitest/config";
import { stopMs } from "../support/stopped.ts";

/** Black-box tests of the running server: `npm run acceptance`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "driver/scratch.ts",
    reporters: ["default", "../../tools/plain-reporter.ts"],
    // No clock decides: these only stop what hangs.
    testTimeout: 5 * stopMs,
    hookTimeout: 5 * stopMs,
    expect: { poll: { timeout: stopMs } },
    // A worker serves many files: starting one for each cost more than what it loads. No file changes globals.
    isolate: false,
    // Two cores on the smallest machine, and every test has a server of its own beside it.
    maxWorkers: 2,
  },
});

import { defineConfig } from "vitest/config";
import { stopMs } from "../support/stopped.ts";

/** Labs: real parts, started by the suite's own command. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "../acceptance/driver/scratch.ts",
    reporters: ["default", "../../tools/plain-reporter.ts"],
    // Longer than anything inside may wait, so that what hangs says what it was.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: stopMs } },
    fileParallelism: false,
    // Tests that run side by side take turns by the hosts that they need, and nothing else is to hold them back.
    maxConcurrency: 1_000,
  },
});

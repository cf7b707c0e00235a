import { defineConfig } from "vitest/config";

/** Labs: real parts, started by the suite's own command. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.test.ts"],
    reporters: ["default", "../../tools/plain-reporter.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});

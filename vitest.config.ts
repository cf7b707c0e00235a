import { defineConfig } from "vitest/config";

/** Unit and structure tests: every `*.test.ts` beside what it tests. Suites that need the running product have their own command. */
export default defineConfig({
  test: {
    include: [
      "apps/*/{src,test}/**/*.test.{ts,tsx}",
      "packages/*/src/**/*.test.ts",
      "plugins/*/{src,test}/**/*.test.ts",
      "tools/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "tools/planted/**"],
    reporters: ["default", "./tools/plain-reporter.ts"],
    testTimeout: 30_000,
    // A worker serves many files: starting one for each cost more than the tests. No file changes globals.
    isolate: false,
    coverage: { provider: "v8", include: ["apps/*/src/**", "packages/*/src/**", "plugins/*/src/**"] },
  },
});

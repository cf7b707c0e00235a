import { configDefaults, defineConfig } from "vitest/config";
import { compileCache } from "./tests/support/child-environment.ts";
import { stopMs } from "./tests/support/stopped.ts";

/**
 * Unit and structure tests: every `*.test.ts` beside what it tests. Suites that need the running product have their own
 * command. `npx vitest run --project unit` is for every few minutes, both projects together are `npm test`.
 */
const tests = [
  "apps/*/{src,test}/**/*.test.{ts,tsx}",
  "packages/*/src/**/*.test.ts",
  "plugins/*/{src,test}/**/*.test.ts",
  "tools/**/*.test.ts",
];

/**
 * What starts programs or threads and waits for them: servers, terminals, sandboxes, stores on disk, bundlers. Everything
 * else is `unit`, whose setup refuses exactly that: a test that has to stand here says so itself.
 */
const startsProcesses = [
  "apps/agent/test/**",
  "apps/cli/src/commands/{data-directory,plugin-author,plugin-vectors}.test.ts",
  "apps/cli/test/**",
  "apps/server/test/{auth-compose,auth-races,main,marketplace,plugin-*,plugins}.test.ts",
  "packages/approval/src/verify/ssh-keygen.test.ts",
  "packages/bundle/src/vectors/**",
  "packages/bundle/src/verify/throw-anywhere.test.ts",
  "packages/plugin-sdk/src/{harness,scaffold}/**",
  "packages/plugin-sdk/src/hello-example.test.ts",
  "packages/sandbox/src/{launcher,launcher-input,process-table}.test.ts",
  "packages/store/src/{file-store,new-master-key,recover,running-log}.test.ts",
  "packages/store/src/audit-index/sqlite-index.test.ts",
  "packages/store/src/heads/heads.test.ts",
  "packages/store/src/telemetry/sqlite-telemetry.test.ts",
  "tools/agent-lint.test.ts",
  "tools/build/**",
  "tools/docs/approve-page.test.ts",
  "tools/gate/run-command.test.ts",
  "tools/give-input.test.ts",
  "tools/watch-starts.test.ts",
  "tools/rules-bite.test.ts",
];

// For the workers and the threads that tests start in them: a store opens one, and it is compiled once instead of each time.
process.env["NODE_COMPILE_CACHE"] ??= compileCache;

const never = [...configDefaults.exclude, "tools/planted/**"];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "process",
          include: startsProcesses.map((glob) => (glob.endsWith("**") ? `${glob}/*.test.ts` : glob)),
          exclude: never,
          setupFiles: ["tests/support/patient-actions.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "unit",
          include: tests,
          exclude: [...never, ...startsProcesses],
          setupFiles: ["tools/vitest-setup-unit.ts"],
          // After the others: a worker serves one project, and changing between them costs a start each time.
          sequence: { groupOrder: 1 },
        },
      },
    ],
    setupFiles: ["tools/vitest-setup.ts"],
    reporters: ["default", "./tools/plain-reporter.ts"],
    // No clock decides a test. These stop what hangs, far behind ten times of what the slowest takes.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: stopMs } },
    // A worker serves many files: starting one for each cost more than the tests. No file changes globals.
    isolate: false,
    maxWorkers: "100%",
    coverage: { provider: "v8", include: ["apps/*/src/**", "packages/*/src/**", "plugins/*/src/**"] },
  },
});

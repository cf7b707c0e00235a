import { manualClock } from "@gatehouse/base";
import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { type ActionName, actionNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { systemRunner, type SystemRunnerDeps } from "./system-runner.ts";

test.each([
  [1, { describe: 10_000, health: 10_000, plan: 30_000 }],
  [12, { describe: 120_000, health: 120_000, plan: 360_000 }],
])("an action may take its deadline, %i times", async (deadlineFactor, expected) => {
  const asked: Record<string, number> = {};
  const launcher = {
    level: "namespaces",
    stage: () => ({
      start: (action: ActionName, { deadlineMs }: { deadlineMs: number }) => {
        asked[action] = deadlineMs;
        throw new Error("started");
      },
    }),
  } as unknown as SystemRunnerDeps["launcher"];
  const broker = { attach: () => ({}) } as unknown as SystemRunnerDeps["broker"];
  const runner = systemRunner({ launcher, broker, deadlineFactor, clock: manualClock(), artifactPath: (id) => id });
  const manifest = { id: "acme-hello", runner: "system", publisher: "acme", capabilities: [] };
  const armed = await runner.arm({ manifest } as unknown as VerifiedBundle);
  for (const action of actionNames) await expect(armed.run(action, null)).rejects.toThrow("started");
  expect(asked).toEqual(expected);
});

import { manualClock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { describe, expect, test } from "vitest";
import { openLog } from "../../platform/log/index.ts";
import { type ActionRun, type Armed, noRunner, openRuntime, type Runner } from "./index.ts";

/** The runtime looks at nothing of a bundle but its id. */
const bundle = (id: string) => ({ manifest: { id } }) as unknown as VerifiedBundle;

function setUp(runner: Runner) {
  const lines: string[] = [];
  const log = openLog({ format: "text", write: (line) => lines.push(line) });
  return { runtime: openRuntime({ runner, log, clock: manualClock() }), lines };
}

const idle: Armed["run"] = () =>
  Promise.resolve({ outcome: { ok: true, result: { status: "ok" } }, calls: [], ms: 1 } satisfies ActionRun);

const willing = (disarm: () => Promise<void> = () => Promise.resolve()): Runner => ({
  arm: () => Promise.resolve({ sandbox: "landlock", run: idle, disarm }),
});

describe("the runtime", () => {
  test("knows what is armed, and forgets it when it is detached", async () => {
    const { runtime } = setUp(willing());
    expect(runtime.stateOf("netguard")).toEqual({
      state: "absent",
      sandbox: null,
      message: null,
      ledger: null,
    });
    await runtime.arm(bundle("netguard"));
    await runtime.arm(bundle("alpha"));
    expect(runtime.stateOf("netguard")).toMatchObject({ state: "armed", sandbox: "landlock", message: null });
    expect(runtime.armedIds()).toEqual(["alpha", "netguard"]);
    await runtime.disarm("netguard");
    await runtime.disarm("netguard");
    expect(runtime.armedIds()).toEqual(["alpha"]);
  });

  test("gives the reason of a runner that refuses, and nothing is armed", async () => {
    const { runtime } = setUp(noRunner("there is no sandbox here"));
    await expect(runtime.arm(bundle("netguard"))).rejects.toMatchObject({
      code: "plugin.activation_failed",
      detail: "there is no sandbox here",
    });
    expect(runtime.stateOf("netguard")).toMatchObject({
      state: "failed",
      message: "there is no sandbox here",
    });
    expect(runtime.armedIds()).toEqual([]);
  });

  test("keeps the cause of a defect for the log", async () => {
    const { runtime, lines } = setUp({ arm: () => Promise.reject(new Error("canary at /srv/run")) });
    await expect(runtime.arm(bundle("netguard"))).rejects.toMatchObject({
      code: "plugin.activation_failed",
      detail: expect.not.stringContaining("canary") as string,
    });
    expect(lines.join("")).toContain("canary");
  });

  test("access has ended also when the runtime would not stop, and the reason is kept", async () => {
    const { runtime } = setUp(
      willing(() => Promise.reject(fault("plugin.activation_failed", "the process 7 would not end"))),
    );
    await runtime.arm(bundle("netguard"));
    await expect(runtime.disarm("netguard")).rejects.toMatchObject({ detail: "the process 7 would not end" });
    expect(runtime.armedIds()).toEqual([]);
    expect(runtime.stateOf("netguard")).toMatchObject({ state: "failed", message: "the process 7 would not end" });
  });

  test("a plugin that is being detached is already gone for everybody else", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { runtime } = setUp(willing(() => promise));
    await runtime.arm(bundle("netguard"));
    const detaching = runtime.disarm("netguard");
    expect(runtime.armedIds()).toEqual([]);
    resolve();
    await detaching;
  });

  test("when it closes, everything is detached, and nothing is armed afterwards", async () => {
    const detached: string[] = [];
    const late = Promise.withResolvers<void>();
    const { runtime } = setUp({
      arm: async ({ manifest }) => {
        if (manifest.id === "late") await late.promise;
        return { sandbox: "none", run: idle, disarm: async () => void detached.push(manifest.id) };
      },
    });
    await runtime.arm(bundle("alpha"));
    await runtime.arm(bundle("beta"));
    const arming = runtime.arm(bundle("late"));
    await runtime.close();
    expect(detached).toEqual(["alpha", "beta"]);
    late.resolve();
    await expect(arming).rejects.toMatchObject({ code: "plugin.activation_failed", detail: "the server is stopping" });
    expect(detached).toEqual(["alpha", "beta", "late"]);
    await expect(runtime.arm(bundle("gamma"))).rejects.toMatchObject({ detail: "the server is stopping" });
    expect(runtime.armedIds()).toEqual([]);
  });
});

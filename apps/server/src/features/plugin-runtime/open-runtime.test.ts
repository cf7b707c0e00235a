import { manualClock } from "@gatehouse/base";
import { type AuditEntry, fault } from "@gatehouse/contract";
import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { describe, expect, test } from "vitest";
import { openLog } from "../../platform/log/index.ts";
import { type ActionRun, type Armed, noRunner, openRuntime, type Runner, type Runtime } from "./index.ts";

/** The runtime looks at nothing of a bundle but its id, and tells the rest. */
const bundle = (id: string) => ({ manifest: { id, capabilities: [] } }) as unknown as VerifiedBundle;

function setUp(runner: Runner) {
  const lines: string[] = [];
  const log = openLog({ format: "text", write: (line) => lines.push(line) });
  const said: string[] = [];
  const tell = ({ action, detail, outcome }: AuditEntry) => {
    const { occasion, reason } = detail as { occasion: string; reason?: string };
    said.push([action, occasion, outcome, reason].filter((word) => word !== undefined).join(" "));
  };
  const told: { full?: Error } = {};
  const book = {
    write: (entry: AuditEntry) => {
      if (told.full !== undefined) return Promise.reject(told.full);
      tell(entry);
      return Promise.resolve({ version: 1 });
    },
    note: (entry: AuditEntry) => {
      tell(entry);
      return Promise.resolve(told.full);
    },
  };
  return { runtime: openRuntime({ runner, log, clock: manualClock(), book }), lines, said, told };
}

const arm = (runtime: Runtime, id: string, occasion: "activation" | "start" = "activation") =>
  runtime.arm(bundle(id), occasion);

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
    await arm(runtime, "netguard");
    await arm(runtime, "alpha");
    expect(runtime.stateOf("netguard")).toMatchObject({ state: "armed", sandbox: "landlock", message: null });
    expect(runtime.armedIds()).toEqual(["alpha", "netguard"]);
    await runtime.disarm("netguard", "disabling");
    await runtime.disarm("netguard", "disabling");
    expect(runtime.armedIds()).toEqual(["alpha"]);
  });

  test("gives the reason of a runner that refuses, and nothing is armed", async () => {
    const { runtime } = setUp(noRunner("there is no sandbox here"));
    await expect(arm(runtime, "netguard")).rejects.toMatchObject({
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
    await expect(arm(runtime, "netguard")).rejects.toMatchObject({
      code: "plugin.activation_failed",
      detail: expect.not.stringContaining("canary") as string,
    });
    expect(lines.join("")).toContain("canary");
  });

  test("access has ended also when the runtime would not stop, and the reason is kept", async () => {
    const { runtime } = setUp(
      willing(() => Promise.reject(fault("plugin.activation_failed", "the process 7 would not end"))),
    );
    await arm(runtime, "netguard");
    await expect(runtime.disarm("netguard", "disabling")).rejects.toMatchObject({
      detail: "the process 7 would not end",
    });
    expect(runtime.armedIds()).toEqual([]);
    expect(runtime.stateOf("netguard")).toMatchObject({ state: "failed", message: "the process 7 would not end" });
  });

  test("a plugin that is being detached is already gone for everybody else", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { runtime } = setUp(willing(() => promise));
    await arm(runtime, "netguard");
    const detaching = runtime.disarm("netguard", "disabling");
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
    await arm(runtime, "alpha");
    await arm(runtime, "beta");
    const arming = arm(runtime, "late");
    await runtime.close();
    expect(detached).toEqual(["alpha", "beta"]);
    late.resolve();
    await expect(arming).rejects.toMatchObject({ code: "plugin.activation_failed", detail: "the server is stopping" });
    expect(detached).toEqual(["alpha", "beta", "late"]);
    await expect(arm(runtime, "gamma")).rejects.toMatchObject({ detail: "the server is stopping" });
    expect(runtime.armedIds()).toEqual([]);
  });

  test("says what it arms and detaches, and why: in the audit log and in the server's own", async () => {
    const { runtime, said, lines } = setUp(willing());
    await arm(runtime, "alpha", "start");
    await arm(runtime, "beta");
    await runtime.disarm("beta", "disabling");
    await runtime.disarm("beta", "disabling");
    await runtime.close();
    expect(said).toEqual([
      "plugin.armed start done",
      "plugin.armed activation done",
      "plugin.detached disabling done",
      "plugin.detached stop done",
    ]);
    expect(lines.join("")).toMatch(/a plugin is armed.*alpha[^]*a plugin is detached.*beta/);
  });

  test("says when something would not stop", async () => {
    const { runtime, said } = setUp(
      willing(() => Promise.reject(fault("plugin.activation_failed", "the process 7 would not end"))),
    );
    await arm(runtime, "netguard");
    await expect(runtime.disarm("netguard", "disabling")).rejects.toThrow();
    expect(said.at(-1)).toBe("plugin.detached disabling failed the process 7 would not end");
  });

  test("arms nothing anew that it cannot record, and arms again at a start what is owed its entry", async () => {
    const detached: string[] = [];
    const { runtime, told } = setUp(willing(async () => void detached.push("detached")));
    told.full = fault("store.disk_full", "no space is left");
    await expect(arm(runtime, "netguard")).rejects.toMatchObject({ detail: "no space is left" });
    expect([runtime.armedIds(), detached]).toEqual([[], ["detached"]]);
    await arm(runtime, "netguard", "start");
    expect(runtime.armedIds()).toEqual(["netguard"]);
  });
});

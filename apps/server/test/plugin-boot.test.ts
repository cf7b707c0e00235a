import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fault } from "@gatehouse/contract";
import type { Store } from "@gatehouse/store";
import { describe, expect, test } from "vitest";
import { lastingStore, netguard, pluginFolder, startPluginServer, testRunner } from "./plugin-server.ts";

/** A place that several starts share. */
function setUp(runner = testRunner()) {
  const folder = pluginFolder();
  const store = lastingStore();
  folder.place(netguard);
  const start = (on: Store = store) =>
    startPluginServer({ directory: folder.directory, store: on, runner: runner.part });
  /** A server that stopped while netguard was active. */
  const leaveActive = async () => {
    const server = await start();
    for (const status of ["installed", "active"]) expect((await server.move("netguard", status)).status).toBe(200);
    await server.stop(100);
    runner.events.length = 0;
  };
  return { folder, store, runner, start, leaveActive };
}

describe("a start", () => {
  test("without a change writes nothing", async () => {
    const { start, store } = setUp();
    await (await start()).stop(100);
    const head = await store.head();
    const again = await start();
    expect(await store.head()).toEqual(head);
    expect((await again.plugin("netguard")).status).toBe("verified");
  });

  test("arms an active plugin again, and a stop had detached it without touching its state; both are on the record", async () => {
    const { start, leaveActive, runner, store } = setUp();
    await leaveActive();
    expect([...runner.armed.keys()]).toEqual([]);
    const head = await store.head();
    const server = await start();
    expect(runner.events).toEqual(["armed netguard"]);
    expect((await store.head()).position).toBe(head.position + 1);
    expect((await server.audit()).slice(-2)).toMatchObject([
      { action: "plugin.detached", actor: "system", outcome: "done", detail: { occasion: "stop", version: "1.0.0" } },
      { action: "plugin.armed", actor: "system", outcome: "done", detail: { occasion: "start", sandbox: "test" } },
    ]);
    expect(await server.plugin("netguard")).toMatchObject({ status: "active", runtime: { state: "armed" } });
    expect(await server.contributions()).toHaveLength(1);
  });

  test("disables an active plugin that cannot be armed again, as system and with the reason", async () => {
    const { start, leaveActive, runner } = setUp();
    await leaveActive();
    runner.told.refuseArm = fault("plugin.activation_failed", "no sandbox on this host");
    const server = await start();
    expect(await server.plugin("netguard")).toMatchObject({
      status: "disabled",
      runtime: { state: "failed", message: "no sandbox on this host" },
    });
    expect((await server.audit()).at(-1)).toMatchObject({
      actor: "system",
      action: "plugin.disabled",
      detail: { from: "active", to: "disabled", reason: expect.stringContaining("no sandbox on this host") as string },
    });
    expect(server.logLines.join("")).toContain("no sandbox on this host");
    expect(await server.contributions()).toEqual([]);
  });

  test("keeps the status of a plugin whose bundle is absent; only disabled may be asked for", async () => {
    const { start, leaveActive, runner, folder, store } = setUp();
    await leaveActive();
    folder.remove("netguard");
    const head = await store.head();
    const server = await start();
    expect(await store.head()).toEqual(head);
    const item = await server.plugin("netguard");
    expect(item).toMatchObject({
      status: "active",
      available: false,
      moves: ["disabled"],
      runtime: { state: "absent", message: expect.any(String) as string },
    });
    expect(item.contributions.map(({ visible, reason }) => [visible, reason])).toEqual([
      [false, "stale"],
      [false, "unknown"],
      [false, "unauthorized"],
    ]);
    expect(await server.contributions()).toEqual([]);
    expect(runner.events).toEqual([]);
    expect((await server.move("netguard", "disabled")).body).toMatchObject({ status: "disabled", moves: [] });
    const refused = await server.move("netguard", "active");
    expect([refused.status, refused.code]).toEqual([409, "plugin.not_available"]);
    await server.stop(100);
    folder.place(netguard);
    const again = await start();
    expect(await again.plugin("netguard")).toMatchObject({ status: "disabled", available: true, moves: ["active"] });
    expect((await again.move("netguard", "active")).status).toBe(200);
  });

  test("disables an active plugin whose bundle no longer verifies", async () => {
    const { start, leaveActive, runner, folder } = setUp();
    await leaveActive();
    writeFileSync(join(folder.directory, "netguard/artifact"), "artifact of netguard 6.6.6");
    const server = await start();
    expect(await server.plugin("netguard")).toMatchObject({ status: "disabled", available: false, moves: [] });
    expect((await server.list()).rejections).toMatchObject([
      { name: "netguard", code: "bundle.artifact_digest_mismatch" },
    ]);
    expect((await server.audit()).at(-1)).toMatchObject({
      actor: "system",
      action: "plugin.disabled",
      detail: { reason: expect.stringMatching(/^artifact digest mismatch/) as string },
    });
    expect(runner.events).toEqual([]);
  });
});

describe("other bytes", () => {
  test("open a new record at verified; the old one is closed, audited and kept in history", async () => {
    const { start, leaveActive, runner, folder } = setUp();
    await leaveActive();
    const sha256 = folder.place({ ...netguard, version: "1.1.0", capabilities: ["host:firewall", "log:write"] });
    const server = await start();
    const item = await server.plugin("netguard");
    expect(item).toMatchObject({
      version: "1.1.0",
      status: "verified",
      artifactSha256: sha256,
      installedAt: null,
      activatedAt: null,
      change: {
        from: { version: "1.0.0" },
        to: { version: "1.1.0", artifactSha256: sha256 },
        addedCapabilities: ["log:write"],
        removedCapabilities: ["kv:read"],
        downgrade: false,
      },
      history: [{ version: "1.0.0", status: "active", reason: expect.stringContaining("1.1.0") as string }],
    });
    expect(runner.events, "what was accepted before is not armed").toEqual([]);
    expect((await server.audit()).slice(-2)).toMatchObject([
      { action: "plugin.superseded", actor: "system", detail: { version: "1.0.0", from: "active" } },
      { action: "plugin.verified", actor: "system", detail: { version: "1.1.0", to: "verified" } },
    ]);
    expect((await server.move("netguard", "active")).code).toBe("plugin.transition_rejected");
    expect((await server.move("netguard", "installed")).status).toBe(200);
  });

  test("are also those that only changed a contribution", async () => {
    const { start, leaveActive, folder } = setUp();
    await leaveActive();
    const nav = [{ component: "netguard.firewall", title: "Free money", path: "/apps/netguard" }];
    folder.place({ ...netguard, contributions: { nav, enhancements: [] } });
    const item = await (await start()).plugin("netguard");
    expect(item).toMatchObject({ status: "verified", version: "1.0.0", history: [{ status: "active" }] });
  });

  test("are compared with those that were accepted last: a release in between hides nothing", async () => {
    const { start, leaveActive, folder } = setUp();
    await leaveActive();
    const next = { ...netguard, version: "1.1.0", capabilities: ["host:firewall", "kv:read", "kv:write"] as const };
    folder.place(next);
    await (await start()).stop(100);
    folder.place({ ...next, version: "1.2.0" });
    const item = await (await start()).plugin("netguard");
    expect(item).toMatchObject({
      change: { from: { version: "1.0.0" }, to: { version: "1.2.0" }, addedCapabilities: ["kv:write"] },
      history: [
        { version: "1.0.0", status: "active" },
        { version: "1.1.0", status: "verified" },
      ],
    });
  });

  test("whose start is cut off between the two entries are brought in line by the next one", async () => {
    const { start, leaveActive, folder, store } = setUp();
    await leaveActive();
    folder.place({ ...netguard, version: "1.1.0" });
    const commit: Store["commit"] = (entry, ...rest) =>
      entry.action === "plugin.verified" ? Promise.reject(new Error("cut off")) : store.commit(entry, ...rest);
    const cut = await start({ ...store, commit });
    expect((await cut.list()).items, "a closed record speaks for nothing").toEqual([]);
    expect((await cut.move("netguard", "disabled")).code).toBe("plugin.unknown");
    await cut.stop(100);
    const server = await start();
    expect(await server.plugin("netguard")).toMatchObject({ status: "verified", history: [{ version: "1.0.0" }] });
    expect((await server.audit()).slice(-2).map(({ action }) => action)).toEqual([
      "plugin.superseded",
      "plugin.verified",
    ]);
  });
});

test("a store that cannot be written to does not keep the server from starting", async () => {
  const { start, store } = setUp();
  const commit: Store["commit"] = () => Promise.reject(fault("store.disk_full", "no space"));
  const server = await start({ ...store, commit });
  expect(await server.list()).toMatchObject({ items: [], rejections: [] });
  expect(server.logLines.join("")).toContain("could not be brought in line");
});

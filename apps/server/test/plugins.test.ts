import { fault, isFault } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import {
  lastingStore,
  netguard,
  plain,
  pluginFolder,
  publisher,
  startPluginServer,
  testRunner,
} from "./plugin-server.ts";

async function start() {
  const folder = pluginFolder();
  const sha256 = folder.place(netguard);
  const runner = testRunner();
  const server = await startPluginServer({ directory: folder.directory, runner: runner.part });
  return { folder, sha256, runner, server };
}

describe("the rows of contract 3", () => {
  test("a bundle that passes verification gets a record at verified, without runtime and contribution", async () => {
    const { server, sha256, runner } = await start();
    const { items, rejections, nextCursor } = await server.list();
    expect([rejections, nextCursor]).toEqual([[], null]);
    expect(items).toMatchObject([
      {
        id: "netguard",
        name: "Netguard",
        publisher: "gatehouse",
        version: "1.0.0",
        status: "verified",
        capabilities: [
          { name: "host:firewall", risk: "host" },
          { name: "kv:read", risk: "own" },
        ],
        artifactSha256: sha256,
        signers: [publisher.keyId],
        available: true,
        runtime: { state: "absent", runner: "system", sandbox: null, message: null },
        moves: ["installed"],
        history: [],
        verifiedAt: "2026-01-01T00:00:00.000Z",
        installedAt: null,
      },
    ]);
    expect(items[0]).not.toHaveProperty("change");
    expect(items[0]?.contributions.map(({ component, visible, reason }) => [component, visible, reason])).toEqual([
      ["netguard.firewall", false, "stale"],
      ["netguard.unheard-of", false, "unknown"],
      ["wireguard.lines", false, "unauthorized"],
    ]);
    expect(await server.contributions()).toEqual([]);
    expect(runner.events).toEqual([]);
    expect(await server.audit()).toMatchObject([
      {
        actor: "system",
        action: "plugin.verified",
        subject: "plugin/netguard",
        detail: {
          version: "1.0.0",
          artifactSha256: sha256,
          capabilities: ["host:firewall", "kv:read"],
          to: "verified",
        },
      },
    ]);
  });

  test("verified, installed, active, disabled, active again: each move is answered, armed and audited", async () => {
    const { server, sha256, runner } = await start();
    const installed = await server.move("netguard", "installed", sha256);
    expect(installed).toMatchObject({ status: 200, body: { status: "installed", moves: ["active", "disabled"] } });
    expect(runner.events).toEqual([]);
    expect(await server.contributions()).toEqual([]);

    server.clock.advance(1_000);
    const active = await server.move("netguard", "active");
    expect(active).toMatchObject({
      status: 200,
      body: {
        status: "active",
        runtime: { state: "armed", sandbox: "test" },
        moves: ["disabled"],
        activatedAt: "2026-01-01T00:00:01.000Z",
      },
    });
    expect([...runner.armed]).toEqual([["netguard", sha256]]);
    expect((await server.contributions()).map(({ component }) => component)).toEqual(["netguard.firewall"]);

    const disabled = await server.move("netguard", "disabled");
    expect(disabled.body).toMatchObject({ status: "disabled", runtime: { state: "absent" }, moves: ["active"] });
    expect(await server.contributions()).toEqual([]);
    expect((await server.move("netguard", "active")).body.status).toBe("active");
    expect(runner.events).toEqual(["armed netguard", "detached netguard", "armed netguard"]);
    const audit = await server.audit();
    expect(
      audit.map(({ action, actor, outcome, detail }) => [action, actor, outcome, detail?.["from"], detail?.["to"]]),
    ).toEqual([
      ["plugin.verified", "system", "done", null, "verified"],
      ["plugin.installed", "token:admin", "done", "verified", "installed"],
      ["plugin.armed", "system", "done", undefined, undefined],
      ["plugin.activated", "token:admin", "done", "installed", "active"],
      ["plugin.detached", "system", "done", undefined, undefined],
      ["plugin.disabled", "token:admin", "done", "active", "disabled"],
      ["plugin.armed", "system", "done", undefined, undefined],
      ["plugin.activated", "token:admin", "done", "disabled", "active"],
    ]);
    expect(audit[1]).toMatchObject({ address: "127.0.0.1", requestId: expect.any(String) as string });
  });

  test("an installed plugin can be disabled without ever having run", async () => {
    const { server, runner } = await start();
    await server.move("netguard", "installed");
    expect((await server.move("netguard", "disabled")).body).toMatchObject({ status: "disabled", moves: ["active"] });
    expect(runner.events).toEqual([]);
  });

  test("every other move is rejected with 409, names what is open, and changes nothing", async () => {
    const { server } = await start();
    const reach: Record<string, readonly string[]> = {
      verified: [],
      installed: ["installed"],
      active: ["active"],
      disabled: ["disabled"],
    };
    const rejected: Record<string, readonly string[]> = {
      verified: ["verified", "active", "disabled"],
      installed: ["verified", "installed"],
      active: ["verified", "installed", "active"],
      disabled: ["verified", "installed", "disabled"],
    };
    for (const [from, steps] of Object.entries(reach)) {
      for (const step of steps) expect((await server.move("netguard", step)).status).toBe(200);
      const before = await server.store.head();
      for (const to of rejected[from] ?? []) {
        const answer = await server.move("netguard", to);
        expect([answer.status, answer.code], `${from} to ${to}`).toEqual([409, "plugin.transition_rejected"]);
        expect(answer.body).toMatchObject({ from, to, allowed: expect.any(Array) as unknown[] });
      }
      expect(await server.store.head()).toEqual(before);
      expect((await server.plugin("netguard")).status).toBe(from);
    }
  });

  test("a plugin without a record is unknown, and the request is held to its form", async () => {
    const { server } = await start();
    expect(await server.move("nothing-here", "installed")).toMatchObject({ status: 404, code: "plugin.unknown" });
    for (const body of [
      {},
      { id: "../etc", status: "installed" },
      { id: "netguard", status: "removed" },
      { id: "netguard", status: "installed", artifactSha256: "A".repeat(64) },
      { id: "netguard", status: "installed", force: true },
    ]) {
      expect((await server.call("POST", "/api/plugins/lifecycle", body)).status).toBe(400);
    }
  });
});

describe("an activation that fails", () => {
  test("answers 422, leaves the plugin disabled and audits the reason", async () => {
    const { server, runner } = await start();
    await server.move("netguard", "installed");
    runner.told.refuseArm = fault("plugin.activation_failed", "the runtime directory is mounted noexec");
    const answer = await server.move("netguard", "active");
    expect(answer).toMatchObject({
      status: 422,
      code: "plugin.activation_failed",
      body: { detail: "the runtime directory is mounted noexec", from: "installed" },
    });
    expect(await server.plugin("netguard")).toMatchObject({
      status: "disabled",
      runtime: { state: "failed", message: "the runtime directory is mounted noexec" },
    });
    expect(await server.contributions()).toEqual([]);
    expect((await server.audit()).at(-1)).toMatchObject({
      action: "plugin.activation_failed",
      outcome: "failed",
      detail: { from: "installed", to: "disabled", reason: "the runtime directory is mounted noexec" },
    });
    expect((await server.move("netguard", "active")).status).toBe(422);
    expect((await server.audit()).at(-1)?.detail).toMatchObject({ from: "disabled", to: "disabled" });
    runner.told.refuseArm = undefined;
    expect((await server.move("netguard", "active")).body).toMatchObject({
      runtime: { state: "armed", message: null },
    });
  });

  test("for a reason that nobody planned tells nothing of the inside", async () => {
    const { server, runner } = await start();
    await server.move("netguard", "installed");
    runner.told.refuseArm = new Error("canary at /srv/inside");
    const answer = await server.move("netguard", "active");
    expect(answer.status).toBe(422);
    expect(JSON.stringify([answer.body, await server.audit(), await server.list()])).not.toContain("canary");
    expect(server.logLines.join("")).toContain("canary");
  });

  test("because its entry cannot be written keeps nothing armed", async () => {
    const folder = pluginFolder();
    folder.place(netguard);
    const runner = testRunner();
    const store = lastingStore();
    let isFull = false;
    const commit: typeof store.commit = (...all) =>
      isFull ? Promise.reject(fault("store.disk_full", "no space")) : store.commit(...all);
    const server = await startPluginServer({
      directory: folder.directory,
      runner: runner.part,
      store: { ...store, commit },
    });
    await server.move("netguard", "installed");
    isFull = true;
    expect((await server.move("netguard", "active")).status).toBe(507);
    expect([...runner.armed.keys()]).toEqual([]);
    isFull = false;
    expect((await server.plugin("netguard")).status).toBe("installed");
    await server.move("netguard", "active");
    isFull = true;
    expect((await server.move("netguard", "disabled")).status, "access ends also when the disk is full").toBe(507);
    expect([...runner.armed.keys()]).toEqual([]);
    expect(await server.contributions()).toEqual([]);
  });
});

describe("disabling", () => {
  test("detaches and disables also when the runtime will not stop, and audits that", async () => {
    const { server, runner } = await start();
    await server.move("netguard", "installed");
    await server.move("netguard", "active");
    runner.told.refuseDisarm = fault("plugin.activation_failed", "process 7 would not end");
    const answer = await server.move("netguard", "disabled");
    expect(answer).toMatchObject({
      status: 200,
      body: { status: "disabled", runtime: { state: "failed", message: "process 7 would not end" } },
    });
    expect(await server.contributions()).toEqual([]);
    expect((await server.audit()).at(-1)).toMatchObject({
      action: "plugin.disabled",
      outcome: "failed",
      detail: { to: "disabled", reason: expect.stringContaining("process 7 would not end") as string },
    });
  });
});

describe("contributions", () => {
  test("are given to whoever holds their scope, and an item says why one is hidden", async () => {
    const { server } = await start();
    await server.move("netguard", "installed");
    await server.move("netguard", "active");
    const of = async (as: "viewer" | "automation" | "stranger") =>
      (await server.contributions(as)).map(({ component, plugin }) => `${plugin}: ${component}`);
    expect(await of("viewer")).toEqual(["netguard: netguard.firewall"]);
    expect(await of("stranger")).toEqual([]);
    const { body } = await server.call<Awaited<ReturnType<typeof server.list>>>(
      "GET",
      "/api/plugins/lifecycle",
      undefined,
      "automation",
    );
    expect(body.items[0]?.contributions.map(({ visible, reason }) => [visible, reason])).toEqual([
      [false, "unauthorized"],
      [false, "unknown"],
      [false, "unauthorized"],
    ]);
    expect(server.logLines.filter((line) => line.includes("netguard.unheard-of"))).toHaveLength(1);
    expect((await server.contributions())[0]).toEqual({
      plugin: "netguard",
      kind: "nav",
      component: "netguard.firewall",
      title: "Firewall",
      path: "/apps/netguard",
      icon: "shield",
      scope: "plan:read",
      surface: null,
    });
  });
});

test("the list has pages", async () => {
  const folder = pluginFolder();
  for (const id of ["plugin-a", "plugin-b", "plugin-c"]) folder.place(plain(id));
  const server = await startPluginServer({ directory: folder.directory });
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path: string = `/api/plugins/lifecycle?limit=2${cursor && `&cursor=${cursor}`}`;
    const { body } = await server.call<Awaited<ReturnType<typeof server.list>>>("GET", path);
    ids.push(...body.items.map(({ id }) => id));
    cursor = body.nextCursor;
  }
  expect(ids).toEqual(["plugin-a", "plugin-b", "plugin-c"]);
});

test("a trust policy that is set and missing or invalid stops the start with the reason", async () => {
  const refusal = async (pluginTrust: { file: string } | { inline: string }) => {
    try {
      await startPluginServer({ config: { pluginTrust } });
      return "started";
    } catch (error) {
      return isFault(error) ? `${error.kind} ${error.code}: ${error.detail}` : "a defect";
    }
  };
  expect(await refusal({ file: "/nowhere/trust.json" })).toBe(
    "startup trust.unreadable: SERVICE_PLUGIN_TRUST: cannot read /nowhere/trust.json: there is no such file",
  );
  expect(await refusal({ inline: '{"publishers":{},"publishers":{}}' })).toMatch(
    /^startup trust\.invalid: SERVICE_PLUGIN_TRUST: \/: /,
  );
  expect(await refusal({ inline: '{"publishers":{"a":1}}' })).toMatch(/^startup trust\.invalid: .*\/publishers\/a/);
});

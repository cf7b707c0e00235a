import { beforeEach, describe, expect, test } from "vitest";
import { isExternal } from "./server-under-test.ts";
import { type Operator, PluginYard, useOperator, withToken } from "./plugin-yard.ts";

/** Contract 3: the states, every row of the table and every move that is rejected, on the running server. */
let yard: PluginYard;
const contributions = {
  nav: [{ component: "plugin.page", title: "Firewall", path: "/apps/acme-hello" }],
  enhancements: [],
};

beforeEach(() => {
  yard = new PluginYard();
});

/** A server with one plugin that was moved along these states. */
async function at(...states: readonly string[]): Promise<Operator> {
  yard.bundle();
  const operator = await yard.start();
  for (const state of states) {
    const { status, text } = await operator.move("acme-hello", state);
    if (status !== 200) throw new Error(`the move to ${state} was answered ${status}: ${text}`);
  }
  return operator;
}

describe.skipIf(isExternal)("transitions", () => {
  test("no record to `verified`: the startup loader, when a bundle under the plugin directory passes verification; no runtime access, no UI contribution", async () => {
    const manifest = yard.bundle({ contributions });
    const operator = await yard.start();
    expect((await operator.list()).rejections).toEqual([]);
    expect(await operator.find("acme-hello")).toMatchObject({
      status: "verified",
      version: "1.0.0",
      publisher: "acme",
      artifactSha256: manifest.artifact.sha256,
      capabilities: [{ name: "log:write", risk: "own" }],
      signers: [yard.key.keyId],
      available: true,
      runtime: { state: "absent" },
      contributions: [{ component: "plugin.page", visible: false, reason: "stale" }],
      moves: ["installed"],
      installedAt: null,
      activatedAt: null,
    });
    expect((await operator.get("/api/plugins/contributions")).json["items"]).toEqual([]);
    expect(await operator.audit("plugin/acme-hello")).toMatchObject([{ action: "plugin.verified", actor: "system" }]);
  });

  test("`verified` to `installed`: the operator accepts the verified bundle for this server; record kept (identity, version, capabilities, digest, timestamps)", async () => {
    const operator = await at();
    const before = await operator.find("acme-hello");
    const moved = await operator.move("acme-hello", "installed", before.artifactSha256);
    expect(moved.status).toBe(200);
    const after = await operator.find("acme-hello");
    expect(after).toMatchObject({
      id: "acme-hello",
      version: "1.0.0",
      status: "installed",
      artifactSha256: before.artifactSha256,
      capabilities: before["capabilities"],
      verifiedAt: before["verifiedAt"],
      createdAt: before["createdAt"],
      installedAt: expect.any(String),
    });
    expect(moved.json).toEqual(after);
    const [, entry] = await operator.audit("plugin/acme-hello");
    expect(entry).toMatchObject({
      action: "plugin.installed",
      outcome: "done",
      actor: expect.stringMatching(/^usr_/),
      detail: { artifactSha256: before.artifactSha256, capabilities: ["log:write"] },
    });
    const restarted = await restart(operator);
    expect(await restarted.find("acme-hello")).toEqual(after);
  });

  test("`installed` to `active`: runtime and capability broker armed; audited; UI contributions become visible", async () => {
    yard.bundle({ contributions });
    const operator = await yard.start();
    await operator.move("acme-hello", "installed");
    expect((await operator.get("/api/plugins/contributions")).json["items"]).toEqual([]);
    const moved = await operator.move("acme-hello", "active");
    expect({ status: moved.status, text: moved.text }).toMatchObject({ status: 200 });
    expect(await operator.find("acme-hello")).toMatchObject({
      status: "active",
      activatedAt: expect.any(String),
      runtime: { state: "armed", sandbox: expect.stringMatching(/^(namespaces|landlock)$/), breaker: "closed" },
      contributions: [{ component: "plugin.page", visible: true }],
      moves: ["disabled"],
    });
    expect((await operator.get("/api/plugins/contributions")).json["items"]).toMatchObject([
      { plugin: "acme-hello", component: "plugin.page", path: "/apps/acme-hello" },
    ]);
    expect((await operator.audit("plugin/acme-hello")).at(-1)).toMatchObject({
      action: "plugin.activated",
      outcome: "done",
    });
    expect((await operator.ask("acme-hello", "health")).json).toMatchObject({ result: { status: "ok" } });
  });

  test("`installed` to `active` when the runner cannot arm it: 422, the plugin stays `disabled`, the reason is audited", async () => {
    yard.bundle();
    const operator = await yard.start({ SERVICE_RUNTIME_DIR: yard.trustFile });
    await operator.move("acme-hello", "installed");
    const failed = await operator.move("acme-hello", "active");
    expect(failed.status).toBe(422);
    const reason = expect.stringContaining(yard.trustFile) as string;
    expect(failed.json).toMatchObject({ code: "plugin.activation_failed", detail: reason });
    expect(await operator.find("acme-hello")).toMatchObject({
      status: "disabled",
      runtime: { state: "failed", message: reason },
      disabledAt: expect.any(String),
    });
    const entries = await operator.audit("plugin/acme-hello");
    expect(entries.at(-1)).toMatchObject({
      action: "plugin.activation_failed",
      outcome: "failed",
      detail: { reason },
    });
    expect((await operator.get("/api/plugins/contributions")).json["items"]).toEqual([]);
    // A restart mends the cause, and still whoever looks reads why it is not running, until it is.
    const restarted = await restart(operator);
    expect(await restarted.find("acme-hello")).toMatchObject({
      status: "disabled",
      runtime: { state: "failed", message: reason },
    });
    expect((await restarted.move("acme-hello", "active")).json).toMatchObject({
      runtime: { state: "armed", message: null },
    });
    expect((await restarted.move("acme-hello", "disabled")).json).toMatchObject({
      runtime: { state: "absent", message: null },
    });
  });

  test("`active` to `disabled`: runtime and broker access detached; UI contributions removed; audited", async () => {
    yard.bundle({ contributions });
    const operator = await yard.start();
    for (const state of ["installed", "active", "disabled"]) {
      expect((await operator.move("acme-hello", state)).status).toBe(200);
    }
    expect(await operator.find("acme-hello")).toMatchObject({
      status: "disabled",
      runtime: { state: "absent", sandbox: null, breaker: null },
      moves: ["active"],
    });
    expect((await operator.get("/api/plugins/contributions")).json["items"]).toEqual([]);
    expect((await operator.audit("plugin/acme-hello")).at(-1)).toMatchObject({ action: "plugin.disabled" });
    expect((await operator.ask("acme-hello", "health")).json).toMatchObject({ code: "plugin.not_active" });
  });

  test("`installed` to `disabled`: the bundle stays registered but cannot run", async () => {
    const operator = await at("installed", "disabled");
    expect(await operator.find("acme-hello")).toMatchObject({
      status: "disabled",
      available: true,
      runtime: { state: "absent" },
      moves: ["active"],
    });
    const restarted = await restart(operator);
    expect(await restarted.find("acme-hello")).toMatchObject({ status: "disabled", available: true });
  });

  test("`disabled` to `active`: previously installed plugin re-armed", async () => {
    const operator = await at("installed", "disabled", "active");
    expect(await operator.find("acme-hello")).toMatchObject({ status: "active", runtime: { state: "armed" } });
    expect((await operator.ask("acme-hello", "health")).status).toBe(200);
  });

  test("after a restart an active plugin is armed again", async () => {
    const operator = await at("installed", "active");
    const restarted = await restart(operator);
    expect(await restarted.find("acme-hello")).toMatchObject({ status: "active", runtime: { state: "armed" } });
    expect((await restarted.ask("acme-hello", "health")).status).toBe(200);
    expect((await restarted.audit("plugin/acme-hello")).map(({ action }) => action)).not.toContain("plugin.disabled");
  });
});

describe.skipIf(isExternal)("rejected moves", () => {
  const moves = {
    verified: ["installed"],
    installed: ["active", "disabled"],
    active: ["disabled"],
    disabled: ["active"],
  } as const;
  const states = ["verified", "installed", "active", "disabled"] as const;
  const ways = {
    verified: [],
    installed: ["installed"],
    active: ["installed", "active"],
    disabled: ["installed", "disabled"],
  } as const;

  // Each has a plugin of its own on one server, which nothing here restarts.
  const ids = [...states.map((state) => `acme-from-${state}`), "acme-skip", "acme-back", "acme-known"];
  const shared = useOperator(() => {
    const several = new PluginYard();
    for (const id of ids) several.bundle({ id });
    return several;
  });
  const bring = async (id: string, ...way: readonly string[]): Promise<Operator> => {
    for (const state of way) expect((await shared().move(id, state)).status).toBe(200);
    return shared();
  };

  for (const from of states) {
    test(`No other move than the table rows is supported: from \`${from}\``, async () => {
      const id = `acme-from-${from}`;
      const operator = await bring(id, ...ways[from]);
      const before = await operator.find(id);
      for (const to of states.filter((state) => !(moves[from] as readonly string[]).includes(state))) {
        const refused = await operator.move(id, to);
        expect({ to, status: refused.status }).toEqual({ to, status: 409 });
        expect(refused.json).toMatchObject({
          code: "plugin.transition_rejected",
          from,
          to,
          allowed: moves[from],
          detail: expect.stringContaining(`\`${from}\` to \`${to}\``),
        });
      }
      expect(await operator.find(id)).toEqual(before);
    });
  }

  test("`verified` to `active` (skipping `installed`) is rejected, and the answer says to go through `installed` first", async () => {
    const refused = await shared().move("acme-skip", "active");
    expect(refused.status).toBe(409);
    expect(refused.json["detail"]).toMatch(/`verified` to `active`.*`installed` first/);
  });

  test("`active` back to `verified` is rejected", async () => {
    const operator = await bring("acme-back", "installed", "active");
    expect((await operator.move("acme-back", "verified")).status).toBe(409);
    expect(await operator.find("acme-back")).toMatchObject({ status: "active" });
  });

  test("Activating a bundle that is no longer loaded is rejected", async () => {
    const operator = await at("installed");
    yard.remove("acme-hello");
    const gone = await operator.move("acme-hello", "active");
    expect({ status: gone.status, code: gone.json["code"] }).toEqual({ status: 409, code: "plugin.not_available" });
    const restarted = await restart(operator);
    expect(await restarted.find("acme-hello")).toMatchObject({
      status: "installed",
      available: false,
      moves: ["disabled"],
    });
    expect((await restarted.move("acme-hello", "active")).json["code"]).toBe("plugin.not_available");
    expect((await restarted.move("acme-hello", "disabled")).status).toBe(200);
  });

  test("a plugin that does not exist is unknown, and a state that does not exist is malformed", async () => {
    expect((await shared().move("acme-other", "installed")).status).toBe(404);
    expect((await shared().move("acme-known", "running")).status).toBe(400);
  });
});

describe.skipIf(isExternal)("acceptance belongs to bytes", () => {
  test("a new digest, version or capability set opens a new record at `verified`; the old one is closed into `history`", async () => {
    const first = await at("installed");
    const old = await first.find("acme-hello");
    await first.server.stop();
    yard.bundle({ version: "1.1.0", artifact: "#!/bin/sh\necho 2\n", capabilities: ["kv:read", "log:write"] });
    const second = await yard.start();
    expect(await second.find("acme-hello")).toMatchObject({
      status: "verified",
      version: "1.1.0",
      installedAt: null,
      change: {
        from: { version: "1.0.0", artifactSha256: old.artifactSha256 },
        to: { version: "1.1.0" },
        addedCapabilities: ["kv:read"],
        removedCapabilities: [],
        downgrade: false,
      },
      history: [{ version: "1.0.0", status: "installed", artifactSha256: old.artifactSha256 }],
    });
    const actions = (await second.audit("plugin/acme-hello")).map(({ action }) => action);
    expect(actions).toEqual(["plugin.verified", "plugin.installed", "plugin.superseded", "plugin.verified"]);
  });

  test("the digest in a request must be the one on disk", async () => {
    const operator = await at();
    const refused = await operator.move("acme-hello", "installed", "0".repeat(64));
    expect({ status: refused.status, code: refused.json["code"] }).toEqual({
      status: 409,
      code: "plugin.digest_stale",
    });
    expect(await operator.find("acme-hello")).toMatchObject({ status: "verified" });
  });

  test("a version below one that was accepted needs acceptance by digest", async () => {
    yard.bundle({ version: "2.0.0", artifact: "#!/bin/sh\necho 2\n" });
    const first = await yard.start();
    expect((await first.move("acme-hello", "installed")).status).toBe(200);
    await first.server.stop();
    const { artifact } = yard.bundle({ version: "1.9.9" });
    const second = await yard.start();
    expect(await second.find("acme-hello")).toMatchObject({ status: "verified", change: { downgrade: true } });
    const refused = await second.move("acme-hello", "installed");
    expect({ status: refused.status, code: refused.json["code"] }).toEqual({
      status: 409,
      code: "plugin.downgrade_refused",
    });
    expect((await second.move("acme-hello", "installed", artifact.sha256)).status).toBe(200);
  });
});

describe.skipIf(isExternal)("what `installed` guarantees", () => {
  test("After a restart the bundle must still be present and pass loader verification", async () => {
    const first = await at("installed");
    await first.server.stop();
    yard.trust({}, { keys: [yard.key.keyId] });
    const second = await yard.start();
    expect((await second.list()).rejections).toMatchObject([{ name: "acme-hello", code: "bundle.key_revoked" }]);
    expect(await second.find("acme-hello")).toMatchObject({ available: false });
    expect((await second.move("acme-hello", "active")).json["code"]).toBe("plugin.not_available");
  });
});

describe.skipIf(isExternal)("who may", () => {
  let key: PluginYard["key"];
  const owner = useOperator(() => {
    const several = new PluginYard();
    for (const id of ["acme-forms", "acme-scope"]) several.bundle({ id });
    key = several.key;
    return several;
  });

  test("two credential forms are accepted: a dashboard session, and a token that holds only `plugin:admin`", async () => {
    const automation = await withToken(owner(), ["plugin:admin"]);
    expect((await automation.list()).items).toHaveLength(2);
    expect((await automation.move("acme-forms", "installed")).status).toBe(200);
    const entries = await owner().audit("plugin/acme-forms");
    expect(entries.at(-1)).toMatchObject({ actor: expect.stringMatching(/^token:/) });
    expect((await owner().move("acme-forms", "disabled")).status).toBe(200);
  });

  test("listing and transitions require scope `plugin:admin`", async () => {
    const other = await withToken(owner(), ["plugin:invoke", "node:admin", "plan:apply"]);
    const listed = await other.get("/api/plugins/lifecycle");
    const moved = await other.move("acme-scope", "installed");
    for (const refused of [listed, moved]) {
      expect(refused.status).toBe(403);
      expect(refused.json).toMatchObject({
        code: "auth.scope_missing",
        detail: expect.stringContaining("plugin:admin"),
      });
    }
    expect(await owner().find("acme-scope")).toMatchObject({ status: "verified" });
  });

  test("a publisher's signing key is no API credential", async () => {
    const signing = key.privateKey.export({ format: "pem", type: "pkcs8" });
    const secrets = [signing.replaceAll(/-----[^-]+-----|\n/g, ""), key.publicKey, key.keyId];
    for (const secret of secrets) {
      const refused = await fetch(`${owner().server.baseUrl}/api/plugins/lifecycle`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      expect(refused.status).toBe(401);
    }
  });
});

async function restart(operator: Operator): Promise<Operator> {
  await operator.server.stop();
  return yard.start();
}

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BundleVerdict, Problem } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { lastingStore, netguard, pluginFolder, publisher, startPluginServer, testRunner } from "./plugin-server.ts";

async function start() {
  const folder = pluginFolder();
  const sha256 = folder.place(netguard);
  const runner = testRunner();
  const server = await startPluginServer({ directory: folder.directory, runner: runner.part });
  const artifact = join(folder.directory, "netguard/artifact");
  return { folder, sha256, runner, server, artifact };
}

describe("accepting a bundle", () => {
  test("is for the digest that was meant", async () => {
    const { server, sha256 } = await start();
    const other = "0".repeat(64);
    const refused = await server.move("netguard", "installed", other);
    expect([refused.status, refused.code]).toEqual([409, "plugin.digest_stale"]);
    expect(refused.body.detail).toContain(other);
    expect(refused.body.detail).toContain(sha256);
    expect((await server.move("netguard", "installed", sha256)).status).toBe(200);
    expect((await server.move("netguard", "active", other)).code).toBe("plugin.digest_stale");
    expect((await server.plugin("netguard")).status).toBe("installed");
  });

  test("is refused when the bytes on disk changed after they were loaded", async () => {
    const { server, artifact } = await start();
    const original = "artifact of netguard 1.0.0";
    writeFileSync(artifact, original.replace("1.0.0", "6.6.6"));
    const answer = await server.move("netguard", "installed");
    expect([answer.status, answer.code]).toEqual([409, "plugin.digest_stale"]);
    expect(answer.body.detail).toMatch(/^artifact digest mismatch: expected [0-9a-f]{64}.* found [0-9a-f]{64}/);
    expect((await server.plugin("netguard")).status).toBe("verified");
    writeFileSync(artifact, original);
    expect((await server.move("netguard", "installed")).status).toBe(200);
  });

  test("is refused when a newer, also signed bundle took its place, or none did", async () => {
    const { server, folder } = await start();
    folder.place({ ...netguard, version: "1.1.0" });
    const newer = await server.move("netguard", "installed");
    expect([newer.status, newer.code]).toEqual([409, "plugin.digest_stale"]);
    folder.remove("netguard");
    const gone = await server.move("netguard", "installed");
    expect([gone.status, gone.code]).toEqual([409, "plugin.not_available"]);
    expect((await server.audit()).map(({ action }) => action)).toEqual(["plugin.verified"]);
  });
});

describe("activating a bundle", () => {
  test("whose artifact changed after it was loaded fails with the contract's words, disables and audits", async () => {
    const { server, artifact, runner, sha256 } = await start();
    await server.move("netguard", "installed");
    writeFileSync(artifact, "other bytes of equal le");
    const answer = await server.move("netguard", "active", sha256);
    expect([answer.status, answer.code]).toEqual([422, "plugin.activation_failed"]);
    expect(answer.body.detail).toMatch(/^artifact digest mismatch: /);
    expect(await server.plugin("netguard")).toMatchObject({ status: "disabled" });
    expect(runner.events).toEqual([]);
    const reason = (await server.audit()).at(-1)?.detail?.["reason"];
    expect(reason).toBe(answer.body.detail);
  });

  test("with an artifact of the same size names the two digests", async () => {
    const { server, artifact } = await start();
    await server.move("netguard", "installed");
    writeFileSync(artifact, "artifact of netguard 6.6.6");
    const answer = await server.move("netguard", "active");
    expect(answer.body.detail).toMatch(/^artifact digest mismatch: expected [0-9a-f]{64}.* found [0-9a-f]{64}/);
  });

  test("that another signed bundle replaced fails too: its bytes were not accepted", async () => {
    const { server, folder, runner } = await start();
    await server.move("netguard", "installed");
    folder.place({ ...netguard, version: "1.1.0", capabilities: ["host:firewall", "kv:read", "kv:write"] });
    const answer = await server.move("netguard", "active");
    expect([answer.status, answer.body.detail.startsWith("artifact digest mismatch")]).toEqual([422, true]);
    const sameArtifact = { ...netguard, capabilities: ["log:write" as const] };
    folder.place(sameArtifact);
    expect((await server.move("netguard", "active")).body.detail).toMatch(/^the manifest changed after it was loaded/);
    expect(runner.events).toEqual([]);
  });

  test("that is no longer there is rejected, and its state stays (contract 3, rejected move 3)", async () => {
    const { server, folder } = await start();
    await server.move("netguard", "installed");
    folder.remove("netguard");
    const answer = await server.move("netguard", "active");
    expect([answer.status, answer.code]).toEqual([409, "plugin.not_available"]);
    expect((await server.plugin("netguard")).status).toBe("installed");
  });
});

describe("a downgrade", () => {
  test("below the highest accepted version is accepted only by its digest, and audited as what it is", async () => {
    const folder = pluginFolder();
    const store = lastingStore();
    const start = () => startPluginServer({ directory: folder.directory, store });
    folder.place({ ...netguard, version: "2.0.0" });
    const first = await start();
    expect((await first.move("netguard", "installed")).status).toBe(200);
    await first.stop(100);

    const sha256 = folder.place({ ...netguard, version: "1.9.9" });
    const second = await start();
    expect(await second.plugin("netguard")).toMatchObject({ status: "verified", change: { downgrade: true } });
    const refused = await second.move("netguard", "installed");
    expect([refused.status, refused.code]).toEqual([409, "plugin.downgrade_refused"]);
    expect(refused.body).toMatchObject({ version: "1.9.9", highestAccepted: "2.0.0", artifactSha256: sha256 });
    expect((await second.move("netguard", "installed", sha256)).status).toBe(200);
    expect((await second.audit()).at(-1)).toMatchObject({
      action: "plugin.installed",
      detail: { version: "1.9.9", downgrade: true, reason: expect.stringContaining("2.0.0") as string },
    });
    await second.stop(100);

    folder.place({ ...netguard, version: "1.9.10" });
    const third = await start();
    expect((await third.move("netguard", "installed")).code, "the highest stays the highest").toBe(
      "plugin.downgrade_refused",
    );
  });
});

describe("verification on request", () => {
  const verify = (server: Awaited<ReturnType<typeof startPluginServer>>, id: string) =>
    server.call<BundleVerdict & Problem>("POST", "/api/plugins/verify", { id });

  test("shows every check of what is on disk now, and changes nothing", async () => {
    const { server, sha256, artifact, folder } = await start();
    const before = await server.store.head();
    const good = await verify(server, "netguard");
    expect(good).toMatchObject({
      status: 200,
      body: { id: "netguard", accepted: true, refusal: null, artifactSha256: sha256, loaded: true },
    });
    expect(good.body.checks.length).toBeGreaterThan(15);
    expect(new Set(good.body.checks.map(({ outcome }) => outcome))).toEqual(new Set(["passed"]));

    writeFileSync(artifact, "artifact of netguard 6.6.6");
    const bad = await verify(server, "netguard");
    expect(bad.body).toMatchObject({
      accepted: false,
      refusal: {
        code: "bundle.artifact_digest_mismatch",
        detail: expect.stringMatching(/^artifact digest mismatch/) as string,
      },
      artifactSha256: null,
      loaded: false,
    });
    expect(bad.body.checks.filter(({ outcome }) => outcome === "failed")).toHaveLength(1);

    folder.place({ ...netguard, version: "1.1.0" });
    expect((await verify(server, "netguard")).body).toMatchObject({ accepted: true, loaded: false });
    folder.place({ ...netguard, id: "foreign", contributions: { nav: [], enhancements: [] } });
    expect((await verify(server, "foreign")).body.refusal?.code).toBe("bundle.id_outside_prefixes");
    expect(await server.store.head()).toEqual(before);
    expect(
      (await server.list()).items.map(({ id }) => id),
      "what was not there at the start is not loaded",
    ).toEqual(["netguard"]);
  });

  test("of what is not there is unknown, and shows checks for what cannot even be opened", async () => {
    const { server, artifact } = await start();
    expect(await verify(server, "nothing-here")).toMatchObject({ status: 404, body: { code: "plugin.unknown" } });
    rmSync(artifact);
    const { body } = await verify(server, "netguard");
    expect(body.refusal?.code).toBe("bundle.file_missing");
    expect(body.checks.map(({ outcome }) => outcome)[0]).toBe("failed");
  });
});

test("the trust policy is shown with the state of its keys, and nothing secret is in it", async () => {
  const policy = {
    publishers: {
      gatehouse: {
        keys: [{ id: publisher.keyId, publicKey: publisher.publicKey, notAfter: "2025-12-31T00:00:00Z" }],
        idPrefixes: ["netguard"],
        capabilities: ["kv:read"],
      },
    },
    revoked: { keys: [], digests: ["f".repeat(64)] },
  };
  const server = await startPluginServer({ config: { pluginTrust: { inline: JSON.stringify(policy) } } });
  const { body } = await server.call<Record<string, unknown>>("GET", "/api/plugins/trust");
  expect(body).toEqual({
    configured: true,
    items: [
      {
        id: "gatehouse",
        keys: [
          {
            id: publisher.keyId,
            publicKey: publisher.publicKey,
            notAfter: "2025-12-31T00:00:00.000Z",
            status: "expired",
          },
        ],
        idPrefixes: ["netguard"],
        capabilities: [{ name: "kv:read", risk: "own" }],
        threshold: 1,
        firstParty: false,
      },
    ],
    revoked: { keys: [], digests: ["f".repeat(64)] },
    nextCursor: null,
  });
  const unset = await startPluginServer({ config: { pluginTrust: undefined } });
  expect((await unset.call("GET", "/api/plugins/trust")).body).toMatchObject({ configured: false, items: [] });
});

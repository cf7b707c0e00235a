import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePublisherKey } from "@gatehouse/bundle/sign";
import { serialiseManifest } from "@gatehouse/bundle/verify";
import { describe, expect, test } from "vitest";
import { PluginYard, type Rejection, unsigned, useOperator } from "./plugin-yard.ts";
import { isExternal, runServer } from "./server-under-test.ts";

/** Contract 7: every symptom with its text, its cause and what to do, on the running server. */
interface Row {
  readonly symptom: string;
  readonly cause: string;
  readonly code: string;
  readonly todo: RegExp;
  /** Under an id of its own: all of them lie in one plugin directory, and one server says what is wrong with each. */
  readonly plant: (yard: PluginYard, id: string) => void;
}

const contributionsOf = (id: string) => ({
  nav: [{ component: "plugin.page", title: "Firewall", path: `/apps/${id}` }],
  enhancements: [],
});

const rows: readonly Row[] = [
  {
    symptom: "publisher is not trusted",
    cause: "the trust policy has no such publisher",
    code: "bundle.publisher_not_trusted",
    todo: /Verify who the publisher is.*Never copy a signing key/,
    plant: (yard, id) => yard.bundle({ id, publisher: "somebody" }),
  },
  {
    symptom: "publisher is not trusted",
    cause: "the trust policy has no matching public key",
    code: "bundle.publisher_not_trusted",
    todo: /add the public key/,
    plant: (yard, id) => yard.bundle({ id }, generatePublisherKey()),
  },
  {
    symptom: "invalid signature",
    cause: "the manifest does not match the signature",
    code: "bundle.invalid_signature",
    todo: /Reject the bundle\. Rebuild and sign it again/,
    plant: (yard, id) => changeSigned(yard, id, { version: "1.0.1" }),
  },
  {
    symptom: "invalid signature",
    cause: "signed contribution data does not match the signature",
    code: "bundle.invalid_signature",
    todo: /trusted release workspace/,
    plant: (yard, id) => changeSigned(yard, id, { contributions: contributionsOf(id) }),
  },
  {
    symptom: "invalid signature",
    cause: "the digest does not match the signature",
    code: "bundle.invalid_signature",
    todo: /Reject the bundle/,
    plant: (yard, id) => changeSigned(yard, id, { artifact: { sha256: "0".repeat(64), size: 17 } }),
  },
  {
    symptom: "artifact digest mismatch",
    cause: "artifact bytes changed after signing",
    code: "bundle.artifact_digest_mismatch",
    todo: /Reject and replace the bundle\. Never edit the digest in production/,
    plant: (yard, id) => {
      yard.bundle({ id });
      changeArtifact(yard, id);
    },
  },
  {
    symptom: "",
    cause: "nobody signed it",
    code: "bundle.unsigned",
    todo: /Nothing unsigned is ever accepted/,
    plant: (yard, id) => yard.write(id, serialiseManifest(unsigned({ id }))),
  },
];

describe.skipIf(isExternal)("Verification failures, by symptom text and cause", () => {
  const operator = useOperator(() => {
    const yard = new PluginYard();
    for (const [at, { plant }] of rows.entries()) plant(yard, idOf(at));
    return yard;
  });
  for (const [at, { symptom, cause, code, todo }] of rows.entries()) {
    test(`\`${symptom}\`: ${cause}`, async () => {
      const { items, rejections } = await operator().list();
      expect(items).toEqual([]);
      const found = rejections.filter(({ name }) => name === idOf(at));
      expect(found).toMatchObject([{ name: idOf(at), code }]);
      const [rejection] = found as [Rejection];
      expect(rejection.detail.startsWith(symptom)).toBe(true);
      expect(rejection.todo).toMatch(todo);
      const told = operator().server.log.all.filter((line) => line.includes(idOf(at)) && line.includes(code));
      expect(told).toHaveLength(1);
      const move = await operator().move(idOf(at), "installed");
      expect(move.status).toBe(404);
    });
  }

  test("`artifact digest mismatch`: artifact bytes changed after loading; the plugin stays disabled and the reason is audited", async () => {
    const yard = new PluginYard();
    yard.bundle();
    const operator = await yard.start();
    await operator.move("acme-hello", "installed");
    changeArtifact(yard, "acme-hello");
    const failed = await operator.move("acme-hello", "active");
    expect(failed.status).toBe(422);
    expect(failed.json["detail"]).toMatch(/^artifact digest mismatch/);
    expect(await operator.find("acme-hello")).toMatchObject({ status: "disabled" });
    expect((await operator.audit("plugin/acme-hello")).at(-1)).toMatchObject({
      action: "plugin.activation_failed",
      detail: { reason: expect.stringMatching(/^artifact digest mismatch/) },
    });
  });

  test("the server boots whatever lies in the plugin directory, and names each thing it rejected", async () => {
    const yard = new PluginYard();
    yard.bundle();
    yard.bundle({ id: "acme-second" });
    writeFileSync(join(yard.directory, "acme-second/README"), "");
    writeFileSync(join(yard.directory, "trust.json"), "{}");
    yard.write("acme-third", "{}\n");
    const operator = await yard.start();
    const { items, rejections } = await operator.list();
    expect(items.map(({ id }) => id)).toEqual(["acme-hello"]);
    expect(rejections.map(({ name, code }) => `${name} ${code}`).sort()).toEqual([
      "acme-second bundle.unexpected_entry",
      "acme-third bundle.schema_unknown",
      "trust.json bundle.name_invalid",
    ]);
  });
});

describe.skipIf(isExternal)("the trust policy", () => {
  test("unset: nothing is trusted, the server runs", async () => {
    const yard = new PluginYard();
    yard.bundle();
    const operator = await yard.start({ SERVICE_PLUGIN_TRUST: "" });
    expect((await operator.list()).rejections).toMatchObject([{ code: "bundle.publisher_not_trusted" }]);
    expect((await operator.get("/api/plugins/trust")).json).toMatchObject({ configured: false, items: [] });
  });

  test("set but missing or invalid: startup fails with the reason", async () => {
    const yard = new PluginYard();
    const missing = join(yard.place, "missing.json");
    const absent = await runServer([], { settings: { SERVICE_PLUGIN_TRUST: missing } });
    expect(absent.code).toBe(1);
    expect(absent.err).toContain(missing);
    yard.trust({ keys: [{ id: yard.key.keyId, publicKey: Buffer.alloc(32).toString("base64") }] });
    const invalid = await runServer([], { settings: { SERVICE_PLUGIN_TRUST: yard.trustFile } });
    expect(invalid.code).toBe(1);
    expect(invalid.err).toMatch(/trust\.invalid|publishers\/acme\/keys/);
    expect(invalid.err.split("\n")).toHaveLength(1);
  });

  test("it is shown to whoever moves plugins, and holds no secret", async () => {
    const yard = new PluginYard();
    const operator = await yard.start();
    expect((await operator.get("/api/plugins/trust")).json).toMatchObject({
      configured: true,
      items: [{ id: "acme", threshold: 1, keys: [{ id: yard.key.keyId, status: "valid" }], idPrefixes: ["acme-"] }],
    });
  });
});

function idOf(row: number): string {
  return `acme-row-${row}`;
}

/** Another artifact of the same size: that one byte differs shows in its SHA-256 and nowhere else. */
function changeArtifact(yard: PluginYard, id: string): void {
  const path = join(yard.directory, id, "artifact");
  const signed = readFileSync(path, "utf8");
  const changed = signed.replace("Says hello.", "Says hullo.");
  expect(changed).not.toBe(signed);
  expect(Buffer.byteLength(changed)).toBe(Buffer.byteLength(signed));
  writeFileSync(path, changed);
}

/** Signs one manifest and places another with that signature. */
function changeSigned(yard: PluginYard, id: string, change: Readonly<Record<string, unknown>>): void {
  yard.bundle({ id });
  const path = join(yard.directory, id, "manifest.json");
  const signed = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, serialiseManifest({ ...signed, ...change }));
}

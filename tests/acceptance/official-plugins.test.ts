import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftDigest, inputDigest, readPlanDraft } from "@gatehouse/plan";
import { beforeAll, describe, expect, test } from "vitest";
import { freshDirectory } from "./driver/directories.ts";
import { processDriver } from "./driver/process-driver.ts";
import { type EnrolledNode, enrolNodes } from "./enrol-nodes.ts";
import { makeRelease, type OfficialRelease } from "./official-release.ts";
import { type Operator, type PluginYard, withToken } from "./plugin-yard.ts";
import { isExternal } from "./server-under-test.ts";

/**
 * The official plugins on a running server: built as `npm run plugins:build` does, packed and signed with the CLI on the
 * publisher's machine, accepted by a policy that grants what they declare and no more, and then asked.
 */
const ids = ["netguard", "wireguard"] as const;
const versions = { netguard: "0.2.1", wireguard: "0.3.0" } as const;
let release: OfficialRelease;
const start = (prepare?: (yard: PluginYard) => unknown) => release.start(prepare);
const activate = (operator: Operator, id: string) => release.activate(operator, id);

describe.skipIf(isExternal)("the official plugins", () => {
  beforeAll(async () => {
    release = await makeRelease(ids);
  });

  test("are accepted, installed and activated, and both contribute while they are active", async () => {
    const operator = await start();
    const { items, rejections } = await operator.list();
    expect(rejections).toEqual([]);
    expect(items.map(({ id, status, artifactSha256 }) => [id, status, artifactSha256])).toEqual(
      ids.map((id) => [id, "verified", release.shas.get(id)]),
    );
    expect(await contributed(operator)).toEqual([]);
    for (const id of ids) await activate(operator, id);
    expect(await contributed(operator)).toEqual(["netguard.firewall", "wireguard.lines", "wireguard.mesh"]);
    expect((await operator.find("wireguard"))["contributions"]).toMatchObject([
      { component: "wireguard.mesh", visible: true },
      { component: "wireguard.lines", visible: true },
    ]);
    expect(await drawing(operator)).toEqual(["wireguard"]);

    for (const id of ids) {
      expect((await operator.ask(id, "describe")).json).toMatchObject({ id, result: { version: versions[id] } });
      expect((await operator.ask(id, "health")).json).toMatchObject({ result: { status: "ok" } });
    }
    expect((await operator.move("netguard", "disabled")).status).toBe(200);
    expect(await contributed(operator)).toEqual(["wireguard.lines", "wireguard.mesh"]);
    expect(await operator.ask("netguard", "health")).toMatchObject({
      status: 409,
      json: { code: "plugin.not_active" },
    });
    expect((await operator.move("wireguard", "disabled")).status).toBe(200);
    expect(await contributed(operator)).toEqual([]);
    expect(await drawing(operator)).toEqual([]);
    expect((await operator.move("netguard", "active")).status).toBe(200);
    expect(await contributed(operator)).toEqual(["netguard.firewall"]);

    // Host mutation is never a side effect of plugin activation (contract 1).
    const { json } = await operator.get("/api/audit?limit=200");
    const actions = (json["items"] as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => /^(plan|node)\./.test(action))).toEqual([]);
  });

  test.each([
    ["netguard", "firewall.apply"],
    ["wireguard", "network.wireguard"],
  ] as const)(
    "%s gives the same plan for the same question, and its digests are those that anybody computes",
    async (id, kind) => {
      const operator = await start();
      const nodes = await enrolNodes(operator, { alpha: ["web"], beta: [] });
      const input = inputs[id](nodes);
      await activate(operator, id);
      const first = await planOf(operator, id, input, nodes);
      expect((await planOf(operator, id, input, nodes.toReversed())).plan).toEqual(first.plan);
      // Nor does it matter that it was armed anew in between.
      expect((await operator.move(id, "disabled")).status).toBe(200);
      expect((await operator.move(id, "active")).status).toBe(200);
      expect((await planOf(operator, id, input, nodes)).plan).toEqual(first.plan);
      const { status, json } = await operator.ask(id, "plan", input, []);
      expect([status, json["code"], json["detail"]]).toEqual([
        422,
        "plugin.action_failed",
        expect.stringContaining("nodes: "),
      ]);

      const draft = readPlanDraft(first.result);
      if (!draft.ok) throw new Error(draft.reason);
      expect(draft.value.sections.map(({ node }) => node)).toEqual(nodes.map((node) => node.id));
      for (const { operations } of draft.value.sections) expect(operations.map((one) => one.kind)).toEqual([kind]);
      const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
      const asked = nodes.map(({ id, name, tags }) => ({ id, name, tags, addresses: [], states: [] }));
      expect(first.plan).toEqual({
        digest: draftDigest(sha256, draft.value),
        inputSha256: inputDigest(sha256, { input, nodes: asked }),
      });
      const { digest } = (await planOf(operator, id, { ...input, ...changed[id](input) }, nodes)).plan;
      expect(digest).not.toBe(first.plan.digest);
    },
  );

  test("netguard opens on a node what its tags say, and keeps SSH open on every one", async () => {
    const operator = await start();
    const nodes = await enrolNodes(operator, { alpha: ["web"], beta: [] });
    await activate(operator, "netguard");
    const { result } = await planOf(operator, "netguard", inputs.netguard(), nodes);
    const opened = (result as { sections: { node: string; operations: [{ input: { rules: Labelled[] } }] }[] })
      .sections;
    const labels = new Map(
      opened.map(({ node, operations: [one] }) => [node, one.input.rules.map(({ label }) => label)]),
    );
    for (const { id, tags } of nodes) {
      expect(labels.get(id)).toContain("ssh from office");
      expect(labels.get(id)?.includes("web from any")).toBe(tags.includes("web"));
    }
  });

  test("an input that is not one is refused in the plugin's words, and the command line says them too", async () => {
    const operator = await start();
    const nodes = await enrolNodes(operator, { alpha: ["web"], beta: [] });
    const ids = nodes.map(({ id }) => id);
    await activate(operator, "netguard");
    const input = inputs.netguard();
    const wrong = { ...input, allow: [{ service: "web", from: [] }] };
    const { status, json } = await operator.ask("netguard", "plan", wrong, ids);
    expect([status, json["code"], json["detail"]]).toEqual([
      422,
      "plugin.action_failed",
      expect.stringContaining("allow.0.from"),
    ]);
    const nowhere = `node_${"0".repeat(26)}`;
    expect(await operator.ask("netguard", "plan", input, [...ids, nowhere])).toMatchObject({
      status: 404,
      json: { code: "node.unknown" },
    });

    const file = join(freshDirectory(), "input.json");
    writeFileSync(file, JSON.stringify(input));
    const asked = await invoker(operator);
    const planned = await asked(`plugin ask netguard plan --input ${file} --node ${ids.join(",")}`);
    const { plan } = await planOf(operator, "netguard", input, nodes);
    expect([planned.code, planned.err]).toEqual([0, ""]);
    for (const part of [plan.digest, ...ids, "firewall.apply  firewall:gatehouse_netguard"]) {
      expect(planned.out).toContain(part);
    }
    writeFileSync(file, JSON.stringify(wrong));
    expect(await asked(`plugin ask netguard plan --input ${file} --node ${ids.join(",")}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("allow.0.from"),
    });
  });

  test("a plugin that fails five times in a row is left alone, and the others go on", async () => {
    const operator = await start((yard) =>
      yard.bundle({ id: "acme-broken", artifact: "#!/bin/sh\necho 'no table' >&2\nexit 3\n" }),
    );
    await activate(operator, "acme-broken");
    await activate(operator, "netguard");
    for (let failure = 1; failure <= 5; failure += 1) {
      expect((await operator.ask("acme-broken", "health")).json).toMatchObject({ code: "plugin.action_failed" });
    }
    const refused = await operator.ask("acme-broken", "health");
    expect([refused.status, refused.json["code"]]).toEqual([429, "plugin.breaker_open"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await operator.find("acme-broken"))["runtime"]).toMatchObject({
      breaker: "open",
      failuresInARow: 5,
      actions: 5,
      lastErrors: Array.from({ length: 5 }, () => ({
        action: "health",
        reason: "it ended with 3",
        stderr: expect.stringContaining("no table"),
      })),
    });
    expect((await operator.ask("netguard", "health")).status).toBe(200);
  });
});

/** What an operator would have recorded for these nodes. */
const inputs = {
  netguard: () => ({
    zones: { office: { sources: ["192.0.2.0/24"] } },
    services: { web: { protocol: "tcp", ports: [{ from: 443, to: 443 }] } },
    ssh: { ports: [22], from: ["office"] },
    allow: [{ service: "web", from: ["any"], tags: ["web"] }],
  }),
  wireguard: (nodes: readonly EnrolledNode[]) => ({
    network: {
      name: "office",
      interface: "wg0",
      ranges: ["10.9.0.0/24"],
      listenPort: 51_820,
      shape: { form: "mesh" },
    },
    nodes: nodes.map(({ id }, at) => ({
      id,
      number: at + 1,
      ...(at === 0 && { endpoint: { host: "192.0.2.1", port: 51_820 } }),
    })),
  }),
};

/** Another input, and so another plan. */
const changed = {
  netguard: () => ({ ssh: { ports: [2222], from: ["office"] } }),
  wireguard: (input: object) => ({ network: { ...(input as { network: object }).network, listenPort: 51_821 } }),
};

interface Labelled {
  readonly label: string;
}

interface Planned {
  readonly calls: readonly object[];
  readonly result: unknown;
  readonly plan: { readonly digest: string; readonly inputSha256: string };
}

async function planOf(operator: Operator, id: string, input: object, nodes: readonly EnrolledNode[]): Promise<Planned> {
  const asked = nodes.map((node) => node.id);
  const { status, json, text } = await operator.ask(id, "plan", input, asked);
  if (status !== 200) throw new Error(`the plan was answered ${status}: ${text}`);
  return json as unknown as Planned;
}

/** The command line with a token that may ask plugins, and nothing else. */
async function invoker(owner: Operator) {
  const { headers, server } = await withToken(owner, ["plugin:invoke"]);
  const token = headers["Authorization"]?.replace(/^Bearer /, "") ?? "";
  const settings = { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.baseUrl };
  return (line: string) => processDriver.gatehouse(line.split(" "), settings);
}

/** The plugins that draw lines on the map. */
async function drawing(operator: Operator): Promise<string[]> {
  const { json } = await operator.get("/api/map/lines");
  return (json["items"] as { plugin: string }[]).map(({ plugin }) => plugin);
}

async function contributed(operator: Operator): Promise<string[]> {
  const { json } = await operator.get("/api/plugins/contributions");
  return (json["items"] as { component: string }[]).map(({ component }) => component).toSorted();
}

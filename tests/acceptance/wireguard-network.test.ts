import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Node, Plan, PlanSectionView } from "@gatehouse/contract/routes";
import { inputDigest, type NetworkWireguard, parsePlan, type PlanDocument, stateDigest } from "@gatehouse/plan";
import { beforeAll, describe, expect, test } from "vitest";
import { keepsKey, trustsServer } from "../support/pretend-state.ts";
import { ask } from "./ask.ts";
import { connectHost } from "./connect-host.ts";
import { freshDirectory } from "./driver/directories.ts";
import { processDriver } from "./driver/process-driver.ts";
import type { EnrolledNode } from "./enrol-nodes.ts";
import { makeRelease, type OfficialRelease } from "./official-release.ts";
import { type Operator, withToken } from "./plugin-yard.ts";
import { isExternal } from "./server-under-test.ts";

/**
 * A network from the command line to the plan: the plugin runs in its sandbox, the hosts are pretended and sign what they say, and
 * nobody types a key.
 */
const names = ["alpha", "beta", "gamma"] as const;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const keyOf = (name: string) => `${name.charAt(0).repeat(42)}A=`;

describe.skipIf(isExternal)("a network of wireguard", () => {
  let release: OfficialRelease;
  beforeAll(async () => {
    release = await makeRelease(["wireguard"]);
  });

  const start = async () => {
    const operator = await release.start();
    await release.activate(operator, "wireguard");
    return operator;
  };

  test("joins three hosts in one plan, by the keys that they themselves have told", async () => {
    const operator = await start();
    const hosts = await connectAll(operator);
    const { code, json, out, err } = await createPlan(operator, hosts);
    expect([code, err], out).toEqual([0, ""]);
    const { plan, sections } = json;
    expect(plan).toMatchObject({ state: "in_review", kinds: ["network.wireguard"], nodes: 3 });
    expect(plan.findings).toMatchObject({ refuse: 0, warn: 0 });
    // Found by the command line itself, of what the hosts signed.
    expect(sections.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== "note")).toEqual([]);

    const document = await documentOf(operator, plan);
    for (const { id, name } of hosts) {
      const section = document.sections.find(({ node }) => node === id);
      const [operation] = (section?.operations ?? []) as NetworkWireguard[];
      expect(operation?.publicKey).toBe(keyOf(name));
      const others = hosts.filter((host) => host.id !== id).map((host) => [host.name, keyOf(host.name)]);
      expect(operation?.peers.map(({ label, publicKey }) => [label, publicKey])).toEqual(others);
      const state = { interface: null, publicKey: keyOf(name) };
      expect(section?.preconditions).toEqual([
        { subject: "wireguard:wg0", state: stateDigest(sha256, "wireguard:wg0", state) },
      ]);
    }

    // With the question that is recorded anybody can draw it up again: the keys are a part of it, and nothing else of the states.
    const nodes = [];
    for (const { id, name, tags } of hosts) {
      const publicKey = keyOf(name);
      const state = stateDigest(sha256, "wireguard:wg0", { interface: null, publicKey });
      const { facts } = (await operator.get(`/api/nodes/${id}`)).json as unknown as Node;
      const addresses = facts?.addresses.toSorted() ?? [];
      nodes.push({ id, name, tags, addresses, states: [{ subject: "wireguard:wg0", state, publicKey }] });
    }
    expect(plan.source).toMatchObject({
      plugin: "wireguard",
      version: "0.3.0",
      inputSha256: inputDigest(sha256, { input: inputOf(hosts), nodes }),
    });
  });

  test("has its lines on the map once the hosts have told their keys, and what it used is shown beside what it declares", async () => {
    const operator = await start();
    const hosts = await connectAll(operator);
    const ids = hosts.map(({ id }) => id);
    const drafted = await operator.ask("wireguard", "plan", inputOf(hosts), ids);
    expect(drafted.json).toMatchObject({
      calls: [],
      result: { summary: expect.stringMatching(/^Would join 3 nodes/) },
    });
    const lines = async () => (await operator.ask("wireguard", "describe")).json["result"];
    expect(await lines()).toMatchObject({ mapLines: [] });
    expect(await createPlan(operator, hosts)).toMatchObject({ code: 0, err: "" });
    const [one, two, three] = ids;
    expect(await lines()).toMatchObject({
      mapLines: [
        { from: one, to: two, state: "planned" },
        { from: one, to: three, state: "planned" },
        { from: two, to: three, state: "planned" },
      ],
    });
    expect((await operator.find("wireguard"))["runtime"]).toMatchObject({
      state: "armed",
      breaker: "closed",
      failuresInARow: 0,
      actions: 5,
      capabilityUse: [
        { name: "host:network", calls: 0 },
        { name: "kv:read", calls: expect.any(Number) },
        { name: "kv:write", calls: 1 },
      ],
      lastErrors: [],
    });
  });

  test("is not drawn up while a host tells no key, and the host is named", async () => {
    const operator = await start();
    const hosts = [
      await connectHost(operator, "alpha", keepsKey(keyOf("alpha"))),
      await connectHost(operator, "beta", (subject) => (subject === "wireguard:wg0" ? null : trustsServer(subject))),
    ].toSorted(byId);
    const { code, err } = await createPlan(operator, hosts, []);
    expect([code, err]).toEqual([1, expect.stringContaining("nodes: beta (")]);
    expect(err).toContain("has told no public key for wg0");
  });

  test("with a peer that no host of the plan has signed is warned of, by the server and by the command line", async () => {
    const operator = await start();
    const [host] = await connectAll(operator);
    const foreign = `${"m".repeat(42)}A=`;
    const operation = {
      kind: "network.wireguard",
      interface: "wg0",
      publicKey: null,
      listenPort: 51_820,
      addresses: ["10.9.0.1/24"],
      peers: [{ label: "beta", publicKey: foreign, allowedIps: ["10.9.0.2/32"] }],
    };
    const body = { title: "Join", summary: "Joins hosts.", nodes: [host?.id], operations: [operation] };
    const made = await operator.post("/api/plans", body);
    expect(made.status, made.text).toBe(201);
    const plan = made.json as unknown as Plan;
    expect(plan.findings).toMatchObject({ refuse: 0, warn: 1 });
    const { json } = await operator.get(`/api/plans/${plan.id}/sections`);
    const [section] = json["items"] as PlanSectionView[];
    const found = { severity: "warn", code: "wireguard.peer_unknown", says: expect.stringContaining(foreign) };
    expect(section?.findings).toContainEqual(expect.objectContaining(found));
    const shown = JSON.parse((await gatehouse(operator, ["plan", "show", plan.id, "--json"])).out) as Shown;
    expect(shown.sections[0]?.findings).toContainEqual(expect.objectContaining({ ...found, by: "here" }));
  });
});

interface Shown {
  readonly plan: Plan;
  readonly sections: readonly { readonly findings: readonly { readonly severity: string }[] }[];
}

function byId(one: EnrolledNode, other: EnrolledNode): number {
  return one.id < other.id ? -1 : 1;
}

/** Three hosts, each with a key of its own, in the order of their ids. */
async function connectAll(operator: Operator): Promise<EnrolledNode[]> {
  const hosts: EnrolledNode[] = [];
  for (const name of names) hosts.push(await connectHost(operator, name, keepsKey(keyOf(name))));
  return hosts.toSorted(byId);
}

const inputOf = (hosts: readonly EnrolledNode[]) => ({
  network: { name: "office", interface: "wg0", ranges: ["10.9.0.0/24"], listenPort: 51_820, shape: { form: "mesh" } },
  nodes: hosts.map(({ id }, at) => ({
    id,
    number: at + 1,
    ...(at < 2 && { endpoint: { host: `192.0.2.${at + 1}`, port: 51_820 } }),
  })),
});

/** `gatehouse plan create --plugin wireguard`, with a token for plans alone. */
async function createPlan(operator: Operator, hosts: readonly EnrolledNode[], more: readonly string[] = ["--json"]) {
  const file = join(freshDirectory(), "input.json");
  writeFileSync(file, JSON.stringify(inputOf(hosts)));
  const nodes = hosts.flatMap(({ id }) => ["--node", id]);
  const words = ["plan", "create", "--plugin", "wireguard", "--input", file, ...nodes, ...more];
  const { code, out, err } = await gatehouse(operator, words);
  return { code, out, err, json: (more.includes("--json") ? JSON.parse(out) : {}) as Shown };
}

async function gatehouse(operator: Operator, words: readonly string[]) {
  const { headers, server } = await withToken(operator, ["plan:create", "plan:read"]);
  const token = headers["Authorization"]?.replace(/^Bearer /, "") ?? "";
  return processDriver.gatehouse([...words], { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.baseUrl });
}

async function documentOf(operator: Operator, plan: Plan): Promise<PlanDocument> {
  const { server, headers } = operator;
  const { text } = await ask(server.baseUrl, { path: `/api/plans/${plan.id}/document`, headers });
  const read = parsePlan(Buffer.from(text));
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

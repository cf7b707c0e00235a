import { createHash } from "node:crypto";
import type { ActionReport } from "@gatehouse/contract/routes";
import { draftDigest, inputDigest, planDraft } from "@gatehouse/plan";
import { describe, expect, test } from "vitest";
import { seedFleet } from "../../../tests/support/seed-fleet.ts";
import { lastingStore } from "./plugin-server.ts";
import { activate, hello, shell } from "./shell-plugin.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

interface Problem {
  readonly code?: string;
  readonly detail?: string;
}

describe("a plan", () => {
  const firewaller = { ...hello, capabilities: ["host:firewall" as const] };
  /** Its plan is for the nodes of the question, and its summary is what the question says of them. */
  const planner = shell(`nodes=$(printf '%s' "$line" | sed 's/.*"nodes"://; s/}}$//')
said=$(printf '%s' "$nodes" | tr -d '"{}[]')
sections=$(printf '%s' "$nodes" | tr '{' '\\n' | sed -n 's/^"id":"\\(node_[^"]*\\)".*/{"node":"\\1","operations":[{"kind":"firewall.apply","table":"gatehouse_a","input":{"policy":"drop","rules":[]}}]}/p' | paste -sd, -)
answer "{\\"title\\":\\"Firewall\\",\\"summary\\":\\"S $said\\",\\"sections\\":[$sections]}"`);
  const seeded = async (count: number) => {
    const store = lastingStore();
    const nodes = await seedFleet(store, { nodes: count, seed: 5, now: Date.UTC(2026, 0, 1) });
    return { store, nodes: nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
  };
  const planOf = (server: Awaited<ReturnType<typeof activate>>["server"], body: object) =>
    server.call<ActionReport & Problem>("POST", "/api/plugins/plugin-hello/actions/plan", body, "invoker");

  test("is drawn up for the nodes that were named, with what is known of them, and its digests name question and draft", async () => {
    const { store, nodes } = await seeded(3);
    const { server } = await activate(planner, firewaller, store);
    const [one, two] = nodes;
    if (one === undefined || two === undefined) throw new Error("the fleet has too few nodes");
    const input = { any: "input" };
    const { status, body } = await planOf(server, { input, nodes: [two.id, one.id, two.id] });
    expect([status, body.detail]).toEqual([200, undefined]);
    const asked = [one, two].map(({ id, name, tags, facts }) => ({
      id,
      name,
      tags: tags.toSorted(),
      addresses: (facts?.addresses ?? []).toSorted(),
      states: [],
    }));
    const { summary, sections } = planDraft.parse(body.result);
    expect(summary).toBe(`S ${JSON.stringify(asked).replaceAll(/["{}[\]]/g, "")}`);
    expect(sections.map(({ node }) => node)).toEqual([one.id, two.id]);
    const plan = {
      digest: draftDigest(sha256, planDraft.parse(body.result)),
      inputSha256: inputDigest(sha256, { input, nodes: asked }),
    };
    expect(body.plan).toEqual(plan);
    const told = (await server.audit()).filter(({ action }) => /^plugin\.(asked|answered)$/.test(action));
    expect(told.map(({ detail }) => [detail?.["inputSha256"], detail?.["draftDigest"]])).toEqual([
      [plan.inputSha256, undefined],
      [plan.inputSha256, plan.digest],
    ]);
    expect(Object.keys(body.plan ?? {}).toSorted()).toEqual(["digest", "inputSha256"]);
    const other = await planOf(server, { input, nodes: [one.id] });
    expect(other.body.plan?.inputSha256).not.toBe(plan.inputSha256);
  });

  test("is not drawn up for a node that is not there, nor for anything that no plugin could be asked", async () => {
    const { store, nodes } = await seeded(1);
    const { server } = await activate(planner, firewaller, store);
    const nowhere = `node_${"0".repeat(26)}`;
    const known = nodes.map(({ id }) => id);
    expect((await planOf(server, { input: 1, nodes: [...known, nowhere] })).body).toMatchObject({
      code: "node.unknown",
      detail: `there is no node ${nowhere}`,
    });
    expect((await planOf(server, { input: 1, nodes: Array.from({ length: 501 }, () => known[0]) })).status).toBe(400);
    expect((await planOf(server, { input: 0.5, nodes: known })).body).toMatchObject({ code: "request.malformed" });
    expect((await planOf(server, { input: "x".repeat(1024 * 1024), nodes: known })).body).toMatchObject({
      code: "plan.too_large",
    });
    const health = await server.call<Problem>("POST", "/api/plugins/plugin-hello/actions/health", { nodes: known });
    expect([health.status, health.body.detail]).toEqual([400, "nodes: is for the action plan; health takes none"]);
    expect((await server.audit()).filter(({ action }) => action === "plugin.asked")).toEqual([]);
  });

  const draft = (more: object = {}) =>
    JSON.stringify({
      title: "Firewall",
      summary: "Closes everything.",
      sections: [
        {
          node: `node_${"0".repeat(26)}`,
          operations: [{ kind: "firewall.apply", table: "gatehouse_a", input: { policy: "drop", rules: [] } }],
          ...more,
        },
      ],
    });

  test.each([
    [
      "may hold only what the manifest declares",
      hello,
      draft(),
      /firewall\.apply, which needs the capability host:firewall$/,
    ],
    [
      "says nothing of the states it was made from",
      firewaller,
      draft({ preconditions: [] }),
      /preconditions: is no field here$/,
    ],
    [
      "is for no node that it was not asked for",
      firewaller,
      draft(),
      /^its plan is for node_0{26}, which it was not asked for$/,
    ],
  ])("%s", async (_, fields, answered, reason) => {
    const { store, nodes } = await seeded(1);
    const { server } = await activate(shell(`answer '${answered}'`), fields, store);
    const { status, body } = await planOf(server, { input: {}, nodes: nodes.map(({ id }) => id) });
    expect([status, body.detail]).toEqual([422, expect.stringMatching(reason)]);
  });
});

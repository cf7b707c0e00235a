import { brokerLimits } from "@gatehouse/contract/broker";
import type { Node } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { setUpBroker } from "./broker-cases.ts";
import type { NodeDeps } from "./node-handlers.ts";

const facts = {
  agentVersion: "0.2.1",
  agentSha256: "a".repeat(64),
  arch: "x64",
  hostname: "web",
  kernel: "6.18.0",
  os: "Debian GNU/Linux 13 (trixie)",
  mode: "managed",
  ceilingDigest: "b".repeat(64),
  ceiling: '{"level":"managed"}',
  trustDigest: null,
  accepts: "none" as const,
  addresses: ["192.0.2.7"],
  units: [],
  receivedAt: "2026-01-01T00:00:00.000Z",
};

const nodes = Array.from({ length: 600 }, (_, at): Node => {
  const number = String(at).padStart(3, "0");
  return {
    id: `node_${"0".repeat(23)}${number}`,
    name: `web-${number}`,
    tags: at % 3 === 0 ? ["web"] : [],
    notes: "Rack 4",
    state: "online",
    since: null,
    lastSeenAt: null,
    address: "192.0.2.7",
    rival: null,
    clockSkewMs: 0,
    hostname: `web-${number}`,
    hostKey: "key",
    place: null,
    enrolledAt: "2026-01-01T00:00:00.000Z",
    enrolledBy: "system",
    revokedAt: null,
    drift: null,
    facts: at % 5 === 0 ? null : facts,
  };
});

const listNodes: NodeDeps["listNodes"] = ({ tag, cursor = "", limit }) => {
  const found = nodes.filter(({ id, tags }) => id > cursor && (tag === undefined || tags.includes(tag)));
  const items = found.slice(0, limit);
  return Promise.resolve({ items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null });
};

test("a plugin sees all nodes, page by page, and of each what is public", async () => {
  const { ask } = setUpBroker({ listNodes }).act({ capabilities: ["node:read"] });
  const found: Record<string, unknown>[] = [];
  for (let after: string | undefined; ; ) {
    const page = (await ask("node.list", after === undefined ? {} : { after })) as {
      nodes: Record<string, unknown>[];
      more: boolean;
    };
    expect(page.nodes.length).toBeLessThanOrEqual(brokerLimits.listNodes);
    found.push(...page.nodes);
    if (!page.more) break;
    after = String(page.nodes.at(-1)?.["id"]);
  }
  expect(found.map(({ id }) => id)).toEqual(nodes.map(({ id }) => id));
  expect(new Set(found.flatMap((one) => Object.keys(one)))).toEqual(new Set(["id", "name", "tags", "state", "facts"]));
  expect(new Set(found.flatMap(({ facts }) => Object.keys(facts ?? {})))).toEqual(
    new Set(["agentVersion", "arch", "hostname", "kernel", "mode", "os"]),
  );
  expect(JSON.stringify(found)).not.toContain("192.0.2.7");
});

test("by a tag, and as few as it asks for; more than a page is refused", async () => {
  const { ask } = setUpBroker({ listNodes }).act({ capabilities: ["node:read"] });
  const page = (await ask("node.list", { tag: "web", limit: 2 })) as { nodes: { tags: string[] }[] };
  expect(page).toMatchObject({ more: true });
  expect(page.nodes.map(({ tags }) => tags.includes("web"))).toEqual([true, true]);
  expect(await ask("node.list", { limit: brokerLimits.listNodes + 1 })).toBe("broker.malformed");
  expect(await ask("node.list", { state: "online" })).toBe("broker.malformed");
});

test("a plan does not depend on which nodes there are", async () => {
  const { ask } = setUpBroker({ listNodes }).act({ capabilities: ["node:read"] }, "plan");
  expect(await ask("node.list", {})).toBe("broker.not_during_plan");
});

import { type Node, type Overview, overview } from "@gatehouse/contract/routes";
import { nodeKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { expect, test } from "vitest";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { newVisitor, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { farStore } from "./far-store.ts";
import { askForPlan, managedPretend, restart } from "./planned-fleet.ts";
import { connectPretend, enrolPretend } from "./pretend-agent.ts";
import type { Visitor } from "./visitor.ts";

/** Every item's kind and title, area by area. */
async function read(visitor: Visitor): Promise<Overview> {
  const { status, body } = await visitor.call<Overview>("GET", "/api/overview");
  expect(status, JSON.stringify(body)).toBe(200);
  return overview.parse(body);
}

const said = ({ items }: Overview["broken"]) => items.map(({ kind, title }) => `${kind}: ${title}`);

/** Two hosts that never came, after the time in which they might have. */
async function withTwoAway(options: Parameters<typeof startAuthServer>[0] = {}) {
  const server = await startAuthServer({ withoutRates: true, ...options });
  const owner = await server.visitor().signIn();
  const hosts = [new PretendHost("web-1"), new PretendHost("web-2")];
  for (const host of hosts) await enrolPretend(server, owner, host);
  server.clock.advance(21_000);
  await server.hear();
  return { server, owner, nodes: hosts.map(({ nodeId }) => nodeId) };
}

test("whoever may see all is told of all, and everybody else of what is theirs", async () => {
  const { server, owner, nodes } = await withTwoAway();
  const viewer = await newVisitor(server, owner, "viewer");
  const auditor = await newVisitor(server, owner, "auditor");
  const [first = ""] = nodes;
  const limited = await tokenVisitor(server, owner, {
    name: "deploy",
    expiresInSeconds: 3_600,
    scopes: ["node:read", "plan:read"],
    nodes: [first],
  });
  const blind = await tokenVisitor(server, owner, { name: "backup", scopes: ["storage:read"] });
  await server.hear();

  const all = await read(owner);
  expect(said(all.broken)).toHaveLength(2);
  expect(all.broken.counts).toEqual([{ kind: "offline", count: 2, says: "2 hosts are offline" }]);
  expect(said(all.changing)).toEqual(["token_expiring: Token deploy ends", "token_expiring: Token backup ends"]);
  expect(all.unseen).toEqual([]);

  for (const visitor of [viewer, auditor]) {
    const theirs = await read(visitor);
    expect(said(theirs.broken)).toEqual(said(all.broken));
    expect(theirs.changing.items).toEqual([]);
    expect(theirs.unseen).toEqual(expect.arrayContaining(["plugin", "bundle", "review", "key_expiring"]));
  }
  expect((await read(viewer)).unseen).toContain("chain");
  expect((await read(auditor)).unseen).not.toContain("chain");

  const few = await read(limited.visitor);
  expect(few.broken.items.map(({ subject }) => subject.id)).toEqual([first]);
  expect(few.broken.counts).toEqual([{ kind: "offline", count: 1, says: "1 host is offline" }]);
  expect(said(few.changing)).toEqual(["token_expiring: Token deploy ends"]);
  expect(few.unseen).toEqual(expect.arrayContaining(["chain", "plan_failed", "running", "plugin"]));

  const nothing = await read(blind.visitor);
  expect(nothing.broken.items).toEqual([]);
  expect(said(nothing.changing)).toEqual(["token_expiring: Token backup ends"]);
  expect(nothing.unseen).toContain("offline");
});

test("a host that comes and one that goes is in the next answer", async () => {
  const { server, owner } = await withTwoAway();
  const host = await enrolPretend(server, owner, new PretendHost("web-3"));
  const state = async () => (await owner.call<Node>("GET", `/api/nodes/${host.nodeId}`)).body.state;
  const away = async () => (await read(owner)).broken.items.map(({ subject }) => subject.id);
  await server.hear();
  // Kept from now on: only what is told of the host makes the next answer another.
  expect(await away()).toContain(host.nodeId);
  const agent = await connectPretend(server, host);
  await expect.poll(state).toBe("online");
  server.sweep();
  expect(await away()).not.toContain(host.nodeId);
  agent.socket.close();
  await expect.poll(state).toBe("offline");
  server.sweep();
  expect(await away()).toContain(host.nodeId);
});

test("while nothing of a node changes the nodes are read once, whoever asks and how often", async () => {
  const store = farStore();
  let lists = 0;
  const counted = new Proxy<Store>(store, {
    get: (target, name) => {
      if (name === "list") {
        return (...[kind, page]: Parameters<Store["list"]>) => {
          if (kind.name === nodeKind.name) lists += 1;
          return target.list(kind, page);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const { server, owner } = await withTwoAway({ store: counted });
  const viewer = await newVisitor(server, owner, "viewer");
  await server.hear();
  await read(owner);
  const before = lists;
  await Promise.all(Array.from({ length: 50 }, (_, at) => read(at % 2 === 0 ? owner : viewer)));
  expect(lists).toBe(before);
  server.clock.advance(5_001);
  await Promise.all(Array.from({ length: 50 }, () => read(owner)));
  expect(lists).toBe(before + 1);
});

test("a plan in review waits for whoever could approve it, and for nobody else", async () => {
  const server = await startAuthServer({ withoutRates: true });
  const owner = await server.visitor().signIn();
  const { host } = await managedPretend(server, owner);
  const made = await askForPlan(owner, { ...restart, nodes: [host.nodeId] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const approver = await newVisitor(server, owner, "approver");
  await server.hear();
  expect(said((await read(approver)).waiting)).toEqual(["review: Restart nginx"]);
  expect(said((await read(owner)).waiting)).toEqual([]);
});

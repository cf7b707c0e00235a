import { expect, test } from "vitest";
import { sampleNode } from "../Fleet/sample-node.ts";
import {
  changeTitle,
  emptyChanges,
  findChangeFaults,
  type HostChange,
  namedTargets,
  operationOf,
  planWishOf,
  raiseCommandFor,
  trimChange,
} from "./host-change.ts";

const restart = (unit: string): HostChange => ({ kind: "service.restart", unit });
const write = (path: string): HostChange => ({
  kind: "file.write",
  path,
  text: "hello\n",
  mode: "0644",
  owner: "root",
  group: "root",
});
const program = {
  name: "caddy",
  version: "2.8.4",
  architecture: "x64",
  sha256: "3f2a1b9c".repeat(8),
  size: 40_055_603,
  publisher: "acme",
  signature: { keyId: "0a1b2c3d".repeat(4), ed25519: `${"A".repeat(86)}==` },
} as const;
const replace = (path: string, publisher = "acme"): HostChange => ({
  kind: "binary.replace",
  path,
  program: { ...program, publisher },
});
const managed = sampleNode({
  ceiling: '{"allow":["file.write:/etc/nginx","service.restart:nginx.service"],"level":"managed","schema":1}',
}).facts;

test("a change becomes a plan for its one node, under a title that says what and where", () => {
  expect(
    planWishOf({ id: "node_1", name: "web-1" }, restart("nginx.service"), { why: "New key.", review: true }),
  ).toEqual({
    title: "Restart nginx.service on web-1",
    summary: "New key.",
    operations: [{ kind: "service.restart", unit: "nginx.service" }],
    nodes: ["node_1"],
    review: true,
  });
  const long = planWishOf({ id: "node_1", name: "web-1" }, write(`/etc/${"x".repeat(300)}`), {
    why: "x",
    review: false,
  });
  expect("title" in long && long.title).toHaveLength(120);
});

test("what the ceiling names needs no command, a directory with all in it", () => {
  expect(namedTargets(managed, "file.write")).toEqual(["/etc/nginx"]);
  expect(raiseCommandFor(managed, restart("nginx.service"))).toBeUndefined();
  expect(raiseCommandFor(managed, write("/etc/nginx/sites/a.conf"))).toBeUndefined();
  expect(raiseCommandFor(managed, write("/etc/nginx-other"))).toBeDefined();
});

test("what it does not name is added to what it names, because the list replaces the earlier one", () => {
  expect(raiseCommandFor(managed, restart("haproxy.service"))).toBe(
    "sudo gatehouse-agent ceiling set managed --allow file.write:/etc/nginx,service.restart:nginx.service,service.restart:haproxy.service",
  );
  expect(raiseCommandFor(sampleNode().facts, restart("nginx.service"))).toBe(
    "sudo gatehouse-agent ceiling set managed --allow service.restart:nginx.service",
  );
});

test("a program is sent with all that its publisher signed, and titled by what it is", () => {
  expect(operationOf(replace("/usr/local/bin/caddy"))).toEqual({
    kind: "binary.replace",
    path: "/usr/local/bin/caddy",
    ...program,
  });
  const wish = planWishOf({ id: "node_1", name: "web-1" }, replace("/opt/caddy"), { why: "x", review: true });
  expect(wish).toMatchObject({ title: "Replace /opt/caddy by caddy 2.8.4 on web-1" });
});

test("a ceiling may name a path for the programs of one publisher, and the nearest entry decides", () => {
  const allow = ["binary.replace:/opt", "binary.replace:/opt/tools=acme", "binary.replace:/usr/local/bin/caddy=acme"];
  const { facts } = sampleNode({ ceiling: JSON.stringify({ allow, level: "managed", schema: 1 }) });
  expect(namedTargets(facts, "binary.replace")).toEqual([
    "/opt",
    "/opt/tools (only by acme)",
    "/usr/local/bin/caddy (only by acme)",
  ]);
  expect(raiseCommandFor(facts, replace("/opt/caddy", "other"))).toBeUndefined();
  expect(raiseCommandFor(facts, replace("/opt/tools/caddy"))).toBeUndefined();
  expect(raiseCommandFor(facts, { kind: "binary.replace", path: "/opt/tools/caddy", program: null })).toBeUndefined();
  expect(raiseCommandFor(facts, replace("/opt/tools/caddy", "other"))).toMatch(
    /,binary\.replace:\/opt\/tools\/caddy=other$/,
  );
  expect(raiseCommandFor(facts, replace("/srv/caddy"))).toMatch(/,binary\.replace:\/srv\/caddy=acme$/);
});

test("an update of the agent is sent with all that is signed of the release; its entry of a ceiling has no target", () => {
  const { name: _name, publisher: _publisher, ...release } = program;
  const update = { kind: "agent.update", release } as const;
  expect(operationOf(update)).toEqual({ kind: "agent.update", ...release });
  expect(changeTitle(update)).toBe("Update the agent to 2.8.4");
  expect(changeTitle(emptyChanges["agent.update"])).toBe("Update the agent");
  expect(findChangeFaults(update)).toEqual({});
  expect(Object.keys(findChangeFaults(emptyChanges["agent.update"]))).toEqual(["release"]);
  const ceilingOf = (...allow: string[]) =>
    sampleNode({ ceiling: JSON.stringify({ allow, level: "managed", schema: 1 }) }).facts;
  expect(raiseCommandFor(ceilingOf("agent.update"), update)).toBeUndefined();
  expect(raiseCommandFor(ceilingOf("service.restart:a.service"), update)).toBe(
    "sudo gatehouse-agent ceiling set managed --allow service.restart:a.service,agent.update",
  );
});

test("of a ceiling that nobody knows nothing is said", () => {
  expect(raiseCommandFor(null, restart("nginx.service"))).toBeUndefined();
  expect(raiseCommandFor(sampleNode({ ceiling: "?" }).facts, restart("nginx.service"))).toBeUndefined();
  expect(raiseCommandFor(managed, restart(""))).toBeUndefined();
});

test("a form that is still empty says which fields are wanted, and a whole one nothing", () => {
  expect(findChangeFaults(emptyChanges["service.restart"])).toEqual({
    unit: "Name the service whole, such as nginx.service.",
  });
  expect(findChangeFaults(emptyChanges["file.write"])).toEqual({ path: "Name the whole path, from / on." });
  expect(findChangeFaults({ ...emptyChanges["file.write"], path: "/a", mode: "644", owner: " ", group: "" })).toEqual({
    mode: "Four digits, such as 0644.",
    owner: "Name a user of the host.",
    group: "Name a group of the host.",
  });
  expect(findChangeFaults(write(" /etc/motd "))).toEqual({});
  expect(Object.keys(findChangeFaults(emptyChanges["binary.replace"]))).toEqual(["path", "program"]);
  expect(findChangeFaults(replace(" /opt/caddy"))).toEqual({});
});

test("blanks around names are not sent, and those of a text are", () => {
  expect(trimChange(restart(" nginx.service "))).toEqual(restart("nginx.service"));
  expect(trimChange(replace(" /opt/caddy "))).toEqual(replace("/opt/caddy"));
  expect(trimChange({ ...emptyChanges["file.write"], path: " /etc/motd", text: "  hello \n" })).toMatchObject({
    path: "/etc/motd",
    text: "  hello \n",
  });
});

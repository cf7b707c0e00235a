import { expect, test } from "vitest";
import { sampleNode } from "../../widgets/Fleet/sample-node.ts";
import { type HostChange, namedTargets, planWishOf, raiseCommandFor } from "./host-change.ts";

const restart = (unit: string): HostChange => ({ kind: "service.restart", unit });
const write = (path: string): HostChange => ({
  kind: "file.write",
  path,
  text: "hello\n",
  mode: "0644",
  owner: "root",
  group: "root",
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

test("of a ceiling that nobody knows nothing is said", () => {
  expect(raiseCommandFor(null, restart("nginx.service"))).toBeUndefined();
  expect(raiseCommandFor(sampleNode({ ceiling: "?" }).facts, restart("nginx.service"))).toBeUndefined();
  expect(raiseCommandFor(managed, restart(""))).toBeUndefined();
});

import { expect, test } from "vitest";
import { sampleNode } from "../Fleet/sample-node.ts";
import {
  emptyChanges,
  findChangeFaults,
  type HostChange,
  namedTargets,
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
});

test("blanks around names are not sent, and those of a text are", () => {
  expect(trimChange(restart(" nginx.service "))).toEqual(restart("nginx.service"));
  expect(trimChange({ ...emptyChanges["file.write"], path: " /etc/motd", text: "  hello \n" })).toMatchObject({
    path: "/etc/motd",
    text: "  hello \n",
  });
});

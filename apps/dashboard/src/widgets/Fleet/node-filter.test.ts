import { expect, test } from "vitest";
import { sampleNode } from "./sample-node.ts";
import { choicesOf, filterNodes, readNodeFilter, readSort, sortNodes, writeSort } from "./node-filter.ts";

const rival = { address: "192.0.2.9", at: "2026-11-17T03:00:00.000Z" };
const nodes = [
  sampleNode({ name: "web-10", tags: ["web"], agentVersion: "0.2.10" }),
  sampleNode({ name: "web-9", tags: ["web", "edge"], state: "offline", agentVersion: "0.2.9" }),
  sampleNode({ name: "db-1", tags: ["db"], mode: "managed", addresses: ["10.80.4.31"] }),
  sampleNode({ name: "db-2", tags: ["db"], rival, arch: "arm64" }),
];
const names = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name);

test("what the address says is read as text, and what it does not know is left out", () => {
  expect(readNodeFilter({ text: 12, version: "0.2", state: "offline", other: "x", tag: "", ceiling: {} })).toEqual({
    text: "12",
    version: "0.2",
    state: "offline",
  });
});

test("conditions hold together", () => {
  expect(names(filterNodes(nodes, { tag: "web" }))).toEqual(["web-10", "web-9"]);
  expect(names(filterNodes(nodes, { tag: "web", state: "offline" }))).toEqual(["web-9"]);
  expect(names(filterNodes(nodes, { ceiling: "managed" }))).toEqual(["db-1"]);
  expect(names(filterNodes(nodes, { version: "0.2.10" }))).toEqual(["web-10"]);
  expect(names(filterNodes(nodes, { version: "0.2.1", architecture: "arm64" }))).toEqual(["db-2"]);
});

test("every word has to stand somewhere: in a name, an address or a tag", () => {
  expect(names(filterNodes(nodes, { text: "DB 10.80" }))).toEqual(["db-1"]);
  expect(names(filterNodes(nodes, { text: "edge" }))).toEqual(["web-9"]);
  expect(filterNodes(nodes, { text: "nobody" })).toEqual([]);
});

test("online is whoever is connected, also two machines with one identity", () => {
  expect(names(filterNodes(nodes, { state: "online" }))).toEqual(["web-10", "db-1", "db-2"]);
});

test("what needs somebody comes first, and numbers in names count by their value", () => {
  expect(names(sortNodes(nodes, undefined))).toEqual(["db-2", "web-9", "db-1", "web-10"]);
  expect(names(sortNodes(nodes, { column: "name", down: false }))).toEqual(["db-1", "db-2", "web-9", "web-10"]);
  expect(names(sortNodes(nodes, { column: "version", down: true }))[0]).toBe("web-10");
});

test("a sort stands in the address and is read from it again", () => {
  for (const sort of [
    { column: "name", down: true },
    { column: "seen", down: false },
  ]) {
    expect(readSort({ sort: writeSort(sort) })).toEqual(sort);
  }
  expect(readSort({ sort: "password" })).toBeUndefined();
});

test("one can choose from what there is", () => {
  expect(choicesOf(nodes)).toEqual({
    tags: ["db", "edge", "web"],
    ceilings: ["managed", "monitor"],
    versions: ["0.2.1", "0.2.9", "0.2.10"],
    architectures: ["arm64", "x64"],
  });
});

import { expect, test } from "vitest";
import { sampleNode } from "../Fleet/sample-node.ts";
import {
  addHosts,
  dropAgent,
  dropNode,
  dropTag,
  hostWords,
  leaveOut,
  noHosts,
  sortHosts,
  wantedNodes,
} from "./plan-hosts.ts";

const managed = { mode: "managed", accepts: "signed" } as const;
const fleet = [
  sampleNode({ id: "node_2", name: "edge-2", tags: ["edge"], ...managed }),
  sampleNode({ id: "node_1", name: "edge-1", tags: ["edge"], ...managed, accepts: "none" }),
  sampleNode({ id: "node_3", name: "edge-3", tags: ["edge"], state: "offline", ...managed }),
  sampleNode({ id: "node_4", name: "edge-4", tags: ["edge"], mode: "monitor" }),
  sampleNode({ id: "node_5", name: "edge-5", tags: ["edge"], state: "revoked", ...managed }),
  sampleNode({ id: "node_6", name: "db-1", tags: ["db"], ...managed }),
];
const edge = { ...noHosts, tags: ["edge"] };
const names = (nodes: readonly { readonly name: string }[]) => nodes.map(({ name }) => name);

test("each host of a tag stands in one place: asked, away, only looked at, or left out; who is revoked is nowhere", () => {
  const chosen = sortHosts(fleet, edge);
  expect(names(chosen.here)).toEqual(["edge-1", "edge-2"]);
  expect(names(chosen.away)).toEqual(["edge-3"]);
  expect(names(chosen.monitor)).toEqual(["edge-4"]);
  expect(names(chosen.closed)).toEqual(["edge-1"]);
  const fewer = sortHosts(fleet, leaveOut(edge, ["node_2", "node_2"]));
  expect(names(fewer.here)).toEqual(["edge-1"]);
  expect(names(fewer.leftOut)).toEqual(["edge-2"]);
});

test("hosts are also meant by the agent that they run, all of them or those with a tag", () => {
  const agent = { version: "0.2.1", architecture: "x64" };
  const chosen = { ...noHosts, agents: [{ ...agent, tag: undefined }] };
  expect(names(sortHosts(fleet, chosen).here)).toEqual(["db-1", "edge-1", "edge-2"]);
  expect(names(sortHosts(fleet, { ...noHosts, agents: [{ ...agent, tag: "db" }] }).here)).toEqual(["db-1"]);
  expect(sortHosts(fleet, { ...noHosts, agents: [{ ...agent, architecture: "arm64", tag: undefined }] }).here).toEqual(
    [],
  );
  expect(dropAgent(chosen, { ...agent, tag: undefined })).toEqual(noHosts);
  expect(dropAgent(chosen, { ...agent, tag: "db" })).toEqual(chosen);
});

test("a host that is named and has the tag too is meant once, and who is away is sent with the others", () => {
  const both = sortHosts(fleet, { ...edge, nodes: ["node_2", "node_6"] });
  expect(wantedNodes(both).map(({ id }) => id)).toEqual(["node_6", "node_1", "node_2", "node_3"]);
});

test("a word is the name of a host or a tag, and one that is neither says so", () => {
  expect(addHosts(fleet, noHosts, "tag edge")).toEqual({ choice: edge });
  expect(addHosts(fleet, noHosts, " tag:edge ")).toEqual({ choice: edge });
  expect(addHosts(fleet, edge, "edge")).toEqual({ choice: edge });
  expect(addHosts(fleet, leaveOut(edge, ["node_6"]), "db-1")).toEqual({ choice: { ...edge, nodes: ["node_6"] } });
  expect(addHosts(fleet, noHosts, "tag lab")).toEqual({ wrong: "No host has the tag lab." });
  expect(addHosts(fleet, noHosts, "edge-5")).toEqual({ wrong: "No host has the name or the tag edge-5." });
  expect(addHosts(fleet, noHosts, " ")).toEqual({ wrong: "Name a tag or a host." });
});

test("what is offered can be typed, and what was chosen can be taken back", () => {
  const offered = hostWords(fleet);
  expect(offered).toEqual(["tag db", "tag edge", "db-1", "edge-1", "edge-2", "edge-3", "edge-4"]);
  for (const word of offered) expect(addHosts(fleet, noHosts, word)).toHaveProperty("choice");
  expect(dropTag(edge, "edge")).toEqual(noHosts);
  expect(dropNode({ ...noHosts, nodes: ["node_1"] }, "node_1")).toEqual(noHosts);
});

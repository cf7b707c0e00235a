import { expect, test } from "vitest";
import { sampleArtifact } from "../ChangeFields/sample-artifact.ts";
import { countBuilds, isLater, newestRelease, runsBuild } from "./agent-builds.ts";
import { sampleNode } from "./sample-node.ts";

const release = (version: string, more = {}) =>
  sampleArtifact({ kind: "release", name: "gatehouse-agent", version, ...more });

test("hosts are counted by what they run, the newest first; who was revoked or has told nothing runs nothing", () => {
  const nodes = [
    sampleNode({ agentVersion: "0.2.9" }),
    sampleNode({ agentVersion: "0.2.10-alpha.1" }),
    sampleNode({ agentVersion: "0.2.10", arch: "arm64" }),
    sampleNode({ agentVersion: "0.2.10" }),
    sampleNode({ agentVersion: "0.2.9", state: "offline" }),
    sampleNode({ agentVersion: "ours" }),
    sampleNode({ agentVersion: "9.9.9", state: "revoked" }),
    { ...sampleNode(), facts: null },
  ];
  expect(countBuilds(nodes)).toEqual([
    { version: "0.2.10", architecture: "x64", nodes: 1 },
    { version: "0.2.10", architecture: "arm64", nodes: 1 },
    { version: "0.2.10-alpha.1", architecture: "x64", nodes: 1 },
    { version: "0.2.9", architecture: "x64", nodes: 2 },
    { version: "ours", architecture: "x64", nodes: 1 },
  ]);
  expect(nodes.filter((node) => runsBuild(node, { version: "0.2.9", architecture: "x64" }))).toHaveLength(2);
});

test("the newest release is one for the same processor that has arrived whole", () => {
  const here = [
    release("0.3.0"),
    release("0.3.1-rc.1"),
    release("0.4.0", { state: "arriving" }),
    release("0.5.0", { architecture: "arm64" }),
    sampleArtifact({ version: "9.0.0" }),
  ];
  expect(newestRelease(here, "x64")?.version).toBe("0.3.1-rc.1");
  expect(newestRelease(here, "arm64")?.version).toBe("0.5.0");
  expect(newestRelease(here, "riscv64")).toBeUndefined();
});

test("later is by the order of versions, and every version is later than none", () => {
  expect(isLater("0.3.0", "0.3.0")).toBe(false);
  expect(isLater("0.3.0", "0.3.0-rc.1")).toBe(true);
  expect(isLater("0.10.0", "0.9.0")).toBe(true);
  expect(isLater("0.1.0", "ours")).toBe(true);
});

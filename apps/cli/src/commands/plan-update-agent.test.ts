import type { Artifact, Node } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { startPlanServer } from "../../test/plan-server.ts";
import { runLine } from "../../test/run-commands.ts";
import { sampleArtifact } from "../../test/sample-artifact.ts";
import { sampleNode } from "../../test/sample-node.ts";
import { hosts, samplePlan } from "../../test/sample-plan.ts";
import { sendJson } from "../../test/small-server.ts";

/** What the CLI sends to have the agent of hosts updated. */
const release = (change: Partial<Artifact> = {}) => {
  const { publisher: _, ...facts } = sampleArtifact({ kind: "release", name: "gatehouse-agent", version: "1.2.0" });
  return { ...facts, ...change };
};
const x64 = release();
const arm64 = release({ id: `artifact_${"8".repeat(26)}`, architecture: "arm64", sha256: "8".repeat(64) });

/** Both hosts of the plan, each with the processor that it says it has; null has said nothing yet. */
async function start(items: readonly Artifact[], archs: readonly (string | null)[]) {
  const nodes: Node[] = hosts.map(({ id, name }, index) => {
    const arch = archs[index] ?? null;
    return sampleNode({ id, name, facts: arch === null ? null : { arch } });
  });
  const { server, environment } = await startPlanServer(samplePlan(), {
    "GET /api/artifacts": (response) => sendJson(response, 200, { items, nextCursor: null }),
    "GET /api/nodes": (response) => sendJson(response, 200, { items: nodes, nextCursor: null }),
  });
  const posted = () =>
    server.received.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body) as object);
  return { posted, run: (line: string) => runLine(line, { environment }) };
}

const update = "plan create --update-agent gatehouse-agent@1.2.0";

test.each([
  ["x64", x64],
  ["arm64", arm64],
])("of a version that is there for two processors, hosts of %s become theirs", async (arch, chosen) => {
  const { posted, run } = await start([x64, arm64], [arch, arch]);
  expect(await run(`${update} --tag web`)).toMatchObject({ code: 0, err: "" });
  const { version, architecture, sha256, size, signature } = chosen;
  expect(posted()).toEqual([
    {
      title: "Update the agent to 1.2.0",
      summary: "Update the agent to 1.2.0.",
      operations: [{ kind: "agent.update", version, architecture, sha256, size, signature }],
      tags: ["web"],
    },
  ]);
});

test("one that is there for one processor, or is named by its digits, is taken as it is: the lint judges it", async () => {
  const { posted, run } = await start(
    [x64, release({ id: `artifact_${"9".repeat(26)}`, version: "1.3.0" })],
    ["arm64"],
  );
  for (const named of ["gatehouse-agent@1.2.0", x64.id.slice(-8)])
    expect(await run(`plan create --update-agent ${named} --node web-1`)).toMatchObject({ code: 0 });
  expect(posted()).toHaveLength(2);
});

test("hosts of two processors are two plans, and are named", async () => {
  const { posted, run } = await start([x64, arm64], ["x64", "arm64"]);
  const refused = await run(`${update} --tag web`);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("gatehouse: artifact.architecture: ") });
  expect(refused.err).toContain(`expected hosts of one processor, found x64 (${hosts[0]?.name}) and arm64 (`);
  expect(posted()).toEqual([]);
  expect(await run(`${update} --node ${hosts[1]?.id}`)).toMatchObject({ code: 0 });
  expect(posted()).toMatchObject([{ operations: [{ architecture: "arm64" }] }]);
});

test.each<[string, readonly Artifact[], (string | null)[], string, string]>([
  ["is a program", [sampleArtifact({ name: "gatehouse-agent", version: "1.2.0" })], ["x64"], "plan.artifact", "found"],
  ["is not whole", [release({ state: "arriving", parts: [1] })], ["x64"], "plan.artifact", "found 1 of 2 parts"],
  ["is not there", [], ["x64"], "artifact.unknown", "no artifact"],
  ["is for processors of no host", [x64, arm64], ["riscv64", "riscv64"], "artifact.architecture", "for x64, arm64"],
  ["could be for either", [x64, arm64], [null, null], "artifact.architecture", "hosts have told"],
  ["is there twice", [x64, { ...x64, id: arm64.id }], ["x64", "x64"], "cli.artifact_ambiguous", "fits"],
])("a release that %s updates no agent", async (_, items, archs, code, why) => {
  const { posted, run } = await start(items, archs);
  const refused = await run(`${update} --tag web`);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`gatehouse: ${code}: `) });
  expect(refused.err).toContain(why);
  expect(posted()).toEqual([]);
});

test.each(["--restart a.service", "--replace /opt/a=a", "--read-log a.service", "--mode 0644", "--plugin netguard"])(
  "beside %s it is refused before anything is sent",
  async (more) => {
    const { posted, run } = await start([x64], ["x64"]);
    expect(await run(`${update} ${more} --tag web`)).toMatchObject({ code: 2 });
    expect(posted()).toEqual([]);
  },
);

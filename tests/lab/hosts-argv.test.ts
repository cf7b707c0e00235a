import { readFileSync } from "node:fs";
import { join } from "node:path";
import { byteForm } from "@gatehouse/base";
import type { Operation } from "@gatehouse/plan";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExplainedPlan } from "../differential/compiled.ts";
import { drawOperation } from "../differential/drawn-operations.ts";
import { Random } from "../support/random.ts";
import { makeSection } from "../support/signed-task.ts";
import { repository } from "./image.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";

/** What a real systemd makes of names that the schema accepts, in the very words that the agent of that host explains. */
const names = 12;
const file = "/opt/lab/section.json";
const program = "/opt/lab/gatehouse-agent";
let lab: Lab<"alpha"> | undefined;
let alpha: ManagedHost;

beforeAll(async () => {
  lab = await openLab(["alpha"]);
  ({ alpha } = lab.hosts);
  await alpha.write(program, readFileSync(join(repository, "dist/agent", process.arch, "gatehouse-agent")), "755");
});
afterAll(() => lab?.close());

async function runningNow(): Promise<Set<string>> {
  const list = ["list-units", "--type=service", "--state=running", "--plain", "--no-legend", "--full", "--no-pager"];
  const { stdout } = await alpha.run("systemctl", ...list);
  return new Set(stdout.split("\n").flatMap((line) => line.split(" ")[0] || []));
}

test("each restart is of exactly the service that the plan names", async () => {
  const drawn = Array.from({ length: names }, (_, at) => drawOperation(new Random(1, at), "service.restart"));
  // A template has no service of its own: systemd refuses to start one.
  const isService = (operation: Operation) =>
    operation.kind === "service.restart" && !operation.unit.endsWith("@.service");
  const operations = drawn.filter(isService) as Extract<Operation, { kind: "service.restart" }>[];
  for (const { unit } of operations)
    await alpha.write(`/run/systemd/system/${unit}`, "[Service]\nExecStart=/bin/sleep infinity\n");
  await alpha.write(file, byteForm(makeSection({ nodeId: `node_${"0".repeat(26)}`, operations })));
  const { stdout } = await alpha.run(program, "helper", "explain", file, "--json");
  const explained = (JSON.parse(stdout) as ExplainedPlan).sections[0]?.operations ?? [];
  expect(explained).toHaveLength(operations.length);
  for (const [at, { unit }] of operations.entries()) {
    const before = await runningNow();
    for (const { step, argv } of explained[at]?.programs ?? []) {
      if (step !== "apply" && step !== "check") continue;
      expect(await alpha.run(...argv), argv.join(" ")).toMatchObject({ code: 0 });
    }
    expect([...(await runningNow()).difference(before)]).toEqual([unit]);
  }
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { byteForm } from "@gatehouse/base";
import type { Operation } from "@gatehouse/plan";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExplainedPlan } from "../differential/compiled.ts";
import { drawOperation } from "../differential/drawn-operations.ts";
import { Random } from "../support/random.ts";
import { makeSection } from "../support/signed-task.ts";
import { bringDirectly } from "./direct-task.ts";
import { repository } from "./image.ts";
import type { ManagedHost } from "./managed-host.ts";
import { agentUnit } from "./agent-on-host.ts";
import { lastRecordOn, untilEnded, untilJournal, untilNothingIsLeft } from "./change-on-host.ts";
import { interfaceOf, labInterfaceEntry, makeInterfaceTask } from "./lab-wireguard.ts";
import { type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { recordPrograms, takeStarted } from "./recorded-programs.ts";
import { serverAddress } from "./wire.ts";

/** What real programs make of words that the agent of a host explains, and which of them it really starts. */
const names = 12;
const file = "/opt/lab/section.json";
const program = "/opt/lab/gatehouse-agent";
let lab: ManagedLab<"alpha">;
let alpha: ManagedHost;

beforeAll(async () => {
  lab = await openManagedLab(["alpha"], { allow: [labInterfaceEntry] });
  alpha = lab.hosts.alpha.host;
  await alpha.write(program, readFileSync(join(repository, "dist/agent", process.arch, "gatehouse-agent")), "755");
});
afterAll(() => lab.close());

/** What the agent of the host says of operations. */
async function explain(operations: readonly Operation[]) {
  await alpha.write(file, byteForm(makeSection({ nodeId: `node_${"0".repeat(26)}`, operations })));
  const { stdout } = await alpha.run(program, "helper", "explain", file, "--json");
  return (JSON.parse(stdout) as ExplainedPlan).sections[0]?.operations ?? [];
}

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
  const explained = await explain(operations);
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

test("an interface is made, changed, taken back and set up at boot by exactly the programs that are explained", async () => {
  const on = lab.hosts.alpha;
  // The host is asked for its key before anybody looks.
  await lab.plans.makePlan([interfaceOf(1, [])], on.node);
  const programs = ["ip", "wg", "wireguard-go", "systemd-run"].map((name) => `/usr/bin/${name}`);
  await recordPrograms(alpha, ...programs);
  const peer = { label: "nobody", publicKey: Buffer.alloc(32, 5).toString("base64"), allowedIps: ["10.9.9.0/24"] };
  const kept = interfaceOf(1, [peer]);
  const [{ programs: told } = { programs: [] }] = await explain([kept]);

  const started = new Set<string>();
  const during = async (work: () => Promise<void>) => {
    await alpha.shell("rm -f /var/lib/gatehouse/started-by-lab");
    await work();
    for (const words of await takeStarted(alpha)) started.add(words);
  };
  /** Nothing can prove it: the way to the server leads into the tunnel. */
  const takeBack = async () => {
    const start = await lastRecordOn(alpha);
    const way = { ...peer, allowedIps: [`${serverAddress}/32`] };
    const task = await makeInterfaceTask(on, interfaceOf(1, [way]));
    await during(async () => {
      expect(await bringDirectly(alpha, task)).toMatchObject({ taken: true });
      await untilJournal(alpha, "probe", start);
      await alpha.shell("gatehouse-agent rollback");
      expect(await untilEnded(alpha, start)).toBe("rolled_back rollback.asked");
      await untilNothingIsLeft(alpha);
    });
    await alpha.shell(`systemctl restart ${agentUnit}`);
    await lab.desk.online(alpha);
  };
  await takeBack();
  const task = await makeInterfaceTask(on, kept);
  const start = await lastRecordOn(alpha);
  await during(async () => {
    expect(await bringDirectly(alpha, task)).toMatchObject({ taken: true });
    expect(await untilEnded(alpha, start)).toBe("applied");
  });
  await takeBack();
  await during(() => alpha.restart());

  const ours = [...started]
    // What arms and tries the dead-man belongs to every change.
    .filter((words) => !words.includes("gatehouse-deadman") && !words.includes("DynamicUser"))
    .map((words) => words.replaceAll(/task_[0-9a-z]{26}/g, "TASK"));
  expect([...new Set(ours)].toSorted()).toEqual([...new Set(told.map(({ argv }) => JSON.stringify(argv)))].toSorted());
});

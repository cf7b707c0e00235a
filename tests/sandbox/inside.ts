import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@gatehouse/contract";
import { type Launcher, openLauncher } from "@gatehouse/sandbox";
import { launcherDeaths, serverDeaths } from "./deaths.ts";
import { crowdedOut, hoardRuns } from "./hoard-runs.ts";
import { hostileRuns } from "./hostile-runs.ts";
import { nodeProbe } from "./node-probe.ts";
import type { PlaceOrder, PlaceReport } from "./place-report.ts";
import { escapeProbes, nodeProbes, notOutside } from "./probe-list.ts";
import { probe, probeOutside } from "./probing.ts";
import { stormRuns } from "./storm-runs.ts";
import { openWitness } from "./witness.ts";

/** Runs in one place, as a server would: `node inside.ts ORDER`. Answers with a line of JSON for everything that it found. */
const order = JSON.parse(process.argv[2] ?? "{}") as PlaceOrder;
mkdirSync(order.data, { recursive: true, mode: 0o700 });
const troubles: string[] = [];
const launcher = await openLauncher({
  runtimeDirectory: order.runtime,
  least: "landlock",
  onTrouble: (message) => {
    troubles.push(message);
    process.stderr.write(`${message}\n`);
  },
});
tell({
  kind: "level",
  level: launcher.level,
  tried: launcher.tried.map(({ level, works, reason }) => `${level}: ${works ? "works" : reason}`).join("; "),
  uid: process.getuid?.() ?? -1,
});
check(
  "the level is the one this place is there for",
  launcher.level === order.expects ? undefined : `found ${launcher.level}`,
);
if (order.probes) await escapes(launcher);
const staged = await launcher.stage({ path: order.probe, sha256: digest(readFileSync(order.probe)) });
if (order.runs > 0) {
  const { figures, surprises } = await hostileRuns(order, staged);
  tell({ kind: "figures", figures });
  const why = surprises.length === 0 ? undefined : surprises.slice(0, 3).join(" | ");
  check("every hostile run ended as its limit says", why, { runs: figures.runs });
}
if (order.storms > 0) tell({ kind: "storms", storms: await stormRuns(order, staged) });
if (order.hoards > 0) for (const found of await hoardRuns(order, staged)) tell({ kind: "check", ...found });
if (order.isSmall) tell({ kind: "check", ...(await crowdedOut(staged)) });
if (order.runs > 0 || order.isSmall)
  check("the launcher outlived every hostile run", troubles.length === 0 ? undefined : troubles.join(" | "));
if (order.deaths > 0) await deaths(launcher);
await launcher.close();
if (order.noexec !== undefined)
  check("a runtime directory that runs no programs is refused by name", await refusal(order.noexec));

async function deaths(of: Launcher): Promise<void> {
  const { deaths: times } = order;
  const before = troubles.length;
  check("plugins die with their launcher", await launcherDeaths(order, staged), { times });
  const told = troubles.length - before;
  check("each of those deaths was told", told === times ? undefined : `${told} were`, { times });
  await of.close();
  check("plugins, launcher and copies go with the server", await serverDeaths(order), { times });
}

async function escapes(through: Launcher): Promise<void> {
  const witness = await openWitness(order.data);
  // A secret of the server that a plugin must not find in its environment.
  process.env["SERVICE_ADMIN_PASSWORD"] = "canary";
  const native = await through.stage({ path: order.probe, sha256: digest(readFileSync(order.probe)) });
  const script = join(order.data, "node-probe");
  writeFileSync(script, nodeProbe, { mode: 0o755 });
  const node = await through.stage({ path: script, sha256: digest(nodeProbe) });
  witness.changes();
  const all = Object.values(escapeProbes).flat();
  for (const name of all) tell(await probe(native, name, witness));
  for (const name of nodeProbes) tell(await probe(node, name, witness));
  if (order.outside)
    for (const name of all) if (!notOutside.has(name)) tell(await probeOutside(order.probe, name, witness));
  await native.remove();
  await node.remove();
  witness.close();
}

async function refusal(runtimeDirectory: string): Promise<string | undefined> {
  try {
    await (await openLauncher({ runtimeDirectory, least: "none" })).close();
    return "it was accepted";
  } catch (error) {
    if (!isFault(error, "sandbox.runtime_directory_unfit")) return String(error);
    if (!error.detail.includes(runtimeDirectory) || !error.detail.includes("noexec")) return error.detail;
    return readdirSync(runtimeDirectory).length === 0 ? undefined : "something was left in it";
  }
}

function digest(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function check(name: string, why: string | undefined, counts: Readonly<Record<string, number>> = {}): void {
  tell({ kind: "check", name, why, counts });
}

function tell(report: PlaceReport): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@gatehouse/contract/faults";
import { nodeVfs } from "@gatehouse/files";
import type { FirewallApply, Operation } from "@gatehouse/plan";
import { agentPaths } from "../../apps/agent/src/config.ts";
import { type HostRun, type RunOnHost, runOnHost } from "../../apps/agent/src/host/run-on-host.ts";
import { changeFirewall } from "../../apps/agent/src/operations/change-firewall.ts";
import { changeService } from "../../apps/agent/src/operations/change-service.ts";
import type { ChangeGround } from "../../apps/agent/src/operations/host-operation.ts";
import { keepTable, loadTables } from "../../apps/agent/src/operations/keep-table.ts";
import { readFirewallState } from "../../apps/agent/src/operations/read-firewall-state.ts";
import { tailLog } from "../../apps/agent/src/operations/tail-log.ts";
import { readServiceState } from "../../apps/agent/src/operations/read-service-state.ts";
import { doInterface } from "./interface-on-host.ts";

/**
 * `on-host.ts ROOT FILE`: does every operation of the file with the agent's own code and the real programs, in namespaces where nft has
 * a kernel of its own and no systemd can be reached. Between two of them it starts `true`, which whoever traces it sees. Prints what it found as JSON.
 */
const [root = "", file = ""] = process.argv.slice(2);
const { snapshots, tables } = agentPaths(root);
const flaws: string[] = [];
const silent: HostRun = { code: 0, stdout: "", stderr: "" };
const base = { root, owner: 0, directory: `${snapshots}/TASK`, pause: async () => undefined };

for (const [index, operation] of (JSON.parse(readFileSync(file, "utf8")) as Operation[]).entries()) {
  await runOnHost("true", [String(index)]);
  if (operation.kind === "firewall.apply") await doTable(operation);
  if (operation.kind === "network.wireguard") flaws.push(...(await doInterface(base, operation)));
  if (operation.kind === "service.restart") await doRestart(operation);
  if (operation.kind === "log.tail")
    await tailLog.read({ root, run: answered(new Set(), {}, undefined) }, operation, { mostBytes: 1, mostMs: 60_000 });
}
process.stdout.write(JSON.stringify(flaws));

/** Made where there is none, kept for boot and loaded as then, put back to itself, and taken away. */
async function doTable(operation: FirewallApply): Promise<void> {
  const { table } = operation;
  const ground: ChangeGround = { ...base, run: runOnHost };
  const kept = { vfs: nodeVfs, tables };
  try {
    if ((await readFirewallState(ground, table)) !== null) flaws.push(`${table} is there before it was made`);
    await changeFirewall.validate(ground, operation);
    if ((await changeFirewall.snapshot(ground, table)) !== null) flaws.push(`${table} was taken for one that is there`);
    await changeFirewall.apply(ground, operation);
    if (!(await changeFirewall.isApplied(ground, operation))) flaws.push(`${table} is not what the plan says`);
    await keepTable(kept, operation);
    const { failed } = await loadTables({ ...kept, run: runOnHost });
    for (const { name, why } of failed) flaws.push(`${name} was not loaded: ${why}`);
    const copy = await changeFirewall.snapshot(ground, table);
    for (const back of [copy, null]) {
      await changeFirewall.prove(ground, table, back);
      await changeFirewall.restore(ground, table, back);
    }
    if ((await readFirewallState(ground, table)) !== null) flaws.push(`${table} was not taken away`);
  } catch (error) {
    flaws.push(`${table}: ${isFault(error) ? `${error.code}: ${error.detail}` : String(error)}`);
  }
  rmSync(tables, { recursive: true, force: true });
}

/** Every way that a restart can go. What systemd would answer is said here; the programs are started for their words. */
async function doRestart(operation: Extract<Operation, { kind: "service.restart" }>): Promise<void> {
  const { unit } = operation;
  const started = new Set<string>();
  const ways = [
    { shown: { NeedDaemonReload: "yes" } },
    { shown: {}, failing: "restart" },
    { shown: { ActiveState: "inactive" } },
    { shown: {}, isHurried: true },
    { shown: { ActiveState: "inactive" }, isHurried: true },
    { shown: {}, isBoot: true },
    { shown: { ActiveState: "failed" }, isBoot: true },
  ];
  for (const { shown, failing, ...more } of ways) {
    const ground: ChangeGround = { ...base, ...more, run: answered(started, shown, failing) };
    await readServiceState({ ...ground, checkTime: () => undefined, privateKey: new Uint8Array(32) }, unit);
    const copy = await changeService.snapshot(ground, unit);
    await changeService.validate(ground, operation);
    await changeService.prove(ground, unit, copy);
    if (failing !== undefined || Object.keys(more).length === 0) {
      await changeService.apply(ground, operation).catch(() => undefined);
      await changeService.isApplied(ground, operation);
    }
    await changeService.restore(ground, unit, copy).catch(() => undefined);
  }
  await readOffline(unit);
}

/** Starts the real program once for each list of words, and answers as a systemd would. */
function answered(
  started: Set<string>,
  shown: Readonly<Record<string, string>>,
  failing: string | undefined,
): RunOnHost {
  return async (program, args) => {
    const words = JSON.stringify([program, ...args]);
    if (!started.has(words)) {
      started.add(words);
      const { code, stderr } = await runOnHost(program, args);
      // Had it not understood a word, it would say so before it looks for systemd.
      if (program === "systemctl" && (code !== 1 || !/has not been booted with systemd/.test(stderr)))
        flaws.push(`${words} ended with ${code}: ${stderr}`);
      if (program === "journalctl" && code !== 0 && !/No journal files/.test(stderr))
        flaws.push(`${words} ended with ${code}: ${stderr}`);
    }
    if (args[0] === failing) return { ...silent, code: 1 };
    return args.some((word) => word.includes("FragmentPath"))
      ? { ...silent, stdout: "LoadState=not-found\n" }
      : { ...silent, stdout: args[0] === "show" ? shownText(shown) : "" };
  };
}

function shownText(values: Readonly<Record<string, string>>): string {
  const all = { LoadState: "loaded", ActiveState: "active", Type: "simple", InvocationID: "one", ...values };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

/** systemctl reads unit files without a systemd too: of all the names there could be, it takes this one for exactly itself. */
async function readOffline(unit: string): Promise<void> {
  const units = join(root, "etc/systemd/system");
  rmSync(units, { recursive: true, force: true });
  mkdirSync(units, { recursive: true });
  writeFileSync(join(units, unit), "[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n");
  const { stdout, stderr } = await runOnHost("systemctl", [`--root=${root}`, "is-enabled", unit]);
  if (stdout !== "disabled\n") flaws.push(`systemctl does not find ${unit} by its name: ${stdout}${stderr}`);
}

import { join, resolve } from "node:path";
import { runAll } from "@gatehouse/base";
import { testReleaseKey } from "../../apps/agent/src/trust/release-keys.ts";
import { compileAgent } from "../../tools/build/compile-agent.ts";
import { makeAuthority } from "../lab/authority.ts";
import { inScratch } from "../support/scratch.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { harms } from "./harms.ts";
import { type AttackedMachine, openAttackedMachine } from "./rows/attacked-machine.ts";
import { families } from "./rows/families.ts";
import { isScript, type RowFamily, type ScriptRow, tableRows } from "./rows/row.ts";
import { runRow, type Verdict } from "./rows/run-row.ts";

const root = resolve(import.meta.dirname, "../..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";
/** They wait for each other most of the time. */
const hostNames = ["one", "two", "three"] as const;

/** The table of attacks of the design, row by row, against the one file that hosts run, on hosts with systemd. */
export const rows: Scenario<"evil:server"> = {
  name: "rows",
  run: ({ seed }) =>
    onMachines(async (machines) => {
      const tally = new Tally();
      const results = await runRows(machines, seed, families.flatMap(scriptsOf), tell);
      for (const { row, verdict } of results) {
        tally.count(row.isControl ? "controls" : "rows");
        for (const what of verdict.changes) tally.fail(`${row.label}: ${what}`, harms.changed);
        for (const what of verdict.wrong) tally.fail(`${row.label}: ${what}`, harms.answered);
      }
      const all = families.flatMap((family) => family.rows);
      const scripts = all.filter(isScript).length;
      const changes = results.reduce((sum, { verdict }) => sum + verdict.changes.length, 0);
      const bounded = results.filter(({ row, verdict }) => !row.isControl && verdict.effects.length > 0).length;
      const made = results.filter(({ row, verdict }) => row.isControl && verdict.effects.length > 0).length;
      console.log(
        `${all.length} of ${tableRows} rows: ${scripts} scripts on ${machines.length} hosts with systemd, ${all.length - scripts} by named tests; ` +
          `${changes} changes, ${bounded} bounded effects that their rows name; ${made} of ${families.length} controls changed the host`,
      );
      return tally.outcome();
    }),
};

export interface LabelledRow extends Omit<ScriptRow, "row"> {
  readonly label: string;
  readonly number: number;
  readonly isControl: boolean;
}

/** The control of a family, and behind it its rows. */
export function scriptsOf({ name, control, rows: all }: RowFamily, at: number): LabelledRow[] {
  return [
    { ...control, label: `control of ${name}`, number: tableRows + 1 + at, isControl: true },
    ...all.filter(isScript).map((row) => ({ ...row, label: `row ${row.row}`, number: row.row, isControl: false })),
  ];
}

export interface RowResult {
  readonly row: LabelledRow;
  readonly verdict: Verdict;
}

/** Compiles the agent of these sources, and says which file it is. It takes releases that tests can sign: otherwise none could be tried. */
export function compileTo(out: string, sources: string): string {
  compileAgent({ root: sources, architecture, out, compress: false, isTestBuild: true, releaseKeys: [testReleaseKey] });
  return join(out, "gatehouse-agent");
}

/** Boots hosts with the compiled agent. */
export function onMachines<T>(work: (machines: readonly AttackedMachine[], scratch: string) => Promise<T>): Promise<T> {
  return inScratch(async (directory) => {
    const agent = compileTo(directory, root);
    const authority = makeAuthority(join(directory, "authority"));
    const opened = hostNames.map((name) => openAttackedMachine(name, agent, authority));
    const machines = (await Promise.allSettled(opened)).flatMap((each) =>
      each.status === "fulfilled" ? [each.value] : [],
    );
    try {
      await Promise.all(opened);
      return await work(machines, directory);
    } finally {
      await runAll(machines.map((machine) => () => machine.close()));
    }
  });
}

/** In the order of the table, whichever host is free. */
export async function runRows(
  machines: readonly AttackedMachine[],
  seed: number,
  all: readonly LabelledRow[],
  onEnd: (result: RowResult) => void = () => undefined,
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  const queue = all.entries();
  const lane = async (machine: AttackedMachine) => {
    for (const [at, row] of queue) {
      const verdict = await verdictOf(machine, row, seed);
      results[at] = { row, verdict };
      onEnd({ row, verdict });
    }
  };
  await Promise.all(machines.map(lane));
  return results;
}

/** A row that throws has shown nothing, and the others go on. */
async function verdictOf(machine: AttackedMachine, row: LabelledRow, seed: number): Promise<Verdict> {
  try {
    return await runRow(machine, row, { seed, number: row.number });
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { found: [], wrong: [`the script itself failed: ${what}`], changes: [], effects: [], logged: "" };
  }
}

const shownDetail = 100;

function tell({ row: { label, does }, verdict: { found, logged, effects } }: RowResult): void {
  for (const { code, at, detail } of found.slice(0, 1)) {
    const times = found.length === 1 ? "" : ` (${found.length} times)`;
    const log = logged === "" ? "" : `; logged: ${logged.slice(0, shownDetail)}`;
    const effect =
      effects.length === 0 ? "" : `; changed: ${effects.map((each) => each.split(/ |:/, 1)[0]).join(", ")}`;
    console.log(`${label} ${code}  ${does}  said by ${at}${times}: ${detail.slice(0, shownDetail)}${log}${effect}`);
  }
}

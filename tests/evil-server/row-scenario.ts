import { join, resolve } from "node:path";
import { compileAgent } from "../../tools/build/compile-agent.ts";
import { inScratch } from "../support/scratch.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { harms } from "./harms.ts";
import { families } from "./rows/families.ts";
import { isScript, type RowFamily, type ScriptRow, tableRows } from "./rows/row.ts";
import { type RunRowDeps, runRow, type Verdict } from "./rows/run-row.ts";

const root = resolve(import.meta.dirname, "../..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";
/** They wait for each other most of the time. */
const atOnce = 6;

/** The table of attacks of the design, row by row, against the one file that hosts run. */
export const rows: Scenario<"evil:server"> = {
  name: "rows",
  run: ({ seed }) =>
    inScratch(async (directory) => {
      const tally = new Tally();
      compileAgent({ root, architecture, out: directory, compress: false });
      const deps: RunRowDeps = { program: [join(directory, "gatehouse-agent")], seed };
      const results = await runAll(deps, families.flatMap(scriptsOf));
      for (const { row, verdict } of results) {
        tell(row, verdict);
        tally.count(row.isControl ? "controls" : "rows");
        for (const what of verdict.changes) tally.fail(`${row.label}: ${what}`, harms.changed);
        for (const what of verdict.wrong) tally.fail(`${row.label}: ${what}`, harms.answered);
      }
      const all = families.flatMap((family) => family.rows);
      const scripts = all.filter(isScript).length;
      const changes = results.reduce((sum, { verdict }) => sum + verdict.changes.length, 0);
      const named = all.length - scripts;
      console.log(
        `${all.length} of ${tableRows} rows: ${scripts} scripts, ${named} by named tests; ${changes} changes`,
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

/** In the order of the table, whoever is done first. */
export async function runAll(deps: RunRowDeps, all: readonly LabelledRow[]): Promise<RowResult[]> {
  const results: RowResult[] = [];
  const queue = all.entries();
  const lane = async () => {
    for (const [at, row] of queue) results[at] = { row, verdict: await verdictOf(deps, row) };
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

/** A row that throws has shown nothing, and the others go on. */
async function verdictOf(deps: RunRowDeps, row: LabelledRow): Promise<Verdict> {
  try {
    return await runRow(deps, row, row.number);
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { found: [], wrong: [`the script itself failed: ${what}`], changes: [] };
  }
}

const shownDetail = 100;

function tell({ label, does }: LabelledRow, { found }: Verdict): void {
  for (const { code, at, detail } of found.slice(0, 1)) {
    const times = found.length === 1 ? "" : ` (${found.length} times)`;
    console.log(`${label} ${code}  ${does}  said by ${at}${times}: ${detail.slice(0, shownDetail)}`);
  }
}

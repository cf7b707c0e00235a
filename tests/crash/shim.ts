import { rm } from "node:fs/promises";
import { join } from "node:path";
import { inLanes } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { checkDirectory } from "./check-directory.ts";
import { readAnswers, type Said, startChild } from "./child.ts";
import { compileShim } from "./compile-shim.ts";
import { armName, copyPrepared, flowRun, flows } from "./flows.ts";
import { harms } from "./harms.ts";
import { inScratch } from "../support/scratch.ts";
import { type Attempt, chooseAttempts, planAttempts } from "./shim-plan.ts";

/** Every write, sync, rename and truncation of six flows fails, falls short, tears, or is the last thing the process does. */
export const shim: Scenario<"crash"> = {
  name: "shim",
  run: ({ seed, counts }) =>
    inScratch(async (scratch) => {
      const tally = new Tally();
      const library = await compileShim(scratch);
      const prepared = new Map<string, Prepared>();
      await inLanes(flows.keys(), async (flow) => {
        prepared.set(flow, await prepare(flow, scratch, library));
      });
      const all = [...flows.keys()].flatMap((flow) => planAttempts(flow, prepared.get(flow)?.counted ?? []));
      const chosen = chooseAttempts(all, counts.faults, new Random(seed));
      let missed = 0;
      await inLanes(chosen.entries(), async ([number, attempt]) => {
        const ready = prepared.get(attempt.flow) as Prepared;
        const said = await strike({ attempt, ready, directory: join(scratch, `try-${number}`), library, tally });
        tally.count("faults");
        if (!said.lines.some((line) => line.startsWith("!fault"))) missed += 1;
      });
      tally.count("faults there are", all.length);
      if (missed > 0) tally.notes.push(`${missed} of them came after the flow's end`);
      return tally.outcome();
    }),
};

interface Prepared {
  readonly directory: string;
  /** What was said while it was prepared: acknowledged long before anything fails. */
  readonly lines: readonly string[];
  readonly counted: readonly string[];
}

/** Makes the flow's directory once and counts the operations of an undisturbed run. */
async function prepare(flow: string, scratch: string, library: string): Promise<Prepared> {
  const directory = join(scratch, `prepared-${flow.replace(" ", "-")}`);
  const made = await startChild("./flow.ts", ["prepare", flow, directory]).ended;
  const dry = `${directory}-dry`;
  await copyPrepared(directory, dry);
  const counted = await runFlow(flow, dry, { LD_PRELOAD: library, FAULT_OP: "count" });
  for (const said of [made, counted]) {
    if (said.code !== 0) throw new Error(`the flow "${flow}" does not even work undisturbed: ${said.stderr}`);
  }
  return { directory, lines: made.lines, counted: counted.lines };
}

function runFlow(flow: string, directory: string, env: Record<string, string>): Promise<Said> {
  const arms = flow === "first boot" || flow === "replay" ? {} : { FAULT_ARM: armName };
  return startChild("./flow.ts", ["run", flow, directory, String(flowRun)], { FAULT_PATH: directory, ...arms, ...env })
    .ended;
}

interface Strike {
  readonly attempt: Attempt;
  readonly ready: Prepared;
  readonly directory: string;
  readonly library: string;
  readonly tally: Tally;
}

async function strike({ attempt, ready, directory, library, tally }: Strike): Promise<Said> {
  const { flow, op, nth, mode, last } = attempt;
  await copyPrepared(ready.directory, directory);
  const said = await runFlow(flow, directory, {
    LD_PRELOAD: library,
    FAULT_OP: op,
    FAULT_NTH: String(nth),
    FAULT_MODE: mode,
    FAULT_LAST: last,
  });
  const name = `${flow}: ${op} ${nth} (${attempt.path.split("/").at(-1)}) ${mode} ${last}`;
  const wrong = misbehaviour(attempt, said, directory);
  if (wrong !== undefined) tally.fail(`${name}: ${wrong}`);
  const answers = readAnswers([...ready.lines, ...said.lines]);
  // Once one commit was refused, those behind it were planned on versions that never came to be.
  const firstRefused = Math.min(Infinity, ...answers.refused.map(({ n }) => n));
  const verdict = await checkDirectory(directory, {
    ...answers,
    mayMiss: ({ run, n }) => run === flowRun && n >= firstRefused,
  });
  if (verdict !== undefined) tally.fail(`${name}: ${verdict.what}`, harms[verdict.kind]);
  await rm(directory, { recursive: true, force: true });
  return said;
}

/** What the process itself must not do after its disk failed. */
function misbehaviour(
  { op, mode }: Attempt,
  { lines, code, signal, stderr }: Said,
  directory: string,
): string | undefined {
  const fault = lines.findIndex((line) => line.startsWith("!fault"));
  if (fault === -1) return code === 0 ? undefined : `undisturbed, it ended with ${code ?? signal}: ${stderr}`;
  if (signal === "SIGKILL")
    return mode.startsWith("kill") || mode === "tear" ? undefined : "it was killed, but not by the shim";
  if (signal !== null) return `it crashed with ${signal}: ${stderr}`;
  // The process had done all it was asked for; what fails while it exits can be told to nobody.
  if (op !== "fsync" || lines.slice(0, fault).includes("done")) return undefined;
  // SQLite syncs the directory of its files as well as it can and tells nobody when it could not.
  if (lines[fault] === `!fault fsync logs-db ${directory}`) return undefined;
  // Nothing is known about the disk after a failed sync: no answer may follow, and nobody may ask the disk again.
  const later = lines.slice(fault + 1);
  if (later.some((line) => line.startsWith("ack"))) return "it acknowledged a commit after a failed sync";
  // Closing a database syncs it once more, also while the process ends: SQLite's own way, and nothing was answered for it.
  const isSqlites = /\/logs\.db(?:-wal|-journal)?$/.test(lines[fault] as string);
  if (!isSqlites && later.includes(lines[fault] as string)) return "it tried the failed sync again";
  return code === 0 ? "it ended with 0 after a failed sync" : undefined;
}

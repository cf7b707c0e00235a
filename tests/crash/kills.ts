import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inLanes } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { checkDirectory } from "./check-directory.ts";
import { readAnswers, startChild } from "./child.ts";
import { harms } from "./harms.ts";
import type { Place } from "./model.ts";
import { inScratch } from "../support/scratch.ts";

const killsPerDirectory = 20;

/** SIGKILL to a process that commits to a real directory: while it starts, writes, makes checkpoints, stops or idles. */
export const kills: Scenario<"crash"> = {
  name: "kills",
  run: async ({ seed, counts }) => {
    const tally = new Tally();
    const directories = Array.from({ length: Math.ceil(counts.kills / killsPerDirectory) }, (_, number) => number);
    const moments = { start: 0, work: 0 };
    await inLanes(directories, (number) =>
      inScratch((scratch) => killRepeatedly({ scratch, seed, number, tally, moments })),
    );
    tally.notes.push(`${moments.start} of them before the first answer`);
    return tally.outcome();
  },
};

interface Task {
  readonly scratch: string;
  readonly seed: number;
  /** Of the directory. */
  readonly number: number;
  readonly tally: Tally;
  readonly moments: { start: number; work: number };
}

/** The directory is looked at in a copy, so that the next process starts from what the kill left. */
async function killRepeatedly({ scratch, seed, number, tally, moments }: Task): Promise<void> {
  const random = new Random(seed, number);
  const directory = join(scratch, "data");
  const copy = join(scratch, "copy");
  const acknowledged = new Map<number, Place>();
  for (let kill = 1; kill <= killsPerDirectory; kill += 1) {
    const said = await runAndKill(directory, (seed % 1_000_000) * 100_000 + number * 100 + kill, random);
    const answers = readAnswers(said.lines).acknowledged;
    for (const [position, place] of answers) acknowledged.set(position, place);
    moments[answers.size === 0 ? "start" : "work"] += 1;
    tally.count("kills");
    await cp(directory, copy, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    const verdict = await checkDirectory(copy, { acknowledged });
    await rm(copy, { recursive: true, force: true });
    if (said.signal !== "SIGKILL")
      tally.fail(`kill ${kill} of directory ${number}: the writer ended by itself: ${said.stderr}`);
    if (verdict !== undefined) {
      tally.fail(`kill ${kill} of directory ${number}: ${verdict.what}`, harms[verdict.kind]);
      return;
    }
  }
}

async function runAndKill(directory: string, run: number, random: Random) {
  const child = startChild("./writer.ts", [directory, String(run)]);
  if (random.chance(0.35)) {
    await Promise.race([child.ended, delay(random.below(300))]);
  } else {
    await child.heard("ack");
    await Promise.race([child.ended, delay(random.below(80))]);
  }
  child.kill();
  return child.ended;
}

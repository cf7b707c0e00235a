import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Random, seededRandom } from "@gatehouse/store/faulty";
import { checkDirectory } from "./check-directory.ts";
import { readAnswers, startChild } from "./child.ts";
import { inLanes } from "./lanes.ts";
import type { Place } from "./model.ts";
import { type Scenario, Tally } from "./scenario.ts";
import { inScratch } from "./scratch.ts";

const killsPerDirectory = 20;

/** SIGKILL to a process that commits to a real directory: while it starts, writes, makes checkpoints, stops or idles. */
export const kills: Scenario = {
  name: "kills",
  run: async ({ seed, short }) => {
    const tally = new Tally();
    const total = short ? 100 : 10_000;
    const directories = Array.from({ length: total / killsPerDirectory }, (_, index) => index);
    const moments = { start: 0, work: 0 };
    await inLanes(directories, (index) =>
      inScratch((scratch) => killRepeatedly({ scratch, seed: seed * 1_000 + index, tally, moments })),
    );
    tally.notes.push(`${moments.start} of them before the first answer`);
    return tally.outcome();
  },
};

interface Task {
  readonly scratch: string;
  readonly seed: number;
  readonly tally: Tally;
  readonly moments: { start: number; work: number };
}

/** The directory is looked at in a copy, so that the next process starts from what the kill left. */
async function killRepeatedly({ scratch, seed, tally, moments }: Task): Promise<void> {
  const random = seededRandom(seed);
  const directory = join(scratch, "data");
  const copy = join(scratch, "copy");
  const acknowledged = new Map<number, Place>();
  for (let kill = 1; kill <= killsPerDirectory; kill += 1) {
    const said = await runAndKill(directory, (seed % 1_000_000) * 100 + kill, random);
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
      tally.fail("other", `kill ${kill} of directory ${seed}: the writer ended by itself: ${said.stderr}`);
    if (verdict !== undefined) {
      tally.fail(verdict.kind, `kill ${kill} of directory ${seed}: ${verdict.what}`);
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

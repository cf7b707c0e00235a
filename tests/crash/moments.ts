import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openFileStore } from "@gatehouse/store";
import { inventedKinds } from "../support/invented-kinds.ts";
import { Model, type Place } from "./model.ts";
import { planCommit } from "./planned-commits.ts";
import { readBack } from "./read-back.ts";

/** A copy of the four files at one moment, and what they held. */
export interface Moment {
  readonly name: string;
  readonly directory: string;
  readonly places: readonly Place[];
}

/** Checkpoints between one moment and the next: some have several, some none. */
const checkpointsBefore = [1, 2, 0, 1, 0];
const commitsEach = 12;

/** One store's life in copies. */
export async function makeMoments(scratch: string, run: number, count: number): Promise<Moment[]> {
  const directory = join(scratch, "data");
  const model = new Model();
  const moments: Moment[] = [];
  let n = 0;
  for (const [index, checkpoints] of checkpointsBefore.slice(0, count).entries()) {
    const store = await openFileStore({ directory, kinds: inventedKinds });
    for (let part = 0; part <= checkpoints; part += 1) {
      if (part > 0) await store.checkpoint();
      for (let commit = 0; commit < commitsEach; commit += 1) {
        n += 1;
        const planned = planCommit(run, n, model.versionOf);
        if (planned.refused) continue;
        await store.commit(planned.entry, planned.changes, planned.expects);
        model.apply(planned.changes);
      }
    }
    const { places } = await readBack(store);
    await store.abandon();
    const copy = join(scratch, `moment-${index}`);
    await cp(directory, copy, { recursive: true });
    const companions = (await readdir(copy)).filter((name) => name.startsWith("logs.db-"));
    if (companions.length > 0) throw new Error(`logs.db was not closed: ${companions.join(", ")} are still there`);
    moments.push({ name: "ABCDE"[index] as string, directory: copy, places });
  }
  return moments;
}

import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isFault } from "@gatehouse/contract";
import { type FileStore, openFileStore } from "@gatehouse/store";
import { inventedKinds } from "../support/invented-kinds.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { harms } from "./harms.ts";
import { makeMixes, type Mix } from "./mixes.ts";
import { makeMoments } from "./moments.ts";
import { expectedText, readBack } from "./read-back.ts";
import { inScratch } from "../support/scratch.ts";

/** Files of different moments put together, files left out, and another installation's key: refused, or exactly right. */
export const mixedFiles: Scenario<"crash"> = {
  name: "mixed-files",
  run: ({ seed, short }) =>
    inScratch(async (scratch) => {
      const tally = new Tally();
      const moments = await makeMoments(scratch, seed % 1_000_000, short ? 3 : 5);
      const directory = join(scratch, "mix");
      let started = 0;
      for (const mix of await makeMixes(scratch, moments)) {
        tally.count("checks");
        await mkdir(directory, { mode: 0o700 });
        for (const [name, source] of mix.files) await cp(source, join(directory, name));
        const wrong = await tryMix(directory, mix);
        if (wrong === "started") started += 1;
        else if (wrong !== undefined) tally.fail(`${mix.name}: ${wrong}`, harms.undetected);
        await rm(directory, { recursive: true });
      }
      tally.notes.push(`${started} of them consistent, the others refused`);
      return tally.outcome();
    }),
};

/** "started" when it did and is exactly right, undefined when it was refused by name; otherwise what is wrong. */
async function tryMix(directory: string, { history, mustStart }: Mix): Promise<string | undefined> {
  let store: FileStore;
  try {
    store = await openFileStore({ directory, kinds: inventedKinds });
  } catch (error) {
    const isNamed = isFault(error) && (error.kind === "startup" || error.kind === "damaged");
    if (!isNamed) return `it failed without a name: ${String(error)}`;
    return mustStart ? `it was refused: ${error.message}` : undefined;
  }
  try {
    if (history === undefined) return `it started at ${(await store.head()).position}`;
    const { places, text } = await readBack(store);
    if (JSON.stringify(places) !== JSON.stringify(history.places)) {
      return `it started with ${places.length} records, its log had ${history.places.length}`;
    }
    if (text !== expectedText(places)) return "it started with records that do not follow from its log";
    const report = await store.verifyAudit();
    return report.ok ? "started" : `it started, but its chain does not verify: ${JSON.stringify(report.broken)}`;
  } catch (error) {
    return `it started, but could not be read: ${String(error)}`;
  } finally {
    await store.abandon();
  }
}

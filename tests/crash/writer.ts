import { setTimeout as delay } from "node:timers/promises";
import { Random } from "../support/random.ts";
import { Client, say } from "./client.ts";

/**
 * `node writer.ts <directory> <run> [hold]`: commits with many in flight and makes checkpoints, until it is killed.
 * With `hold` it never runs out of commits and never closes the store.
 */
const [directory = "", run = "0", hold] = process.argv.slice(2);
const random = new Random(Number(run));
const client = await Client.open(directory, Number(run), 2_000 + random.below(30_000));
const commits = 100 + random.below(400);
const inFlight = random.pick([1, 4, 16, 64]);

const lanes = Array.from({ length: inFlight }, async () => {
  for (let commit = 0; commit < commits / inFlight; commit += 1) {
    await client.submit();
    if (random.chance(0.01)) await client.store.checkpoint();
  }
});
await Promise.all(lanes);
if (hold !== undefined) {
  for (;;) {
    await client.submit();
    await delay(20);
  }
}
if (random.chance(0.5)) await client.store.close();
say("done");
// Whoever started it ends it: also a process that has nothing to do, or has closed its store, is killed.
setInterval(() => undefined, 1_000);

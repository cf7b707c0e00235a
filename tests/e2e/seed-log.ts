import { openFileStore } from "@gatehouse/store";
import { inventedEntry } from "../support/invented-entry.ts";
import { type SeededFleet, seedFleet } from "../support/seed-fleet.ts";

/** Straight into the store, many at once: the log is what the server would have written, and is made in seconds. */
export async function seedLog(directory: string, rows: number): Promise<void> {
  const store = await openFileStore({ directory });
  try {
    const now = Date.now();
    for (let first = 0; first < rows; first += 1_000) {
      const entries = Array.from({ length: 1_000 }, (_one, at) => ({
        at: now - (rows - first - at) * 60_000,
        actor: `usr_${(first + at) % 40}`,
        action: "node.seen",
        subject: `node/ams1-web-${(first + at) % 200}`,
        detail: { agent: "0.1.0", round: first + at },
      }));
      await Promise.all(entries.map((entry) => store.commit(inventedEntry(entry))));
    }
  } finally {
    await store.close();
  }
}

/** An invented fleet for a server that is not started yet. */
export async function seedWorldFleet(directory: string, fleet: SeededFleet): Promise<void> {
  const store = await openFileStore({ directory });
  try {
    await seedFleet(store, fleet);
  } finally {
    await store.close();
  }
}

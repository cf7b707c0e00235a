import { rm } from "node:fs/promises";
import { openFileStore } from "@gatehouse/store";
import { movedKinds, moveOf } from "./store-workload.ts";

export interface Replay {
  /** Records a second from the files to an open store, every link checked. */
  readonly boot: number;
  /** Records a second of `verifyAudit` on the running store. */
  readonly verify: number;
  /** Records a second of the check in the background, archived: chain, columns, indexes, times and words. */
  readonly check: number;
  /** As `boot`, for a log in which every record was its own group. */
  readonly singles: number;
  readonly group: number;
}

const group = 256;

export async function measureReplay(directory: string, records: number): Promise<Replay> {
  await fill(directory, records, group);
  const boot = await timeBoot(directory, records);
  const store = await openFileStore({ directory, kinds: movedKinds, checkpointBytes: 2 ** 40 });
  const started = performance.now();
  const report = await store.verifyAudit();
  const verify = records / ((performance.now() - started) / 1_000);
  if (!report.ok || report.records < records - group) throw new Error(`verification found ${JSON.stringify(report)}`);
  await store.checkpoint();
  const began = performance.now();
  const checked = await store.checkAudit();
  const check = records / ((performance.now() - began) / 1_000);
  if (!checked.ok || checked.rebuilt !== undefined) throw new Error(`the check found ${JSON.stringify(checked)}`);
  await store.close();
  const few = Math.min(records, 30_000);
  await fill(directory, few, 1);
  const singles = await timeBoot(directory, few);
  return { boot, verify, check, singles, group };
}

/** Fills the log through the store itself and leaves without a checkpoint, as a killed process would. */
async function fill(directory: string, records: number, inFlight: number): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const store = await openFileStore({ directory, kinds: movedKinds, checkpointBytes: 2 ** 40 });
  await Promise.all(
    Array.from({ length: inFlight }, async (_, caller) => {
      let was = 0;
      for (let turn = 1; turn <= records / inFlight; turn += 1) {
        const { entry, change } = moveOf(caller, turn, was);
        was = (await store.commit(entry, [change])).version;
      }
    }),
  );
  await store.abandon();
}

async function timeBoot(directory: string, records: number): Promise<number> {
  const started = performance.now();
  const store = await openFileStore({ directory, kinds: movedKinds, checkpointBytes: 2 ** 40 });
  const seconds = (performance.now() - started) / 1_000;
  const found = (await store.head()).position;
  if (found < records - group) throw new Error(`expected about ${records} records, found ${found}`);
  await store.abandon();
  return found / seconds;
}

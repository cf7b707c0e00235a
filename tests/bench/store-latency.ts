import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openFileStore } from "@gatehouse/store";
import { BareGroupCommit } from "./bare-group-commit.ts";
import { percentile } from "../support/percentile.ts";
import { bareLine, movedKinds, moveOf } from "./store-workload.ts";

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly bareP50: number;
  readonly bareP99: number;
}

/** How long one commit takes when nothing else is under way; ours and bare in turn. */
export async function measureLatency(directory: string, rounds: number): Promise<Latency> {
  await rm(directory, { recursive: true, force: true });
  const store = await openFileStore({ directory, kinds: movedKinds });
  const bare = new BareGroupCommit(join(directory, "..", "bare.log"));
  const ours: number[] = [];
  const theirs: number[] = [];
  let was = 0;
  for (let turn = 1; turn <= rounds; turn += 1) {
    const move = moveOf(1, turn, was);
    const started = performance.now();
    was = (await store.commit(move.entry, [move.change])).version;
    const between = performance.now();
    await bare.append(bareLine(move));
    ours.push(between - started);
    theirs.push(performance.now() - between);
  }
  bare.close();
  await store.close();
  return {
    p50: percentile(ours, 0.5),
    p99: percentile(ours, 0.99),
    bareP50: percentile(theirs, 0.5),
    bareP99: percentile(theirs, 0.99),
  };
}

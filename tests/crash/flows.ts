import { appendFile, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "./client.ts";
import { passIdleTime } from "./stopped-clock.ts";

/** The moments of a store's life in which every file operation is made to fail once. */
export interface Flow {
  readonly name: string;
  /** Makes the directory the flow begins with. Undisturbed; its commits are acknowledged too. */
  readonly prepare: (directory: string) => Promise<void>;
  /** Runs in a process of its own. Operations count from `arm` on, or from the start when it is never called. */
  readonly run: (directory: string, run: number, arm: () => void) => Promise<void>;
}

export const armName = "io-fault-arm";
export const preparedRun = 1;
export const flowRun = 2;
const noCheckpoint = 1_000_000_000;

const flowsInOrder: readonly Flow[] = [
  {
    name: "first boot",
    prepare: (directory) => mkdir(directory, { recursive: true }).then(() => undefined),
    run: async (directory, run) => {
      const client = await Client.open(directory, run, noCheckpoint);
      await client.submit();
    },
  },
  {
    name: "commit",
    prepare: (directory) => commitAndLeave(directory, 30, "close"),
    run: async (directory, run, arm) => {
      const client = await Client.open(directory, run, noCheckpoint);
      await client.submit();
      arm();
      await client.submit();
      await client.submit();
      passIdleTime();
      await client.submit();
      await client.submit();
    },
  },
  {
    name: "group",
    prepare: (directory) => commitAndLeave(directory, 30, "abandon"),
    run: async (directory, run, arm) => {
      const client = await Client.open(directory, run, noCheckpoint);
      arm();
      for (const size of [40, 1, 7]) await client.submitMany(size);
    },
  },
  {
    name: "checkpoint",
    prepare: (directory) => commitAndLeave(directory, 60, "abandon"),
    run: async (directory, run, arm) => {
      const client = await Client.open(directory, run, noCheckpoint);
      await client.submitMany(5);
      arm();
      const before = client.submitMany(8);
      const checkpoint = client.store.checkpoint();
      await Promise.all([before, checkpoint, client.submitMany(8)]);
      await client.submitMany(3);
    },
  },
  {
    name: "replay",
    prepare: async (directory) => {
      await commitAndLeave(directory, 40, "close");
      await commitAndLeave(directory, 20, "abandon", preparedRun + 10);
      await appendFile(join(directory, "state.json.audit-wal"), '{"first":61,"count":1,"link":"0123');
    },
    run: async (directory, run) => {
      const client = await Client.open(directory, run, noCheckpoint);
      await client.submit();
    },
  },
  {
    name: "stop",
    prepare: (directory) => commitAndLeave(directory, 30, "abandon"),
    run: async (directory, run, arm) => {
      const client = await Client.open(directory, run, noCheckpoint);
      await client.submitMany(4);
      arm();
      await Promise.all([client.submitMany(4), client.store.close()]);
    },
  },
];

export const flows: ReadonlyMap<string, Flow> = new Map(flowsInOrder.map((flow) => [flow.name, flow]));

async function commitAndLeave(
  directory: string,
  count: number,
  how: "close" | "abandon",
  run = preparedRun,
): Promise<void> {
  const client = await Client.open(directory, run, noCheckpoint);
  for (let done = 0; done < count; done += 5) await client.submitMany(5);
  await client.store[how]();
}

/** A directory like the prepared one, for one attempt. */
export async function copyPrepared(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
}

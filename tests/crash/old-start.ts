import { faultyVfs } from "@gatehouse/files/faulty";
import type { MemoryIndexDisk } from "../../packages/store/src/audit-index/memory-index.ts";
import { encodeGroup, genesis } from "../../packages/store/src/log-format.ts";
import type { MasterKey } from "../../packages/store/src/master-key.ts";
import type { Random } from "../support/random.ts";
import { Filling } from "./filling.ts";
import type { Place } from "./model.ts";
import { ageLog, encodeOldLog, encodeOldState, oldBeginning, type OldLine, type OldMoment } from "./old-image.ts";
import type { Recording } from "./recording.ts";
import { abandon, directory, Machine, type Running } from "./simulated-store.ts";

const checkpointBytes = 1_000_000;
const logPath = `${directory}/state.json.audit-wal`;
const statePath = `${directory}/state.json`;

/** A checkpoint covers nothing, a part or all of the log, and the log's end is whole or torn. */
export const oldFiles = 6;

/**
 * The first start on files as 0.1.5 left them, on a disk that remembers everything: it begins a log of today's format. Every
 * record was promised before it, with the version it had; no version of 0.1.5 is beyond the position of its commit.
 */
export async function recordOldStart(number: number, random: Random): Promise<Recording> {
  const { key, files, places } = await live(random);
  const lines = ageLog(files.get(logPath) as Uint8Array);
  const covered = [0, 1 + random.below(lines.length - 1), lines.length][number % 3] as number;
  const checkpoint = lines[covered - 1] ?? oldBeginning;
  const last = lines.at(-1) ?? oldBeginning;
  const unfinished = encodeGroup(last.head, ['{"at":1}'], ["[]"]).bytes;
  const torn = unfinished.subarray(0, number < 3 ? 0 : 1 + random.below(unfinished.length - 1));
  const log = Buffer.concat([encodeOldLog(checkpoint.head, lines.slice(covered)), torn]);
  const old = new Map(files).set(statePath, encodeOldState(key, checkpoint)).set(logPath, log);
  const machine = new Machine(faultyVfs({ files: old }), await archiveOf(key, files, lines.slice(0, covered)));
  abandon(await start(machine));
  const texts: string[] = [];
  texts[places.length] = recordsText(last);
  return { machine, checkpointBytes, places, texts, promisedAt: () => places.length };
}

/** A life of one process without a checkpoint, as today's store writes it. */
async function live(random: Random): Promise<{
  readonly key: MasterKey;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly places: readonly Place[];
}> {
  const machine = new Machine(faultyVfs());
  const running = await start(machine);
  const life = new Filling(running.store, random.below(1_000_000));
  await life.fill(12 + random.below(12));
  abandon(running);
  return { key: running.store.key, files: machine.disk.contents(), places: [...life.acknowledged.values()] };
}

/** What logs.db holds when all of these lines are behind a checkpoint. */
async function archiveOf(
  key: MasterKey,
  files: ReadonlyMap<string, Uint8Array>,
  lines: readonly OldLine[],
): Promise<MemoryIndexDisk> {
  const old = new Map(files)
    .set(statePath, encodeOldState(key, oldBeginning))
    .set(logPath, encodeOldLog(genesis, lines));
  const machine = new Machine(faultyVfs({ files: old }));
  abandon(await start(machine));
  return machine.index.at(machine.disk.ops);
}

async function start(machine: Machine): Promise<Running> {
  const running = await machine.start({ checkpointBytes });
  if (running === undefined) throw new Error("the process ended while it started");
  return running;
}

/** What `Model.text` says of the same records. */
function recordsText({ records }: OldMoment): string {
  return [...records]
    .map(([key, { version, value }]) => `${key} ${version} ${JSON.stringify(value)}`)
    .sort()
    .join("\n");
}

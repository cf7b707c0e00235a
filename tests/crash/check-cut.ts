import type { FaultyVfs } from "@gatehouse/files/faulty";
import { create } from "@gatehouse/store/decide";
import { decodeHeader, logFormat } from "../../packages/store/src/log-format.ts";
import { inventedKey } from "../support/invented-kinds.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import type { Random } from "../support/random.ts";
import type { Verdict } from "./harms.ts";
import { forgotten } from "./model.ts";
import type { Recording } from "./recording.ts";
import { readBack } from "./read-back.ts";
import { abandon, directory, Machine, type Running } from "./simulated-store.ts";

const headerRoom = 200;
const probeKey = inventedKey("probe/1");

/**
 * Cuts power after operation `op` and starts again. Undefined when everything promised is there, nothing else is, and the
 * store goes on: a further commit survives a further cut.
 */
export async function checkCut(recording: Recording, op: number, random: Random): Promise<Verdict | undefined> {
  const { machine } = recording;
  const after = new Machine(machine.disk.imageAt(op, random), machine.index.at(op));
  const first = await look(recording, after, recording.promisedAt(op));
  if (!("position" in first)) return first;
  const bootOps = after.disk.ops;
  try {
    // The disk may as well fail while the store is still recovering.
    const early = random.chance(0.2) ? random.below(bootOps + 1) : undefined;
    if (early !== undefined) {
      const promised = early === bootOps ? first.position : recording.promisedAt(op);
      const again = new Machine(after.disk.imageAt(early, random), after.index.at(early));
      const found = await look(recording, again, promised);
      if ("position" in found) abandon(found.running);
      else return { ...found, what: `cut again after operation ${early} of the start: ${found.what}` };
    }
    return await goOn(recording, after, first, random);
  } finally {
    abandon(first.running);
  }
}

interface Found {
  readonly position: number;
  readonly running: Running;
}

async function look(recording: Recording, machine: Machine, promised: number): Promise<Found | Verdict> {
  let running: Running | undefined;
  const wrong = (kind: Verdict["kind"], what: string): Verdict => {
    if (running !== undefined) abandon(running);
    return { kind, what };
  };
  try {
    running = await machine.start({ checkpointBytes: recording.checkpointBytes });
    if (running === undefined) throw new Error("the process ended while it started");
    const { head, places, text } = await readBack(running.store);
    const { position } = head;
    if (position < promised) return wrong("lost", `promised up to ${promised}, found up to ${position}`);
    for (let index = 0; index < position; index += 1) {
      const [found, expected] = [places[index], recording.places[index]];
      if (found === forgotten || (found?.run === expected?.run && found?.n === expected?.n)) continue;
      return wrong(
        "undetected",
        `position ${index + 1} holds ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`,
      );
    }
    if (text !== recording.texts[position])
      return wrong("undetected", `the records at ${position} are not what they were`);
    const format = await logFormatOn(machine.disk);
    if (format !== logFormat) return wrong("other", `after the start the log has format ${format}`);
    const report = await running.store.verifyAudit();
    if (report.ok && report.head.position === position) return { position, running };
    return wrong("undetected", `the chain does not verify: ${JSON.stringify(report)}`);
  } catch (error) {
    return wrong("other", `the start or reading failed: ${String(error)}`);
  }
}

async function logFormatOn(disk: FaultyVfs): Promise<number | undefined> {
  const file = await disk.open(`${directory}/state.json.audit-wal`, "read");
  const bytes = Buffer.from(await file.read(0, headerRoom));
  return decodeHeader(bytes.subarray(0, bytes.indexOf(10)))?.format;
}

/** A further commit is acknowledged and there after one more power cut. */
async function goOn(
  recording: Recording,
  machine: Machine,
  first: Found,
  random: Random,
): Promise<Verdict | undefined> {
  const { position, running } = first;
  const value = { after: position };
  const entry = inventedEntry({ at: 1, actor: "system", action: "crash.probe", subject: probeKey.text });
  let committed: number;
  try {
    committed = (await running.store.commit(entry, [create(probeKey, value)])).version;
  } catch (error) {
    return { kind: "other", what: `a further commit was refused: ${String(error)}` };
  }
  if (committed !== position + 1)
    return { kind: "other", what: `a further commit got position ${committed} after ${position}` };
  const { ops } = machine.disk;
  const again = new Machine(machine.disk.imageAt(ops, random), machine.index.at(ops));
  const restarted = await again
    .start({ checkpointBytes: recording.checkpointBytes })
    .catch((error: unknown) => String(error));
  if (restarted === undefined || typeof restarted === "string") {
    return { kind: "lost", what: `after a further commit and cut the start failed: ${restarted}` };
  }
  const probe = await restarted.store.get(probeKey);
  const head = await restarted.store.head();
  abandon(restarted);
  if (
    probe?.version === committed &&
    JSON.stringify(probe.value) === JSON.stringify(value) &&
    head.position === committed
  )
    return undefined;
  return { kind: "lost", what: `a further commit at ${committed} was lost: head ${head.position}` };
}

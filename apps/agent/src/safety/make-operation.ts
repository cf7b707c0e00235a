import { mostToldBytes } from "@gatehouse/contract";
import { type Operation, type OperationKind, type PlanSection, subjectOf } from "@gatehouse/plan";
import type { ChangeGround, HostChange, HostReading, ReadLines } from "../operations/host-operation.ts";
import type { ChangeDeps } from "./change.ts";
import { getHostChange } from "./snapshot-files.ts";

type SectionOperations = Pick<PlanSection, "operations">;

/** Those that replace a part of the host. What only reads has nothing to be validated, kept, or looked at again. */
export function changesOf({ operations }: SectionOperations): Operation[] {
  return operations.filter((each) => subjectOf(each) !== null);
}

/** Of all that a section reads together: a proof has to come within the window of the change, however short that is. */
const readingMs = 5_000;

/** Makes one operation of the section at its place. Gives what it tells where it only reads. */
export type OperationMaker = (each: Operation) => Promise<{ readonly told?: ReadLines }>;

export function openOperationMaker(
  deps: Pick<ChangeDeps, "host" | "findUptime">,
  ground: ChangeGround,
  section: SectionOperations,
): OperationMaker {
  let leftMs = readingMs;
  const readEach = async (reading: HostReading, each: Operation): Promise<ReadLines> => {
    if (leftMs <= 0) return { lines: [], code: "read.limit" };
    const begunMs = deps.findUptime()?.ms ?? 0;
    const told = await reading.read(ground, each, { mostBytes: shareOf(section), mostMs: leftMs });
    // Without a clock the first is the last.
    leftMs -= (deps.findUptime()?.ms ?? Number.POSITIVE_INFINITY) - begunMs;
    return told;
  };
  return async (each) => {
    const way = getHostWay(deps, each.kind);
    if ("read" in way) return { told: await readEach(way, each) };
    await way.apply(ground, each);
    return {};
  };
}

/** How this host makes operations of a kind, or reads what they ask for. Throws `apply.absent` where this version can neither. */
export function getHostWay(deps: Pick<ChangeDeps, "host">, kind: OperationKind): HostChange | HostReading {
  return deps.host.findReading(kind) ?? getHostChange(deps, kind, "apply.absent");
}

/** All that is told of a section has one end to travel in. */
function shareOf(section: SectionOperations): number {
  return Math.floor(mostToldBytes / (section.operations.length - changesOf(section).length));
}

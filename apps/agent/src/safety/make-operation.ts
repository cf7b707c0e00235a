import { mostToldBytes } from "@gatehouse/contract";
import { type Operation, type OperationKind, type PlanSection, subjectOf } from "@gatehouse/plan";
import type { HostChange, HostReading, ReadLines } from "../operations/host-operation.ts";
import type { ChangeDeps } from "./change.ts";
import { changeGroundOf, getHostChange } from "./snapshot-files.ts";

type SectionOperations = Pick<PlanSection, "operations">;

/** Those that replace a part of the host. What only reads has nothing to be validated, kept, or looked at again. */
export function changesOf({ operations }: SectionOperations): Operation[] {
  return operations.filter((each) => subjectOf(each) !== null);
}

/** Makes one operation of the section at its place. Gives what it tells where it only reads. */
export async function makeOperation(
  deps: ChangeDeps,
  task: string,
  each: Operation,
  section: SectionOperations,
): Promise<{ readonly told?: ReadLines }> {
  const ground = changeGroundOf(deps, task);
  const way = getHostWay(deps, each.kind);
  if ("read" in way) return { told: await way.read(ground, each, shareOf(section)) };
  await way.apply(ground, each);
  return {};
}

/** How this host makes operations of a kind, or reads what they ask for. Throws `apply.absent` where this version can neither. */
export function getHostWay(deps: Pick<ChangeDeps, "host">, kind: OperationKind): HostChange | HostReading {
  return deps.host.findReading(kind) ?? getHostChange(deps, kind, "apply.absent");
}

/** All that is told of a section has one end to travel in. */
function shareOf(section: SectionOperations): number {
  return Math.floor(mostToldBytes / (section.operations.length - changesOf(section).length));
}

import { fault } from "@gatehouse/contract/faults";
import { type PlanSection, subjectOf } from "@gatehouse/plan";
import type { ChangeGround } from "../operations/host-operation.ts";
import type { ChangeDeps } from "./change.ts";
import { changesOf } from "./make-operation.ts";

type Section = Pick<PlanSection, "operations">;

/**
 * Leaves a change to the program that it has put in the place of this one: whether that works, only it can show. False where there is
 * none. What is written down by then is all that it needs.
 */
export async function handOver({ host }: ChangeDeps, ground: ChangeGround, section: Section): Promise<boolean> {
  for (const { kind } of changesOf(section)) {
    const successor = host.findChange(kind)?.successor;
    if (successor === undefined) continue;
    await successor.start(ground);
    return true;
  }
  return false;
}

/** Whoever looks at a change of the program that makes changes has to be what it has put in place. Throws `check.failed`. */
export async function needSuccessor({ host }: ChangeDeps, ground: ChangeGround, section: Section): Promise<void> {
  for (const each of changesOf(section)) {
    const successor = host.findChange(each.kind)?.successor;
    if (successor === undefined || (await successor.isThis(ground, each))) continue;
    throw fault("check.failed", `${subjectOf(each)}: expected to be what the plan has put in place, found another`);
  }
}

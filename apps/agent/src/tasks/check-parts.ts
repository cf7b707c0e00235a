import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { planLimits } from "@gatehouse/plan";
import type { AnnouncedTask, TaskPart } from "./task.ts";

type PlanPart = Exclude<keyof AnnouncedTask["parts"], "artifacts">;

const digestBytes = 32;

/** Of a container or an order. The longest container of sixteen statements takes less. */
export const mostApprovalBytes = 128 * 1024;

/** What each part may be at most, and how one that is larger is called: first what no change can be, then what no plan can be. */
const mostOf: readonly (readonly [PlanPart, number, FaultCode])[] = [
  ["approvals", mostApprovalBytes, "task.malformed"],
  ["header", 64 * 1024, "plan.too_large"],
  ["section", planLimits.bytes, "plan.too_large"],
  ["digests", planLimits.sections * digestBytes, "plan.too_large"],
];

/** Judges the sizes that a change announces, so that nothing is fetched that would be refused for them. */
export function checkParts(parts: AnnouncedTask["parts"]): void {
  const sizes = new Map<string, number>();
  for (const { sha256, size } of partsOf(parts)) {
    if (size === 0) throw fault("task.malformed", `expected parts with bytes in them, found ${sha256} without`);
    if ((sizes.get(sha256) ?? size) !== size) {
      throw fault("task.malformed", `expected one size of ${sha256}, found two`);
    }
    sizes.set(sha256, size);
  }
  if (parts.digests.size % digestBytes !== 0) {
    throw fault("task.malformed", `expected digests of ${digestBytes} bytes each, found ${parts.digests.size} bytes`);
  }
  for (const [part, most, code] of mostOf) {
    const { size } = parts[part];
    if (size > most) throw fault(code, `${part}: expected at most ${most} bytes, found ${size}`);
  }
}

/** Everything that a change names. */
export function partsOf({ header, digests, section, approvals, artifacts }: AnnouncedTask["parts"]): TaskPart[] {
  return [header, digests, section, approvals, ...artifacts];
}

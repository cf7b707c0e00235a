import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { planLimits } from "@gatehouse/plan";
import { artifactLimits } from "./artifact-limits.ts";
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
  checkArtifacts(parts);
  for (const { sha256, size } of [...smallPartsOf(parts), ...parts.artifacts]) {
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

/** What a host holds in memory until it has judged it. */
export function smallPartsOf({ header, digests, section, approvals }: AnnouncedTask["parts"]): TaskPart[] {
  return [header, digests, section, approvals];
}

/** Each artifact once, in the one order, of a size that a plan can name, and nothing else besides. */
export function checkArtifacts(parts: AnnouncedTask["parts"]): void {
  const { artifacts } = parts;
  if (artifacts.length > artifactLimits.count) {
    throw malformed(`at most ${artifactLimits.count} artifacts`, String(artifacts.length));
  }
  for (const [place, { sha256, size }] of artifacts.entries()) {
    const before = artifacts[place - 1]?.sha256;
    if (before !== undefined && before >= sha256) {
      throw malformed("artifacts once each, in rising order", `${sha256} behind ${before}`);
    }
    if (size > artifactLimits.bytes) throw malformed(`artifacts of at most ${artifactLimits.bytes} bytes`, `${size}`);
    if (smallPartsOf(parts).some((part) => part.sha256 === sha256)) {
      throw malformed("artifacts that are no other part", sha256);
    }
  }
}

function malformed(expected: string, found: string): Error {
  return fault("task.malformed", `expected ${expected}, found ${found}`);
}

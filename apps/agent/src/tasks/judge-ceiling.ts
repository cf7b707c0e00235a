import { type FaultCode, fault } from "@gatehouse/contract/faults";
import { findKeepLoss, isWithin, type KeepEntry, type Operation, parseKeep, subjectOf } from "@gatehouse/plan";
import { type Ceiling, keepOf } from "../ceiling/ceiling.ts";
import { entriesOf } from "../ceiling/describe-ceiling.ts";
import { type CeilingKindName, ceilingKindNames, ceilingKinds } from "../ceiling/kinds.ts";
import { findProtection } from "../ceiling/protected.ts";

/** What a change asks of this host's ceiling: an operation with the ceiling's words for it. */
interface AskedOperation {
  readonly operation: Operation;
  readonly kind: CeilingKindName;
  readonly target: string;
}

/** How a target that is not named is called, for each kind. */
const notNamed: Readonly<Record<CeilingKindName, FaultCode>> = {
  "firewall.apply": "ceiling.table",
  "network.wireguard": "ceiling.interface",
  "file.write": "ceiling.path",
  "binary.replace": "ceiling.path",
  "service.restart": "ceiling.unit",
  "agent.update": "ceiling.kind",
};

/** Whether root of this host lets these operations be done. Each step is asked of every operation before the next one is. */
export function judgeCeiling(ceiling: Ceiling, operations: readonly Operation[]): void {
  const asked = operations.map((operation) => askOf(ceiling, operation)); // 34
  for (const one of asked) checkTarget(ceiling, one); // 35
  for (const one of asked) checkProtection(one); // 36
  checkKeep(ceiling, operations); // 37
  checkAlone(operations); // 38
}

function askOf(ceiling: Ceiling, operation: Operation): AskedOperation {
  const kind = ceilingKindNames.find((name) => name === operation.kind);
  if (kind === undefined || !entriesOf(ceiling).some((entry) => entry.kind === kind)) {
    const kinds = [...new Set(entriesOf(ceiling).map((entry) => entry.kind))].join(", ");
    throw fault("ceiling.kind", `expected ${kinds}, found ${operation.kind}`);
  }
  return { operation, kind, target: targetOf(kind, operation) };
}

/** What stands behind the colon of the part that it replaces; the agent itself has no target. */
function targetOf(kind: CeilingKindName, operation: Operation): string {
  const subject = String(subjectOf(operation));
  return ceilingKinds[kind].target === null ? "" : subject.slice(subject.indexOf(":") + 1);
}

function checkTarget(ceiling: Ceiling, { kind, target }: AskedOperation): void {
  const named = entriesOf(ceiling).flatMap((entry) => (entry.kind === kind ? [entry.target] : []));
  const { isPath } = ceilingKinds[kind];
  if (named.some((place) => (isPath ? isWithin(target, place) : target === place))) return;
  throw fault(notNamed[kind], `expected ${named.join(", ")}, found ${target}`);
}

/** Built in: an entry above a protected place does not open it. */
function checkProtection(asked: AskedOperation): void {
  const why = findProtection(asked);
  if (why !== undefined) {
    throw fault("ceiling.protected", `expected what a plan may change, found ${asked.target}: ${why}`);
  }
}

/** Whether the way in that root wants kept stays open. Throws `ceiling.keep`. */
export function checkKeep(ceiling: Ceiling, operations: readonly Operation[]): void {
  const keep = keepOf(ceiling).map((text) => parseKeep(text) as KeepEntry);
  for (const operation of operations) {
    const lost = operation.kind === "firewall.apply" ? findKeepLoss(operation, keep) : undefined;
    if (lost !== undefined) throw fault("ceiling.keep", `expected ${lost.text} to stay open, found it closed`);
  }
}

function checkAlone(operations: readonly Operation[]): void {
  if (operations.length > 1 && operations.some(({ kind }) => kind === "agent.update")) {
    throw fault("ceiling.alone", `expected agent.update alone, found ${operations.length} operations`);
  }
}

import { type FaultCode, fault } from "@gatehouse/contract/faults";
import {
  findKeepLoss,
  findKeepTaken,
  isWithin,
  type KeepEntry,
  type LogTail,
  type Operation,
  parseKeep,
  subjectOf,
} from "@gatehouse/plan";
import { type Ceiling, keepOf, logsOf } from "../ceiling/ceiling.ts";
import type { CeilingEntry } from "../ceiling/ceiling-entry.ts";
import { entriesOf } from "../ceiling/describe-ceiling.ts";
import { type CeilingKindName, ceilingKindNames, ceilingKinds } from "../ceiling/kinds.ts";
import { findLogProtection, findProtection, isLogPath } from "../ceiling/protected.ts";

/** What an operation asks of this host's ceiling. */
interface AskedOperation {
  readonly target: string;
  /** The targets that root has named for such operations. */
  readonly named: readonly string[];
  /** A path stands for everything below it, too. */
  readonly isPath: boolean;
  /** How a target that is not named is called. */
  readonly notNamed: FaultCode;
  /** Whose program it is, and the only ones whose programs may come there; absent where any may. */
  readonly publishers?: { readonly found: string; readonly named: readonly string[] };
  /** Why nobody may name it. */
  readonly protection: string | undefined;
}

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
  for (const one of asked) checkTarget(one); // 35
  for (const one of asked) checkProtection(one); // 36
  checkKeep(ceiling, operations); // 37
  checkAlone(operations); // 38
}

function askOf(ceiling: Ceiling, operation: Operation): AskedOperation {
  if (operation.kind === "log.tail" && logsOf(ceiling).length > 0) return askOfLog(ceiling, operation);
  const kind = ceilingKindNames.find((name) => name === operation.kind);
  if (kind === undefined || !entriesOf(ceiling).some((entry) => entry.kind === kind)) {
    const logs = logsOf(ceiling).length > 0 ? ["log.tail"] : [];
    const kinds = [...new Set(entriesOf(ceiling).map((entry) => entry.kind)), ...logs].join(", ");
    throw fault("ceiling.kind", `expected ${kinds}, found ${operation.kind}`);
  }
  const target = targetOf(kind, operation);
  const entries = entriesOf(ceiling).filter((entry) => entry.kind === kind);
  const only = operation.kind === "binary.replace" ? publishersOf(entries, target) : [];
  return {
    target,
    named: entries.map((entry) => entry.target),
    isPath: ceilingKinds[kind].isPath,
    notNamed: notNamed[kind],
    ...(operation.kind === "binary.replace" && only.length > 0
      ? { publishers: { found: operation.publisher, named: only } }
      : {}),
    protection: findProtection({ kind, target }),
  };
}

/** The publishers that the entries nearest to a path name; none where these let everybody. */
function publishersOf(entries: readonly CeilingEntry[], path: string): readonly string[] {
  const around = entries.filter(({ target }) => isWithin(path, target));
  const nearest = Math.max(...around.map(({ target }) => target.length));
  return around.flatMap(({ target, publisher }) =>
    target.length === nearest && publisher !== undefined ? [publisher] : [],
  );
}

/** What may be read is a list of its own: nobody who may restart a service may read its log for that. */
function askOfLog(ceiling: Ceiling, { source }: LogTail): AskedOperation {
  const isPath = source.from === "file";
  const target = isPath ? source.path : source.unit;
  return {
    target,
    named: logsOf(ceiling).filter((log) => isLogPath(log) === isPath),
    isPath,
    notNamed: isPath ? "ceiling.path" : "ceiling.unit",
    protection: findLogProtection(target),
  };
}

/** What stands behind the colon of the part that it replaces; the agent itself has no target. */
function targetOf(kind: CeilingKindName, operation: Operation): string {
  const subject = String(subjectOf(operation));
  return ceilingKinds[kind].target === null ? "" : subject.slice(subject.indexOf(":") + 1);
}

function checkTarget({ target, named, isPath, notNamed: code, publishers }: AskedOperation): void {
  if (!named.some((place) => (isPath ? isWithin(target, place) : target === place))) {
    throw fault(code, `expected ${[...new Set(named)].join(", ") || "nothing of that form"}, found ${target}`);
  }
  if (publishers === undefined || publishers.named.includes(publishers.found)) return;
  const only = publishers.named.join(", ");
  throw fault("ceiling.publisher", `${target}: expected a program of ${only}, found one of ${publishers.found}`);
}

/** Built in: an entry above a protected place does not open it. */
function checkProtection({ target, protection }: AskedOperation): void {
  if (protection === undefined) return;
  throw fault("ceiling.protected", `expected what a plan may change or read, found ${target}: ${protection}`);
}

/** Whether the way in that root wants kept stays open, and answers go back on it. Throws `ceiling.keep`. */
export function checkKeep(ceiling: Ceiling, operations: readonly Operation[]): void {
  const keep = keepOf(ceiling).map((text) => parseKeep(text) as KeepEntry);
  for (const operation of operations) {
    const lost = operation.kind === "firewall.apply" ? findKeepLoss(operation, keep) : undefined;
    if (lost !== undefined) throw fault("ceiling.keep", `expected ${lost.text} to stay open, found it closed`);
    const taken = operation.kind === "network.wireguard" ? findKeepTaken(operation, keep) : undefined;
    if (taken === undefined) continue;
    const { entry, network } = taken;
    throw fault(
      "ceiling.keep",
      `expected answers to ${entry.text} to leave as now, found ${network} led into a tunnel`,
    );
  }
}

function checkAlone(operations: readonly Operation[]): void {
  if (operations.length > 1 && operations.some(({ kind }) => kind === "agent.update")) {
    throw fault("ceiling.alone", `expected agent.update alone, found ${operations.length} operations`);
  }
}

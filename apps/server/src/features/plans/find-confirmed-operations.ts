import { isFault } from "@gatehouse/contract";
import { type NodeDriftRecord, type PlanRecord, planKind } from "@gatehouse/contract/records";
import { type Operation, type PlanDocument, subjectOf } from "@gatehouse/plan";
import { listRecords } from "@gatehouse/store/decide";
import type { PlansDeps } from "./plans-deps.ts";
import { listTasks } from "./list-tasks.ts";
import { readDocument } from "./read-document.ts";

export type DriftItem = NodeDriftRecord["items"][number];

/** What was confirmed on a part of a host: the plan, the operation, and the restarts that stand behind it there. */
export interface ConfirmedOperation {
  readonly plan: PlanRecord;
  readonly operation: Operation;
  readonly restarts: readonly Operation[];
}

/** What each of these parts was given last, or why that is not to be had here any more. */
export async function findConfirmedOperations(
  deps: Pick<PlansDeps, "store" | "blobs">,
  node: string,
  items: readonly DriftItem[],
): Promise<ReadonlyMap<string, ConfirmedOperation | string>> {
  const kept = await listRecords(deps.store, planKind);
  const found = new Map<string, ConfirmedOperation | string>();
  for (const digest of new Set(items.map(({ plan }) => plan))) {
    const plan = kept.findLast(({ value }) => value.digest === digest)?.value;
    const document = plan && (await findDocument(deps, plan));
    const isConfirmed = plan !== undefined && document !== undefined && (await hasKept(deps, plan, document, node));
    for (const { subject } of items.filter((item) => item.plan === digest)) {
      if (plan === undefined || document === undefined) found.set(subject, gone);
      else found.set(subject, isConfirmed ? operationIn(plan, document, { node, subject }) : notConfirmed);
    }
  }
  return found;
}

const notConfirmed = "expected a plan that was confirmed on this host, found one that was not";
const gone = "expected the plan that was confirmed, found none that is kept: ended plans go after 90 days";

/** The host's word alone would make a way back out of a plan that was rejected, or that nobody ever approved. */
async function hasKept(
  deps: Pick<PlansDeps, "store" | "blobs">,
  plan: PlanRecord,
  { sections }: PlanDocument,
  node: string,
): Promise<boolean> {
  const first = sections.findIndex((section) => section.node === node);
  if (first === -1) return false;
  const [task] = (await listTasks({ ...deps, stepOf: () => null }, plan, { first, limit: 1 })).items;
  return task?.node === node && task.state === "applied";
}

async function findDocument({ blobs }: Pick<PlansDeps, "blobs">, plan: PlanRecord): Promise<PlanDocument | undefined> {
  try {
    return await readDocument(blobs, plan.document);
  } catch (error) {
    if (!isFault(error, "plan.bytes_missing")) throw error;
    return undefined;
  }
}

function operationIn(
  plan: PlanRecord,
  { sections }: PlanDocument,
  { node, subject }: { readonly node: string; readonly subject: string },
): ConfirmedOperation | string {
  const operations = sections.find((section) => section.node === node)?.operations ?? [];
  // A part that a plan changes twice is left as the second one says.
  const at = operations.findLastIndex((one) => subjectOf(one) === subject);
  const operation = operations[at];
  if (operation === undefined) return "expected an operation of the confirmed plan for it, found none";
  return { plan, operation, restarts: restartsBehind(operations, at) };
}

/** A service reads files and programs when it starts; a table and an interface hold at once. */
function restartsBehind(operations: readonly Operation[], at: number): Operation[] {
  const kind = operations[at]?.kind;
  if (kind !== "file.write" && kind !== "binary.replace") return [];
  return operations.slice(at + 1).filter((one) => one.kind === "service.restart");
}

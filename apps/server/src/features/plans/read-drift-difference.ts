import { fault, isFault } from "@gatehouse/contract";
import type { DriftDifference } from "@gatehouse/contract/routes";
import { diffOperation, wordsOf } from "@gatehouse/plan";
import { findConfirmedOperations } from "./find-confirmed-operations.ts";
import { hashBytes } from "./hash-bytes.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { refuseForHost } from "./refuse-host.ts";

/** A part of a host as it is at this moment, beside what the plan wanted there that was confirmed last. */
export async function readDriftDifference(
  deps: Pick<PlansDeps, "store" | "blobs" | "findNode" | "findDrift" | "readStates">,
  node: string,
  subject: string,
): Promise<DriftDifference> {
  const found = await deps.findNode(node);
  if (found === undefined) throw fault("node.unknown", `there is no node ${node}`);
  const item = (await deps.findDrift(node))?.items.find((one) => one.subject === subject);
  if (item === undefined) throw fault("plan.drift_refused", "expected a part that differs, found none of that name");
  const confirmed = (await findConfirmedOperations(deps, node, [item])).get(subject);
  if (confirmed === undefined || typeof confirmed === "string") {
    throw fault("plan.drift_refused", `${subject}: ${confirmed ?? "nothing is known of it"}`);
  }
  const { operation, plan } = confirmed;
  const state = await readNow(deps, { node, name: found.name, subject });
  const { kind } = operation;
  const diff = diffOperation(operation, state, hashBytes).map((line) => ({ ...line }));
  return { subject, kind, words: [...wordsOf(operation)], diff, plan: plan.id, title: plan.title };
}

async function readNow(
  { readStates }: Pick<PlansDeps, "readStates">,
  { node, name, subject }: { readonly node: string; readonly name: string; readonly subject: string },
) {
  try {
    return (await readStates(node, [subject])).states[0]?.state;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw refuseForHost({ node, name }, error);
  }
}

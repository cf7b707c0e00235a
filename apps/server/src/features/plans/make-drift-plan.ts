import { fault } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import { type Operation, type PlanDraft, readPlanDraft, subjectOf } from "@gatehouse/plan";
import type { StoredRecord } from "@gatehouse/store";
import type { Principal, RequestFacts } from "../../platform/route/index.ts";
import type { Drafted } from "./draft-plan.ts";
import { type ConfirmedOperation, type DriftItem, findConfirmedOperations } from "./find-confirmed-operations.ts";
import { plansLimits } from "./limits.ts";
import { makePlan, type MakePlanDeps } from "./make-plan.ts";
import { readHostStates } from "./read-host-states.ts";
import { resolveNodes, type Targets } from "./resolve-nodes.ts";

export interface DriftPlanRequest {
  readonly node: string;
  /** Without them, all that differ or are missing. */
  readonly subjects: readonly string[] | undefined;
  readonly key: string | undefined;
}

/**
 * The plan that gives a host back what was confirmed on it last, where that differs now: the very operations of the plans that were
 * confirmed, with what the host says now as their preconditions. From then on it is a plan like every other.
 */
export function makeDriftPlan(
  deps: MakePlanDeps,
  principal: Principal,
  { node, subjects, key }: DriftPlanRequest,
  request: RequestFacts,
): Promise<StoredRecord<PlanRecord>> {
  const order = {
    terms: {},
    asked: { route: "nodes/drift/plan", request: { node, ...(subjects !== undefined && { subjects }) }, key },
    drawUp: () => drawUp(deps, node, subjects),
  };
  return makePlan(deps, principal, order, request);
}

async function drawUp(
  deps: MakePlanDeps,
  id: string,
  subjects: readonly string[] | undefined,
): Promise<{ readonly targets: Targets; readonly drafted: Drafted }> {
  const targets = await resolveNodes(deps, { nodes: [id] });
  const name = targets.here[0]?.name ?? id;
  const items = await wantedItems(deps, id, subjects);
  const found = await findConfirmedOperations(deps, id, items);
  const draft = draftOf({ id, name }, operationsOf(items, found));
  const told = await readHostStates(deps, draft, targets.here);
  return { targets, drafted: { draft, source: { from: "person" }, told, question: undefined } };
}

async function wantedItems(
  { findDrift }: Pick<MakePlanDeps, "findDrift">,
  node: string,
  subjects: readonly string[] | undefined,
): Promise<readonly DriftItem[]> {
  const items = (await findDrift(node))?.items ?? [];
  const differing = items.filter(({ state }) => state !== "unread");
  if (subjects === undefined && differing.length > 0) return differing;
  if (subjects === undefined) throw refused(["expected parts that differ from what was confirmed, found none"]);
  const wanted = [...new Set(subjects)];
  const why = wanted.flatMap((subject) => {
    const item = items.find((one) => one.subject === subject);
    if (item === undefined) return [`${shownSubject(subject)}: expected a part that differs, found none of that name`];
    return item.state === "unread" ? [`${subject}: expected a part that can be read, found: ${item.why}`] : [];
  });
  if (why.length > 0) throw refused(why);
  return differing.filter(({ subject }) => wanted.includes(subject));
}

/** What was confirmed first comes first; restarts stand behind everything, each once. */
function operationsOf(
  items: readonly DriftItem[],
  found: ReadonlyMap<string, ConfirmedOperation | string>,
): readonly Operation[] {
  const parts: Operation[] = [];
  const restarts = new Map<string | null, Operation>();
  const why: string[] = [];
  for (const { subject } of items.toSorted((one, other) => one.confirmedAt - other.confirmedAt)) {
    const confirmed = found.get(subject) ?? "nothing is known of it";
    if (typeof confirmed === "string") why.push(`${subject}: ${confirmed}`);
    else if (confirmed.operation.kind === "agent.update") why.push(`${subject}: ${noAgent}`);
    else {
      parts.push(confirmed.operation);
      for (const one of confirmed.restarts) restarts.set(subjectOf(one), one);
    }
  }
  if (why.length > 0) throw refused(why);
  return [...parts, ...restarts.values()];
}

const noAgent =
  "expected a way back, found none by plan: hosts take later versions of the agent alone (artifact.downgrade)";

/** All or nothing: whoever wants less names it. */
function refused(why: readonly string[]): Error {
  const more = why.length - plansLimits.namedParts;
  const said = why.slice(0, plansLimits.namedParts);
  return fault("plan.drift_refused", [...said, ...(more > 0 ? [`and ${more} more parts`] : [])].join(". "));
}

function shownSubject(subject: string): string {
  return subject.replaceAll(/[^\x21-\x7e]/g, "?").slice(0, 200);
}

function draftOf(
  { id, name }: { readonly id: string; readonly name: string },
  operations: readonly Operation[],
): PlanDraft {
  const title = `Plan back: ${name}`;
  const summary = "Gives this host back what was confirmed there and differs now.";
  const reading = readPlanDraft({ title, summary, sections: [{ node: id, operations: [...operations] }] });
  if (!reading.ok) throw fault("plan.draft_refused", reading.reason);
  return reading.value;
}

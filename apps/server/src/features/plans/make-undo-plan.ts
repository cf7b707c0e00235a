import { setImmediate as othersTurn } from "node:timers/promises";
import { fault } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import { type DraftSection, type PlanDraft, type PlanSection, readPlanDraft } from "@gatehouse/plan";
import type { StoredRecord } from "@gatehouse/store";
import type { Principal, RequestFacts } from "../../platform/route/index.ts";
import type { Drafted } from "./draft-plan.ts";
import { readEvidence } from "./evidence.ts";
import { findUndoContents, type UndoneHost } from "./find-undo-contents.ts";
import { plansLimits } from "./limits.ts";
import { getPlan, makePlan, type MakePlanDeps, type PlanTerms } from "./make-plan.ts";
import { readDocument } from "./read-document.ts";
import { readHostStates } from "./read-host-states.ts";
import { readTasksOf, type StandingTask } from "./read-tasks-of.ts";
import { resolveNodes, type Targets } from "./resolve-nodes.ts";
import { undoOperations } from "./undo-operations.ts";
import { stateAt } from "./view-plan.ts";
import { statesOf } from "./view-sections.ts";

type WantedUndo = PlanTerms & {
  readonly nodes?: readonly string[] | undefined;
  readonly skipOffline?: boolean | undefined;
};

export interface UndoRequest {
  /** The plan that is taken back. */
  readonly id: string;
  readonly wanted: WantedUndo;
  readonly key: string | undefined;
}

/**
 * The plan that takes an applied one back, on every host that has kept the change or on none: what the hosts had before stands in
 * what they signed when that plan was made. From then on it is a plan like every other.
 */
export function makeUndoPlan(
  deps: MakePlanDeps,
  principal: Principal,
  { id, wanted, key }: UndoRequest,
  request: RequestFacts,
): Promise<StoredRecord<PlanRecord>> {
  const order = {
    terms: wanted,
    asked: { route: "plans/undo", request: { id, ...wanted }, key },
    undoes: id,
    drawUp: () => drawUpUndo(deps, id, wanted, request.now),
  };
  return makePlan(deps, principal, order, request);
}

async function drawUpUndo(
  deps: MakePlanDeps,
  id: string,
  wanted: WantedUndo,
  now: number,
): Promise<{ readonly targets: Targets; readonly drafted: Drafted }> {
  const { value: plan } = await getPlan(deps.store, id);
  const state = stateAt(plan, now);
  if (state !== "done" && state !== "halted") {
    throw fault("plan.move_refused", `expected a plan that is done or halted, found ${id}, which is ${state}`);
  }
  const tasks = await readTasksOf(deps, plan);
  const nodes = wanted.nodes === undefined ? await changedNodes(deps, tasks) : requireChanged(wanted.nodes, tasks);
  const targets = await resolveNodes(deps, { nodes, skipOffline: wanted.skipOffline });
  const here = targets.here.flatMap((node) => tasks.get(node.id) ?? []);
  const draft = draftOf(plan, await sectionsOf(deps, plan, here));
  const told = await readHostStates(deps, draft, targets.here);
  return { targets, drafted: { draft, source: { from: "person" }, told, question: undefined } };
}

type Tasks = ReadonlyMap<string, StandingTask>;

/** Who was revoked or removed since is nobody's target, as with a tag. */
async function changedNodes({ findNode }: Pick<MakePlanDeps, "findNode">, tasks: Tasks): Promise<string[]> {
  const changed = [...tasks.values()].filter(({ state }) => state === "applied").map(({ node }) => node);
  if (changed.length === 0) {
    throw fault("plan.not_undoable", "expected a host that has kept the change (applied), found none");
  }
  const found = await Promise.all(changed.map((node) => findNode(node)));
  return found.flatMap((node) => (node === undefined || node.state === "revoked" ? [] : [node.id]));
}

function requireChanged(nodes: readonly string[], tasks: Tasks): readonly string[] {
  refuseHosts(
    nodes.flatMap((node) => {
      const task = tasks.get(node);
      if (task === undefined) return [{ node, name: node, why: ["the plan was never sent to it"] }];
      const { name, state } = task;
      return state === "applied"
        ? []
        : [{ node, name, why: [`expected a change that it has kept (applied), found ${state}`] }];
    }),
  );
  return nodes;
}

interface Undone {
  readonly plan: PlanRecord;
  readonly sections: readonly PlanSection[];
  readonly tasks: readonly StandingTask[];
}

/** With what each host had signed when the plan was made: a piece at a time, because a plan may be for ten thousand. */
async function* readHosts(
  { blobs }: Pick<MakePlanDeps, "blobs">,
  { plan, sections, tasks }: Undone,
): AsyncGenerator<UndoneHost> {
  const wanted = new Map(tasks.map((task) => [task.index, task]));
  for (let first = 0; first < sections.length; first += plansLimits.hostsRead) {
    const piece = Array.from({ length: plansLimits.hostsRead }, (_, at) => first + at);
    if (!piece.some((index) => wanted.has(index))) continue;
    const evidence = await readEvidence(blobs, plan.evidence, first, plansLimits.hostsRead);
    for (const index of piece) {
      const [task, section] = [wanted.get(index), sections[index]];
      if (task === undefined || section === undefined) continue;
      yield { ...task, section, told: statesOf(evidence[index - first]?.states ?? null) };
    }
  }
}

/** The hosts are read twice: what all of them need is looked for together. */
async function sectionsOf(
  deps: MakePlanDeps,
  plan: PlanRecord,
  tasks: readonly StandingTask[],
): Promise<DraftSection[]> {
  const { sections } = await readDocument(deps.blobs, plan.document);
  const readAll = () => readHosts(deps, { plan, sections, tasks });
  const contentsOf = await findUndoContents(deps, plan, readAll());
  const back: DraftSection[] = [];
  const refused: RefusedHost[] = [];
  for await (const { node, name, section, told } of readAll()) {
    // A table that no host before had takes a while.
    await othersTurn();
    const undo = undoOperations(section, told, contentsOf(node));
    if (undo.operations === undefined) refused.push({ node, name, why: undo.why });
    else back.push({ node, operations: [...undo.operations] });
  }
  refuseHosts(refused);
  return back;
}

function draftOf({ title, digest }: PlanRecord, sections: readonly DraftSection[]): PlanDraft {
  const summary = `Puts back what these hosts had before the plan with the digest ${digest}.`;
  const reading = readPlanDraft({ title: titleOf(title), summary, sections });
  if (!reading.ok) throw fault("plan.draft_refused", reading.reason);
  return reading.value;
}

const mostTitle = 120;

/** No half of a character is left where a long one is cut. */
function titleOf(title: string): string {
  const whole = `Undo: ${title}`;
  return whole.length <= mostTitle ? whole : `${whole.slice(0, mostTitle - 1).replace(/[\uD800-\uDBFF ]$/, "")}…`;
}

interface RefusedHost {
  readonly node: string;
  readonly name: string;
  readonly why: readonly string[];
}

/** All or nothing: a plan that came back on some hosts alone would leave a fleet in two states, and nobody would have said so. */
function refuseHosts(refused: readonly RefusedHost[]): void {
  if (refused.length === 0) return;
  const nodes = refused.slice(0, plansLimits.namedHosts).map(({ why, ...host }) => ({ ...host, why: firstOf(why) }));
  const more = refused.length - nodes.length;
  const said = nodes.map(({ name, why }) => `${name}: ${why.join("; ")}`);
  throw fault("plan.not_undoable", [...said, ...(more > 0 ? [`and ${more} more hosts`] : [])].join(". "), {
    fields: { nodes, more },
  });
}

function firstOf(why: readonly string[]): string[] {
  const more = why.length - plansLimits.namedReasons;
  return more <= 0 ? [...why] : [...why.slice(0, plansLimits.namedReasons), `and ${more} more operations`];
}

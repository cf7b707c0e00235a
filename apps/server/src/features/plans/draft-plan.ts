import type { Json } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { PlanNode } from "@gatehouse/contract/broker";
import type { Node } from "@gatehouse/contract/routes";
import {
  type DraftSection,
  type PlanDraft,
  planLimits,
  type PlanSource,
  publicKeyOfTold,
  readPlanDraft,
  subjectsOf,
} from "@gatehouse/plan";
import type { Asker } from "../plugin-runtime/index.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { hashOfState, readHostStates, type ReadStates } from "./read-host-states.ts";

/** What is wanted: a plugin's plan, or a person's own operations on every node. */
export type WantedDraft =
  | { readonly plugin: string; readonly input: Json }
  | { readonly title: string; readonly summary: string; readonly operations: readonly Json[] };

export interface Drafted {
  readonly draft: PlanDraft;
  readonly source: PlanSource;
  readonly told: ReadStates;
  /** What the plugin was asked, as it is recorded. */
  readonly question: { readonly input: Json; readonly nodes: readonly PlanNode[] } | undefined;
}

/**
 * Draws a plan up. A plugin is asked twice: the first answer says which parts of the hosts it is about, the second is given with
 * what the hosts said of them. That second question is recorded: asked again, it gives the same plan.
 */
export async function draftPlan(
  deps: Pick<PlansDeps, "askPlan" | "readStates">,
  asker: Asker,
  wanted: WantedDraft,
  nodes: readonly Node[],
): Promise<Drafted> {
  if (nodes.length > planLimits.sections) {
    throw fault("plan.too_large", `expected at most ${planLimits.sections} hosts, found ${nodes.length}`);
  }
  if (!("plugin" in wanted)) {
    const draft = draftOfPerson(wanted, nodes);
    return { draft, source: { from: "person" }, told: await readHostStates(deps, draft, nodes), question: undefined };
  }
  const { plugin: id, input } = wanted;
  const first = await deps.askPlan(asker, { id, input, nodes: nodes.map((node) => planNodeOf(node, undefined)) });
  judgeDraft(first.draft, nodes);
  const told = await readHostStates(deps, first.draft, nodes);
  const question = { input, nodes: nodes.map((node) => planNodeOf(node, told)) };
  const { draft, source } = await deps.askPlan(asker, { id, ...question });
  judgeDraft(draft, nodes);
  for (const { node, operations: own } of draft.sections) {
    const untold = subjectsOf(own).find((subject) => hashOfState(told, node, subject) === undefined);
    if (untold === undefined) continue;
    throw fault("plan.draft_refused", `asked again, ${id} plans for ${untold}, of which it said nothing before`);
  }
  return { draft, source, told, question };
}

function draftOfPerson(wanted: Exclude<WantedDraft, { plugin: string }>, nodes: readonly Node[]): PlanDraft {
  const { title, summary } = wanted;
  // Every section has the same operations: they are read once, and their place there is the place in the request.
  const first = nodes.slice(0, 1).map(({ id }) => ({ node: id, operations: wanted.operations }));
  const reading = readPlanDraft({ title, summary, sections: first });
  if (!reading.ok) throw fault("request.malformed", reading.reason.replace(/^\/sections\/\d+\//, "/"));
  const { operations } = reading.value.sections[0] as DraftSection;
  return { ...reading.value, sections: nodes.map(({ id }) => ({ node: id, operations })) };
}

/** A plan is for nodes that were asked for. */
function judgeDraft({ sections }: PlanDraft, nodes: readonly Node[]): void {
  const known = new Set(nodes.map(({ id }) => id));
  const stranger = sections.find(({ node }) => !known.has(node));
  if (stranger !== undefined) throw fault("plan.draft_refused", `it is for ${stranger.node}, which nobody asked for`);
}

function planNodeOf({ id, name, tags, facts }: Node, told: ReadStates | undefined): PlanNode {
  const states = (told?.get(id)?.states ?? [])
    .map((part) => {
      const { subject } = part;
      const publicKey = publicKeyOfTold(part);
      const state = hashOfState(told ?? new Map(), id, subject) ?? ("absent" as const);
      return { subject, state, ...(publicKey !== undefined && { publicKey }) };
    })
    // Who is connected over SSH is for the lint: a plan that depends on it could not be drawn up again.
    .filter(({ subject }) => !subject.startsWith("host:"))
    .toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
  return { id, name, tags: [...tags], addresses: [...(facts?.addresses ?? [])], states };
}

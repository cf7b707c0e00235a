import { fault } from "@gatehouse/contract";
import { type Plan, planDocumentRoute, planSectionsRoute } from "@gatehouse/contract/routes";
import { planDigest, type PlanDocument } from "@gatehouse/plan";
import { getNodeIds } from "../nodes/find-node.ts";
import type { Connection } from "../server/connection.ts";
import { listAll } from "../server/list-all.ts";
import { sha256Of } from "../sha256-of.ts";
import { checkDocument, planDiffers } from "./check-document.ts";
import { type CheckedSection, checkSection } from "./check-section.ts";
import type { PlanIdentity } from "./judge-outcome.ts";

/** A plan whose bytes were held against its digest, with sections that were held against its bytes. */
export interface CheckedPlan {
  readonly plan: Plan;
  readonly document: PlanDocument;
  readonly sections: readonly CheckedSection[];
  /** How many sections of the plan are not among these. */
  readonly left: number;
}

export interface SectionChoice {
  /** As a person named it. Without it, the first sections. */
  readonly node: string | undefined;
  readonly most: number;
}

/** As many as fit into one answer when every host has signed as much as it may. */
const sectionsPage = 10;
/** A document may have 16 MiB. */
const documentLimitMs = 120_000;

/** The plan's own bytes, held against the digest that the server names. */
export async function readPlanDocument(connection: Connection, plan: Plan): Promise<PlanDocument> {
  const options = { params: { id: plan.id }, limitMs: documentLimitMs };
  const { data } = await connection.call(planDocumentRoute, options);
  return checkDocument(plan, data);
}

export function identityOf(document: PlanDocument): PlanIdentity {
  return { digest: planDigest(sha256Of, document), nodes: document.sections.map(({ node }) => node) };
}

/** Reads the document and the sections of a plan. Nothing of them is given on that the digest does not name. */
export async function readPlan(
  connection: Connection,
  plan: Plan,
  { node, most }: SectionChoice,
): Promise<CheckedPlan> {
  const params = { id: plan.id };
  const [wanted] = node === undefined ? [] : await getNodeIds(connection, [node]);
  const document = await readPlanDocument(connection, plan);
  const nodes = document.sections.map((section) => section.node);
  if (wanted !== undefined && !nodes.includes(wanted)) throw fault("node.unknown", `${plan.id} is not for ${wanted}`);
  const expected = wanted === undefined ? nodes.slice(0, most) : [wanted];
  const query = { node: wanted };
  const options = { params, query, most: expected.length, pageSize: sectionsPage };
  const { items } = await listAll(connection, planSectionsRoute, options);
  // Silence is no answer: a section that is not shown would be one that nobody looked at.
  if (items.length !== expected.length || items.some((view, index) => view.node !== expected[index])) {
    throw planDiffers(plan.id, "the server does not show the sections that the plan has");
  }
  const sections = items.map((view) => checkSection(plan.id, document, view));
  return { plan, document, sections, left: nodes.length - sections.length };
}

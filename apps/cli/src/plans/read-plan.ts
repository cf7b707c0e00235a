import { fault } from "@gatehouse/contract";
import { type Plan, planDocumentRoute, planSectionsRoute } from "@gatehouse/contract/routes";
import { keyHostsOf, peerKeysOf, planDigest, type PlanDocument } from "@gatehouse/plan";
import { getNodeIds } from "../nodes/find-node.ts";
import type { Connection } from "../server/connection.ts";
import { listAll } from "../server/list-all.ts";
import { sha256Of } from "../sha256-of.ts";
import { checkDocument, planDiffers } from "./check-document.ts";
import { type CheckedSection, checkSection } from "./check-section.ts";
import type { PlanIdentity } from "./judge-outcome.ts";
import type { PlanAround } from "./lint-here.ts";
import type { HostKeys } from "./peer-hosts.ts";

/** A plan whose bytes were held against its digest, with sections that were held against its bytes. */
export interface CheckedPlan {
  readonly plan: Plan;
  readonly document: PlanDocument;
  readonly sections: readonly CheckedSection[];
  /** What its sections are judged with. */
  readonly around: PlanAround;
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
  const [wanted] = node === undefined ? [] : await getNodeIds(connection, [node]);
  const document = await readPlanDocument(connection, plan);
  const nodes = document.sections.map((section) => section.node);
  if (wanted !== undefined && !nodes.includes(wanted)) throw fault("node.unknown", `${plan.id} is not for ${wanted}`);
  const read = (only: string | undefined, expected: readonly string[]) =>
    readSections(connection, { plan, document, only, expected });
  const sections = await read(wanted, wanted === undefined ? nodes.slice(0, most) : [wanted]);
  const left = nodes.length - sections.length;
  const shown = keysOf(sections);
  // Whose a peer's key is may stand in a section that nobody asked to see.
  const hasOthers = sections.some(({ section }) => peerKeysOf(section.operations).some((key) => !shown.has(key)));
  const hostKeys = left > 0 && hasOthers ? keysOf(await read(undefined, nodes)) : shown;
  return { plan, document, sections, around: { management: plan.management, hostKeys }, left };
}

interface WantedSections {
  readonly plan: Plan;
  readonly document: PlanDocument;
  readonly only: string | undefined;
  readonly expected: readonly string[];
}

async function readSections(
  connection: Connection,
  { plan, document, only, expected }: WantedSections,
): Promise<CheckedSection[]> {
  const query = { node: only };
  const options = { params: { id: plan.id }, query, most: expected.length, pageSize: sectionsPage };
  const { items } = await listAll(connection, planSectionsRoute, options);
  // Silence is no answer: a section that is not shown would be one that nobody looked at.
  if (items.length !== expected.length || items.some((view, index) => view.node !== expected[index])) {
    throw planDiffers(plan.id, "the server does not show the sections that the plan has");
  }
  return items.map((view) => checkSection(plan.id, document, view));
}

function keysOf(sections: readonly CheckedSection[]): HostKeys {
  return keyHostsOf(sections.map(({ view: { node, name }, host }) => [{ node, name }, host?.states ?? []]));
}

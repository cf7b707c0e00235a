import { byteForm, newId } from "@gatehouse/base";
import { encodeBase64url } from "@gatehouse/channel";
import { fault, isPlanEnd, type LintSeverity, mayPlanMove, type PlanState } from "@gatehouse/contract";
import { type PlanRecord, planKind } from "@gatehouse/contract/records";
import { type PlanFinding, planLifetimes } from "@gatehouse/contract/routes";
import {
  finishPlan,
  headerDigest,
  network,
  type PlanDocument,
  planDigestOf,
  planLimits,
  sectionDigest,
  serialisePlan,
} from "@gatehouse/plan";
import type { StoredRecord } from "@gatehouse/store";
import { create, listRecords, put, type Reads } from "@gatehouse/store/decide";
import { recall } from "../../platform/idempotency/index.ts";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import type { Asker } from "../plugin-runtime/index.ts";
import { countNeeded } from "./count-awaiting.ts";
import type { Drafted } from "./draft-plan.ts";
import { keepEvidence } from "./evidence.ts";
import { hashBytes } from "./hash-bytes.ts";
import type { HeldPlans } from "./held-plans.ts";
import { mapInTurns } from "./in-turns.ts";
import { plansLimits } from "./limits.ts";
import { lintDocument } from "./lint-plan.ts";
import { digestsOf, namedArtifacts, requireFewArtifacts } from "./named-artifacts.ts";
import { requireOwnPlan } from "./own-plan.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { hashOfState } from "./read-host-states.ts";
import type { Targets } from "./resolve-nodes.ts";
import { stateAt } from "./view-plan.ts";

export type MakePlanDeps = PlansDeps & HeldPlans;

/** What every plan is made with, wherever its operations come from. */
export interface PlanTerms {
  readonly management?: readonly string[] | undefined;
  readonly expiresInHours?: number | undefined;
  readonly review?: boolean | undefined;
}

export interface PlanOrder {
  readonly terms: PlanTerms;
  /** As an Idempotency-Key remembers it. */
  readonly asked: { readonly route: string; readonly request: object; readonly key: string | undefined };
  /** Which hosts it is for, and what it does on them: asked when it is clear that the plan was not made before. */
  readonly drawUp: (asker: Asker) => Promise<{ readonly targets: Targets; readonly drafted: Drafted }>;
  /** The caller's own plan that it takes the place of. */
  readonly replaces?: string | undefined;
  /** The applied plan that it takes back. */
  readonly undoes?: string | undefined;
}

/** Every plan goes into the store one after the other: they share one bound. */
const turn = "plans";

/**
 * Makes a plan and keeps it: hosts and plugin are asked first, then its bytes and what it was made from are durable, then its
 * record says so. Whatever fails before leaves nothing behind but bytes that nobody names.
 */
export async function makePlan(
  deps: MakePlanDeps,
  principal: Principal,
  { terms, drawUp, replaces, undoes, ...order }: PlanOrder,
  request: RequestFacts,
): Promise<StoredRecord<PlanRecord>> {
  const { now } = request;
  const asked = { userId: principal.id, now, ...order.asked };
  const before = await recall(deps.store, asked);
  if (before.resultId !== undefined) return getPlan(deps.store, before.resultId);
  const management = (terms.management ?? []).map(readNetwork);
  const actor = actorOf(principal);
  const asker = { actor, requestId: request.requestId, address: request.clientAddress };
  const { targets, drafted } = await drawUp(asker);
  const named = namedArtifacts(drafted.draft.sections.flatMap(({ operations }) => operations));
  const artifacts = digestsOf(named);
  requireFewArtifacts(artifacts);
  await deps.requireArtifacts(deps.store, named);
  const made = await keepBytes(deps, drafted, targets, management);
  const needed = countNeeded(await deps.hostsOf({ document: made.bytes.name, evidence: made.evidence }));
  const { header } = made.document;
  const record: PlanRecord = {
    id: newId("plan", now),
    digest: made.digest,
    document: made.bytes.name,
    evidence: made.evidence,
    ...(made.question !== undefined && { question: made.question }),
    title: header.title,
    summary: header.summary,
    source: header.source,
    author: principal.id,
    actor,
    createdAt: now,
    expiresAt: now + (terms.expiresInHours ?? planLifetimes.unsaid) * 60 * 60 * 1_000,
    state: firstState(principal, terms, made.findings),
    stateAt: now,
    movedBy: actor,
    ...(replaces !== undefined && { replaces }),
    ...(undoes !== undefined && { undoes }),
    nodes: made.document.sections.length,
    kinds: kindsOf(made.document),
    bytes: made.bytes.length,
    management,
    skipped: targets.skipped,
    findings: countFindings(made.findings),
    needed,
    ...(artifacts.length > 0 && { artifacts }),
  };
  // In the turns of its artifacts: none of them is removed between the look at it and the plan that keeps it.
  const turns = [turn, ...(replaces === undefined ? [] : [replaces]), ...artifacts];
  return deps.decide(turns, async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:create", now });
    const remembered = await recall(read, asked);
    if (remembered.resultId !== undefined) {
      const kept = await getPlan(read, remembered.resultId);
      return { result: () => kept };
    }
    await requireRoom(deps, now);
    const held = await deps.requireArtifacts(read, named);
    const replaced = replaces === undefined ? undefined : await getReplaced(read, principal, replaces, now);
    const key = planKind.key(record.id);
    return {
      entry: entryOf(request, {
        actor,
        action: "plan.created",
        subject: key.text,
        detail: {
          digest: record.digest,
          title: record.title,
          nodes: record.nodes,
          kinds: record.kinds,
          state: record.state,
          refusals: record.findings.refuse,
          ...(replaces !== undefined && { replaces }),
          ...(undoes !== undefined && { undoes }),
        },
      }),
      changes: [
        create(key, record),
        ...(replaced === undefined ? [] : [put(replaced, supersede(replaced.value, record))]),
        ...held,
        ...remembered.keep(record.id),
      ],
      result: ({ version }) => ({ key, version, value: record }),
    };
  });
}

export async function getPlan(read: Reads, id: string): Promise<StoredRecord<PlanRecord>> {
  const found = await read.get(planKind.key(id));
  if (found === undefined) throw fault("plan.unknown", `there is no plan ${id}`);
  return found;
}

/** The plan's bytes, what it was made from and what a plugin was asked, durable under the names of their digests. */
async function keepBytes(
  deps: Pick<PlansDeps, "blobs" | "server">,
  { draft, source, told, question }: Drafted,
  { here }: Targets,
  management: readonly string[],
) {
  const document = finishPlan(draft, source, (node, subject) => hashOfState(told, node, subject));
  const bytes = serialisePlan(document);
  if (bytes.byteLength > planLimits.bytes) {
    throw fault("plan.too_large", `expected at most ${planLimits.bytes} bytes, found ${bytes.byteLength}`);
  }
  const digests = await mapInTurns(document.sections, (section) => sectionDigest(hashBytes, section));
  const findings = await lintDocument(deps, document, { told, nodes: here, management });
  const names = new Map(here.map(({ id, name }) => [id, name]));
  const evidence = document.sections.map(({ node }, index) => {
    const said = told.get(node);
    return {
      node,
      name: names.get(node) ?? node,
      states: said === undefined ? null : encodeBase64url(said.signed),
      statesAt: said?.at ?? null,
      findings: findings[index] ?? [],
    };
  });
  return {
    document,
    digest: planDigestOf(hashBytes, headerDigest(hashBytes, document.header), digests),
    findings: findings.flat(),
    bytes: { name: await deps.blobs.put([bytes]), length: bytes.byteLength },
    evidence: await keepEvidence(deps.blobs, evidence),
    question: question === undefined ? undefined : await deps.blobs.put([byteForm(question)]),
  };
}

/** A plan that would cut somebody off stays a draft. An assistant drafts; a person asks others to look. */
function firstState(
  { credential }: Principal,
  { review }: PlanTerms,
  findings: readonly PlanFinding[],
): Extract<PlanState, "draft" | "linted" | "in_review"> {
  if (findings.some(({ severity }) => severity === "refuse")) return "draft";
  return review === false || credential.class === "assistant" ? "linted" : "in_review";
}

async function requireRoom({ store }: Pick<PlansDeps, "store">, now: number): Promise<void> {
  const all = await listRecords(store, planKind);
  const open = all.filter(({ value }) => !isPlanEnd(stateAt(value, now))).length;
  if (open < plansLimits.open) return;
  throw fault(
    "plan.move_refused",
    `at most ${plansLimits.open} plans are open: withdraw some, or wait until they expire`,
  );
}

async function getReplaced(
  read: Reads,
  principal: Principal,
  id: string,
  now: number,
): Promise<StoredRecord<PlanRecord>> {
  const found = await getPlan(read, id);
  requireOwnPlan(found.value, principal, "replace");
  const state = stateAt(found.value, now);
  if (!mayPlanMove(state, "expired")) throw fault("plan.move_refused", `${id} is ${state}, and cannot be replaced`);
  return found;
}

function supersede(record: PlanRecord, by: PlanRecord): PlanRecord {
  const { id: replacedBy, createdAt: at, actor: movedBy } = by;
  return { ...record, state: "expired", stateAt: at, movedBy, reason: "superseded", replacedBy };
}

function readNetwork(text: string, index: number): string {
  const parsed = network.safeParse(text);
  if (parsed.success) return parsed.data;
  throw fault("request.malformed", `/management/${index}: ${parsed.error.issues[0]?.message ?? "must be a network"}`);
}

function kindsOf({ sections }: PlanDocument): string[] {
  return [...new Set(sections.flatMap(({ operations }) => operations.map(({ kind }) => kind)))].toSorted();
}

function countFindings(findings: readonly PlanFinding[]): PlanRecord["findings"] {
  const count = (wanted: LintSeverity) => findings.filter(({ severity }) => severity === wanted).length;
  return { refuse: count("refuse"), warn: count("warn"), note: count("note") };
}

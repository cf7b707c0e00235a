import { decodeBase64url, readStateAnswer, type SubjectState } from "@gatehouse/channel";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { PlanSectionView } from "@gatehouse/contract/routes";
import { signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import {
  diffOperation,
  type Operation,
  type PlanSection,
  subjectOf,
  trustState,
  trustSubject,
  wordsOf,
} from "@gatehouse/plan";
import { readEvidence, type SectionEvidence } from "./evidence.ts";
import { hashBytes } from "./hash-bytes.ts";
import type { DocumentReads } from "./read-document.ts";

export interface SectionsPage {
  readonly node?: string | undefined;
  readonly first: number;
  readonly limit: number;
}

/** Plans as people read them. */
export function openSections({ blobs, documentOf }: DocumentReads) {
  return async (
    record: PlanRecord,
    page: SectionsPage,
  ): Promise<{ items: PlanSectionView[]; nextCursor: string | null }> => {
    const { sections } = await documentOf(record.document);
    const only = page.node === undefined ? undefined : sections.findIndex(({ node }) => node === page.node);
    if (only === -1) return { items: [], nextCursor: null };
    const [first, limit] = only === undefined ? [page.first, page.limit] : [only, 1];
    const evidence = await readEvidence(blobs, record.evidence, first, limit);
    const items = sections.slice(first, first + limit).map((section, at) => view(section, first + at, evidence[at]));
    const next = first + limit;
    return { items, nextCursor: only === undefined && next < sections.length ? String(next) : null };
  };
}

function view(section: PlanSection, index: number, evidence: SectionEvidence | undefined): PlanSectionView {
  const said = statesOf(evidence?.states ?? null);
  return {
    index,
    node: section.node,
    name: evidence?.name ?? section.node,
    operations: section.operations.map((one) => ({
      kind: one.kind,
      words: [...wordsOf(one)],
      diff: diffOperation(one, stateBefore(one, said), hashBytes).map((line) => ({ ...line })),
    })),
    preconditions: section.preconditions.map((one) => ({ ...one })),
    findings: (evidence?.findings ?? []).map((one) => ({ ...one })),
    accepts: trustState.safeParse(said.find(({ subject }) => subject === trustSubject)?.state).data?.accepts ?? null,
    states: evidence?.states ?? null,
    statesAt: evidence?.statesAt === undefined || evidence.statesAt === null ? null : iso(evidence.statesAt),
  };
}

function stateBefore(one: Operation, said: readonly SubjectState[]): SubjectState["state"] | undefined {
  const subject = subjectOf(one);
  return said.find((each) => each.subject === subject)?.state;
}

/** What a host signed of itself when the plan was made, as it is kept in the evidence. */
export function statesOf(signed: string | null): readonly SubjectState[] {
  if (signed === null) return [];
  return readSigned(decodeBase64url(signed), [signatureLength], readStateAnswer)?.value.states ?? [];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

import { orderFrame, serverOrderId } from "@gatehouse/approval";
import { byteForm } from "@gatehouse/base";
import type { PlanApproval, TaskRecord } from "@gatehouse/contract/records";
import { joinSigned } from "@gatehouse/keys/frame";
import { type PlanDocument, type PlanSection, riskOfOperation, type RiskClass, sectionDigest } from "@gatehouse/plan";
import type { ServerIdentity } from "@gatehouse/store";
import type { Blobs } from "@gatehouse/store/blobs";
import type { OfferedPart, OfferedParts, OfferedTask } from "../fleet/index.ts";
import { hashBytes } from "./hash-bytes.ts";
import { mapInTurns } from "./in-turns.ts";
import { namedArtifacts } from "./named-artifacts.ts";

/** What all tasks of a plan have in common, made once. */
export interface TaskMaterial {
  readonly sections: readonly PlanSection[];
  readonly header: NamedBytes;
  /** Of every section, 32 bytes each. */
  readonly digests: NamedBytes;
}

interface NamedBytes {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export async function materialOf({ header, sections }: PlanDocument): Promise<TaskMaterial> {
  const digests = await mapInTurns(sections, (section) => Buffer.from(sectionDigest(hashBytes, section), "hex"));
  return { sections, header: nameBytes(byteForm(header)), digests: nameBytes(Buffer.concat(digests)) };
}

function nameBytes(bytes: Uint8Array): NamedBytes {
  return { sha256: hashBytes(bytes).toString("hex"), bytes };
}

/** The classes of what a section does, each once, in one order. */
export function risksOf(section: PlanSection | undefined): RiskClass[] {
  const operations = section?.operations ?? [];
  return [...new Set(operations.map(({ kind }) => riskOfOperation[kind]))].toSorted();
}

/** A task as its host is told of it, and the bytes that the host will ask for. Artifacts stay where they are until it does. */
export function makeTask(
  blobs: Pick<Blobs, "open">,
  { id, index }: Pick<TaskRecord, "id" | "index">,
  planDigest: string,
  { sections, header, digests }: TaskMaterial,
  approvals: Uint8Array,
): { readonly task: OfferedTask; readonly parts: OfferedParts } {
  const parts = new Map<string, OfferedPart>();
  const partOf = ({ sha256, bytes }: NamedBytes) => {
    parts.set(sha256, bytes);
    return { sha256, size: bytes.byteLength };
  };
  const artifacts = artifactParts(sections[index]);
  for (const { sha256, size } of artifacts) parts.set(sha256, { size, open: () => blobs.open(sha256) });
  const task = {
    task: id,
    planDigest,
    index,
    parts: {
      header: partOf(header),
      digests: partOf(digests),
      section: partOf(nameBytes(byteForm(sections[index]))),
      approvals: partOf(nameBytes(approvals)),
      artifacts,
    },
  };
  return { task, parts };
}

/** What the section puts on its host from beside the plan: each once, in rising order of its digest. */
function artifactParts(section: PlanSection | undefined): { readonly sha256: string; readonly size: number }[] {
  const sizes = new Map(namedArtifacts(section?.operations ?? []).map(({ sha256, size }) => [sha256, size]));
  return [...sizes].map(([sha256, size]) => ({ sha256, size })).toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
}

/** What this server signs for a host that takes its word. */
export function signOrder(
  { sign }: Pick<ServerIdentity, "sign">,
  { id, node, index }: Pick<TaskRecord, "id" | "node" | "index">,
  planDigest: string,
  word: PlanApproval,
): Uint8Array {
  const { notBefore, notAfter, rollbackWindow } = word;
  const framed = orderFrame({
    nodeId: node,
    orderId: serverOrderId(hashBytes, id, word.id),
    planDigest,
    sectionIndex: index,
    notBefore,
    notAfter,
    rollbackWindow,
  });
  return joinSigned(framed, sign(framed));
}

/**
 * The id by which a host knows that it used what the task was sent under, in hexadecimal: of the statement that was signed, or of
 * this server's order.
 */
export function usedIdOf({ id }: Pick<TaskRecord, "id">, { kind, id: approval }: PlanApproval): string {
  return kind === "signed" ? approval : serverOrderId(hashBytes, id, approval);
}

import { readContainer, type SignedStatement, writeContainer } from "@gatehouse/approval";
import { readOffer } from "@gatehouse/approval/verify";
import { fault } from "@gatehouse/contract";
import type { PlanApproval } from "@gatehouse/contract/records";
import type { Blobs } from "@gatehouse/store/blobs";
import type { JointOffer, StandingApprovals } from "./count-awaiting.ts";
import { readWholeBlob } from "./evidence.ts";

/** A statement and its signature, as they were taken. */
export async function readKeptStatement(blobs: Blobs, digest: string): Promise<SignedStatement> {
  const [item] = readContainer(await readWholeBlob(blobs, digest)) ?? [];
  if (item === undefined) throw new Error(`a signed statement that was kept is none: ${digest}`);
  return item;
}

/** The first statement under an id says what all under it say: a later one differs in its key and in nothing else. */
export async function requireSameStatement(
  blobs: Blobs,
  kept: readonly PlanApproval[],
  { id, statement }: { readonly id: string; readonly statement: SignedStatement },
): Promise<void> {
  const first = kept.find((one) => one.id === id);
  if (first === undefined) return;
  if (first.container === undefined) {
    throw fault("statement.differ", "expected an id of its own, found that of a word to the server");
  }
  readOffer(writeContainer([await readKeptStatement(blobs, first.container), statement]));
}

/** What of a plan's approvals still stands at that time. */
export async function readStanding(
  blobs: Blobs,
  approvals: readonly PlanApproval[],
  now: number,
): Promise<StandingApprovals> {
  const standing = approvals.filter(({ notAfter }) => now <= notAfter);
  const offers: JointOffer[] = [];
  for (const all of Map.groupBy(standing, ({ id }) => id).values()) {
    const container = all[0]?.container;
    if (container === undefined) continue;
    const { approval } = readOffer(await readWholeBlob(blobs, container));
    offers.push({ sections: approval.sections, keyIds: new Set(all.flatMap(({ keyId }) => keyId ?? [])) });
  }
  return { offers, hasServerWord: standing.some(({ kind }) => kind === "server") };
}

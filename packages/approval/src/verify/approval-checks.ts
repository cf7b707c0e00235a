import type { FaultCode } from "@gatehouse/contract/faults";
import { hasSection, sectionsOf } from "../section-bits.ts";
import type { Approval } from "../statement.ts";
import type { Trust } from "./trust.ts";

/** All that several approvers sign alike. */
export type JointApproval = Omit<Approval, "keyId">;

/** What a host knows by itself when an approval comes, apart from the signatures. */
export interface ApprovalScene {
  readonly trust: Trust;
  readonly planDigest: string;
  /** Where the host's own section stands in the plan, and how many there are. */
  readonly sectionIndex: number;
  readonly sectionCount: number;
  /** The classes of all operations of that section (`riskOfOperation`), each with its threshold. */
  readonly risks: readonly ("change" | "network" | "update")[];
  /** Whether the plan's hosts change all or none. */
  readonly together: boolean;
  readonly clock: {
    readonly wall: number /** The latest time that the host has been sure of. */;
    readonly floorNow: number;
  };
  readonly isSpent: (approvalId: string) => boolean;
  /** The largest end of an approval that the host no longer remembers; 0 while it remembers all. */
  readonly horizon: number;
  readonly isRevoked: (approvalId: string) => boolean;
}

export interface ApprovalCheck {
  /** Its number in the order of verification. */
  readonly step: number;
  readonly code: FaultCode;
  /** What was expected and found, or undefined when all is well. */
  readonly findFlaw: (approval: JointApproval, scene: ApprovalScene) => Flaw | undefined;
}

type Flaw = readonly [expected: string, found: string];

const minute = 60_000;
/** What an approver's or a server's word may ask for. */
export const wordLimits = {
  window: { least: 10, most: 3_600 },
  settle: { least: 60, most: 86_400 },
  clockSkew: 5 * minute,
  early: 2 * minute,
  life: 31 * 24 * 60 * minute,
} as const;

/** What an approval is asked before any signature under it: the order is the order of the rows, and the first flaw is the answer. */
export const approvalChecks: readonly ApprovalCheck[] = [
  {
    step: 17,
    code: "statement.plan",
    findFlaw: ({ planDigest: found }, { planDigest }) =>
      flawUnless(found === planDigest, `the plan ${planDigest}`, found),
  },
  {
    step: 18,
    code: "statement.node",
    findFlaw: ({ sections }, { sectionIndex, sectionCount }) =>
      flawUnless(sections.count === sectionCount, `${sectionCount} sections`, String(sections.count)) ??
      flawUnless(
        hasSection(sections, sectionIndex),
        `section ${sectionIndex}, which is this host's`,
        `${sectionsOf(sections).length} others`,
      ),
  },
  {
    step: 19,
    code: "statement.trust",
    findFlaw: ({ trust: named }, { trust }) =>
      flawUnless(named.includes(trust.digest), `the trust file ${trust.digest}`, `${named.length} others`),
  },
  { step: 20, code: "statement.limits", findFlaw: findBeyondLimits },
  {
    step: 21,
    code: "time.issued_in_future",
    findFlaw: ({ issuedAt }, { clock }) =>
      flawUnless(issuedAt <= clock.wall + wordLimits.clockSkew, `a time up to ${time(clock.wall)}`, time(issuedAt)),
  },
  {
    step: 21,
    code: "time.early",
    findFlaw: ({ notBefore }, { clock }) =>
      flawUnless(notBefore - wordLimits.early <= clock.wall, `${time(notBefore)} or later`, time(clock.wall)),
  },
  {
    step: 21,
    code: "time.expired",
    findFlaw: ({ notAfter }, { clock }) =>
      flawUnless(latest(clock) <= notAfter, `${time(notAfter)} or earlier`, time(latest(clock))),
  },
  {
    step: 21,
    code: "time.too_long",
    findFlaw: ({ issuedAt, notAfter }) =>
      flawUnless(
        notAfter - issuedAt <= wordLimits.life,
        `an end up to ${time(issuedAt + wordLimits.life)}`,
        time(notAfter),
      ),
  },
  {
    step: 22,
    code: "use.spent",
    findFlaw: ({ approvalId }, { isSpent }) => flawUnless(!isSpent(approvalId), "a first use", `${approvalId} again`),
  },
  {
    step: 23,
    code: "use.horizon",
    findFlaw: ({ notAfter }, { horizon }) =>
      flawUnless(notAfter > horizon, `an end after ${time(horizon)}`, time(notAfter)),
  },
  {
    step: 24,
    code: "use.revoked",
    findFlaw: ({ approvalId }, { isRevoked }) =>
      flawUnless(!isRevoked(approvalId), "an approval that stands", `${approvalId}, which was revoked`),
  },
];

/** A clock that was set back does not make anything last longer. */
export function latest({ wall, floorNow }: ApprovalScene["clock"]): number {
  return Math.max(wall, floorNow);
}

/** A moment as a person reads it. A statement may hold one that no calendar has. */
export function time(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? `${at} ms` : date.toISOString();
}

function findBeyondLimits(approval: JointApproval, { trust, risks, together }: ApprovalScene): Flaw | undefined {
  const { rollbackWindow, settle, confirmation, sections, trust: named } = approval;
  const { window } = wordLimits;
  const isInWindow = rollbackWindow >= window.least && rollbackWindow <= window.most;
  const asked = trust.networkConfirmation === "approver" && risks.includes("network") ? 2 : 1;
  const settles = together ? wordLimits.settle : { least: 0, most: 0 };
  const isRising = named.every((digest, index) => index === 0 || digest > (named[index - 1] as string));
  const isWhole = !together || sectionsOf(sections).length === sections.count;
  return (
    flawUnless(isInWindow, `a rollback window of ${window.least} to ${window.most} s`, `${rollbackWindow} s`) ??
    flawUnless(
      confirmation >= asked && confirmation <= 2,
      asked === 2 ? "confirmation 2" : "confirmation 1 or 2",
      String(confirmation),
    ) ??
    flawUnless(isRising, "trust digests in rising order", "another order") ??
    flawUnless(isWhole, "every section of a plan that changes all hosts together", "some of them") ??
    flawUnless(
      settle >= settles.least && settle <= settles.most,
      `${settles.least} to ${settles.most} s to settle`,
      `${settle} s`,
    )
  );
}

function flawUnless(holds: boolean, expected: string, found: string): Flaw | undefined {
  return holds ? undefined : [expected, found];
}

/** What whoever collects approvals asks of one: all but whether its time has come. */
export const offerChecks: readonly ApprovalCheck[] = approvalChecks.filter(({ code }) => code !== "time.early");

import { type FaultCode, fault } from "@gatehouse/contract/faults";
import { isSameBytes } from "@gatehouse/keys/frame";
import { readContainer, type SignedStatement } from "../container.ts";
import { describeFound } from "../describe-found.ts";
import { orderDomain } from "../server-order.ts";
import { readSshSig } from "../sshsig.ts";
import {
  type Approval,
  approvalDomain,
  findDomain,
  isApprovalDomain,
  keyIdLength,
  readApproval,
} from "../statement.ts";
import {
  type ApprovalCheck,
  type ApprovalScene,
  approvalChecks,
  type JointApproval,
  latest,
  offerChecks,
  time,
} from "./approval-checks.ts";
import { isOrderMessage } from "./judge-order.ts";
import { loadSshKey } from "./load-ssh-key.ts";
import type { Trust, TrustedPerson } from "./trust.ts";
import { checkNamespace, checkPresence, checkSignature, checkSigner } from "./verify-sshsig.ts";

export interface JudgedApproval {
  readonly approval: JointApproval;
  /** Who signed, each person once. */
  readonly persons: readonly string[];
  readonly keyIds: readonly string[];
}

/**
 * Whether enough persons have approved that this host does its section of a plan: the order of a host in mode `signed`, from
 * the age of its trust file to the number of persons. Each step is asked of every statement before the next one is, and the
 * first failure is the answer: one bad statement among good ones refuses all.
 */
export function judgeApprovals(container: Uint8Array, scene: ApprovalScene): JudgedApproval {
  const judged = judgeStatements(container, scene, approvalChecks);
  const wanted = neededPersons(scene);
  if (judged.persons.length < wanted) {
    throw refused("signature.threshold", `${wanted} persons`, String(judged.persons.length));
  }
  return judged;
}

/** What a server or a command line knows of a host when it takes an approval for it. */
export type OfferScene = Omit<ApprovalScene, "isSpent" | "horizon" | "isRevoked">;

/**
 * The same for whoever collects approvals: what a host asks of every one of them. How many persons there have to be is
 * `neededPersons`; they may come one after the other.
 */
export function judgeOffer(container: Uint8Array, scene: OfferScene): JudgedApproval {
  // Whether it was used or revoked is known on its hosts alone.
  const isNever = () => false;
  return judgeStatements(container, { ...scene, isSpent: isNever, horizon: 0, isRevoked: isNever }, offerChecks);
}

/**
 * What approvers say alike, and under which keys, before anybody asks whether they are believed. Throws `statement.malformed`,
 * `statement.kind` or `statement.differ`.
 */
export function readOffer(container: Uint8Array): Pick<JudgedApproval, "approval" | "keyIds"> {
  const { approval, items } = readJoint(container);
  return { approval, keyIds: items.map((item) => item.approval.keyId) };
}

/** As many as the strictest class of the section wants. */
export function neededPersons({ trust, risks }: Pick<ApprovalScene, "trust" | "risks">): number {
  const classes = risks.length === 0 ? (["change"] as const) : risks;
  return Math.max(...classes.map((risk) => trust.thresholds[risk]));
}

function judgeStatements(
  container: Uint8Array,
  scene: ApprovalScene,
  checks: readonly ApprovalCheck[],
): JudgedApproval {
  const { trust } = scene;
  checkTrustAge(trust, scene.clock);
  const { approval, items } = readJoint(container);
  for (const { code, findFlaw } of checks) {
    const flaw = findFlaw(approval, scene);
    if (flaw !== undefined) throw refused(code, ...flaw);
  }
  const pinned = items.map((item) => ({ ...item, ...getPinned(item.approval.keyId, trust) }));
  for (const { ssh, key } of pinned) checkSigner(ssh, key);
  const loaded = pinned.map((one) => ({ ...one, loaded: loadSshKey(one.key.blob, `the key ${one.key.id}`) }));
  const signed = loaded.map((one) => ({ ...one, sig: readSshSig(one.ssh) }));
  for (const { sig } of signed) checkNamespace(sig);
  for (const { sig, key } of signed) checkPresence(sig, key);
  for (const one of signed) checkSignature(one.statement, one.sig, one.loaded);
  const persons = [...new Set(signed.map(({ person }) => person))];
  return { approval, persons, keyIds: signed.map(({ key }) => key.id) };
}

/** A statement of some kind; `approval` is there when it is of ours. */
type ReadStatement = SignedStatement & { readonly domain: Uint8Array; readonly approval: Approval | undefined };
type ApprovalItem = SignedStatement & { readonly approval: Approval };

function checkTrustAge({ notAfter }: Trust, clock: ApprovalScene["clock"]): void {
  if (notAfter === undefined || latest(clock) <= notAfter) return;
  throw refused("trust.expired", `${time(notAfter)} or earlier`, time(latest(clock)));
}

function readJoint(container: Uint8Array): { approval: JointApproval; items: readonly ApprovalItem[] } {
  const items = readStatements(container).map(getApproval);
  const [first] = items as [ApprovalItem, ...ApprovalItem[]];
  for (const item of items) checkSame(item, first);
  const { keyId: _, ...approval } = first.approval;
  return { approval, items };
}

function readStatements(container: Uint8Array): ReadStatement[] {
  const items = readContainer(container);
  if (items === undefined) {
    if (isOrderMessage(container)) throw refused("statement.kind", `"${approvalDomain}"`, `"${orderDomain}"`);
    throw refused("statement.malformed", "1 to 16 signed statements", `${container.byteLength} other bytes`);
  }
  return items.map((item) => {
    const domain = findDomain(item.statement);
    const approval = readApproval(item.statement);
    if (domain === undefined || (approval === undefined && isApprovalDomain(domain))) {
      throw refused("statement.malformed", "a statement in its one form", `${item.statement.byteLength} other bytes`);
    }
    return { ...item, domain, approval };
  });
}

/** Whoever signed something else has not approved a plan. */
function getApproval({ domain, approval, statement, ssh }: ReadStatement): ApprovalItem {
  if (approval === undefined) throw refused("statement.kind", `"${approvalDomain}"`, describeFound(domain));
  return { statement, ssh, approval };
}

/** All but the key id, which comes last: no window, host or id of one approver is mixed with those of another. */
function checkSame({ statement }: ApprovalItem, first: ApprovalItem): void {
  const joint = first.statement.subarray(0, -keyIdLength);
  if (isSameBytes(statement.subarray(0, -keyIdLength), joint)) return;
  throw refused("statement.differ", "statements that differ in nothing but the key", "another difference");
}

function getPinned(keyId: string, { persons }: Trust): { person: string; key: TrustedPerson["keys"][number] } {
  for (const { name, keys } of persons) {
    const key = keys.find(({ id }) => id === keyId);
    if (key !== undefined) return { person: name, key };
  }
  throw refused("signature.key_unknown", "a key of the host's trust file", keyId);
}

function refused(code: FaultCode, expected: string, found: string): Error {
  return fault(code, `expected ${expected}, found ${found}`);
}

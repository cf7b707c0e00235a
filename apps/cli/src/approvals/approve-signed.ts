import { type Approval, approvalFrame, sectionsOf, type SignedStatement, writeContainer } from "@gatehouse/approval";
import { judgeOffer } from "@gatehouse/approval/verify";
import { fault } from "@gatehouse/contract";
import type { PlanDocument } from "@gatehouse/plan";
import type { Surroundings } from "../command.ts";
import { readOwnProgram } from "../own-program.ts";
import type { CheckedPlan } from "../plans/read-plan.ts";
import type { Connection } from "../server/connection.ts";
import { readAddressBook, rememberHosts } from "./address-book.ts";
import type { ApprovalTerms } from "./approval-terms.ts";
import { checkLint } from "./check-lint.ts";
import { chooseHosts, type ChosenHosts, sceneOf, type SignedHost } from "./choose-hosts.ts";
import { confirmDigest } from "./confirm-digest.ts";
import { approvedPlanLines, leftOutLines, namedHost, signedHostLines, statementLines } from "./describe-approval.ts";
import { getJoined, type JoinedApproval } from "./join-approval.ts";
import { makeStatement } from "./make-statement.ts";
import { type ApproverKey, signStatement } from "./sign-statement.ts";

export interface SignedWish {
  readonly key: ApproverKey;
  /** Ids of the hosts that are meant; all without it. */
  readonly only: readonly string[] | undefined;
  readonly terms: ApprovalTerms;
  /** The approval of others that is signed too, as a person named it. */
  readonly join: string | undefined;
  readonly yes: string | undefined;
}

export interface MadeApproval {
  readonly approval: Approval;
  readonly signed: SignedStatement;
  readonly hosts: ChosenHosts;
  /** What the person was shown, or would have been. */
  readonly lines: readonly string[];
}

interface Deps {
  readonly connection: Connection;
  readonly surroundings: Surroundings;
  readonly now: number;
}

/**
 * Signs a plan for hosts that know the key. Everything that a host will ask of the approval is asked here before it is sent, of the
 * trust files that the hosts themselves signed.
 */
export async function approveSigned(checked: CheckedPlan, wish: SignedWish, deps: Deps): Promise<MadeApproval> {
  const { plan, document, sections } = checked;
  const { key, terms } = wish;
  const { surroundings, now } = deps;
  const joined = await findJoined(checked, wish, deps);
  const only = joined === undefined ? wish.only : nodesOf(joined, document);
  const hosts = chooseHosts(sections, { keyId: key.id, only, now });
  const around = { planDigest: plan.digest, sectionCount: document.sections.length, now };
  const others = joined?.statements ?? [];
  // What others signed is judged first: nobody joins what no host would take.
  if (joined !== undefined) {
    judgeFor(hosts.signed, others, around);
    checkTrust(joined.approval, hosts.signed);
  }
  checkLint(
    hosts.signed.map((host) => host.checked),
    checked.around,
  );
  const approval = joined?.approval ?? makeStatement({ ...around, hosts: hosts.signed, terms, keyId: key.id });
  const book = await readAddressBook(surroundings);
  const lines = [
    ...approvedPlanLines(checked),
    ...hosts.signed.flatMap((host) => signedHostLines(host, { around: checked.around, book, now })),
    ...leftOutLines(hosts.leftOut),
    ...statementLines(approval, { key, own: readOwnProgram() }),
  ];
  await confirmDigest({ digest: plan.digest, yes: wish.yes, lines, terminal: surroundings.terminal });
  const statement = approvalFrame(approval);
  const signed = { statement, ssh: await signStatement(statement, key, surroundings) };
  judgeFor(hosts.signed, [...others, signed], around);
  return { approval, signed, hosts, lines };
}

/** Kept once the server has taken it. */
export async function rememberApproved(hosts: ChosenHosts, surroundings: Surroundings, now: number): Promise<void> {
  await rememberHosts(
    surroundings,
    hosts.signed.map(({ checked }) => namedHost(checked)),
    now,
  );
}

async function findJoined(
  { plan }: CheckedPlan,
  { join, key }: SignedWish,
  { connection }: Deps,
): Promise<JoinedApproval | undefined> {
  if (join === undefined) return undefined;
  return getJoined(connection, { plan: plan.id, named: join, planDigest: plan.digest, keyId: key.id });
}

/** A statement for more sections than the plan has names none of them: its hosts refuse it. */
function nodesOf({ approval }: JoinedApproval, { sections }: PlanDocument): string[] {
  return sectionsOf(approval.sections).flatMap((index) => sections[index]?.node ?? []);
}

/** A statement that is also good for a trust file at which none of these hosts stands is not signed: nobody here has seen that one. */
function checkTrust({ approvalId, trust }: Approval, hosts: readonly SignedHost[]): void {
  const more = trust.filter((digest) => !hosts.some((host) => host.trust.digest === digest));
  if (more.length === 0) return;
  throw fault(
    "statement.trust",
    `${approvalId}: expected the trust files of its hosts alone, found ${more.length} more`,
  );
}

function judgeFor(
  hosts: readonly SignedHost[],
  statements: readonly SignedStatement[],
  around: { readonly planDigest: string; readonly sectionCount: number; readonly now: number },
): void {
  const container = writeContainer(statements);
  for (const host of hosts) judgeOffer(container, sceneOf(host, around));
}

import { type Approval, readApproval, type SignedStatement } from "@gatehouse/approval";
import { fault } from "@gatehouse/contract";
import { planApprovalsRoute, type PlanSignature } from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";

/** What others signed already, and what one more approver signs: the same but for the key. */
export interface JoinedApproval {
  readonly approval: Approval;
  readonly statements: readonly SignedStatement[];
}

export interface JoinWish {
  readonly plan: string;
  /** As a person named it. */
  readonly named: string;
  /** The digest of the plan as it was computed here. */
  readonly planDigest: string;
  readonly keyId: string;
}

/** Signatures that fit into one container beside one's own. */
const mostOthers = 15;

export async function getJoined(connection: Connection, wish: JoinWish): Promise<JoinedApproval> {
  const { data } = await connection.call(planApprovalsRoute, { params: { id: wish.plan } });
  return pickJoined(data.items, wish);
}

/** The fields of an approval that others signed. Whether their signatures hold is for the hosts' own judgement, which comes after. */
export function pickJoined(
  items: readonly PlanSignature[],
  { plan, named, planDigest, keyId }: Pick<JoinWish, "plan" | "named" | "planDigest" | "keyId">,
): JoinedApproval {
  const refuse = (why: string) => fault("cli.approval_not_joined", why);
  const fitting = items.filter(({ id, kind }) => kind === "signed" && id.startsWith(named));
  const [first, second] = new Set(fitting.map(({ id }) => id));
  if (first === undefined) throw refuse(`${plan} has no signed approval ${named}`);
  if (second !== undefined) throw refuse(`${named} fits several approvals: ${first}, ${second}`);
  if (fitting.length > mostOthers) throw refuse(`${first} has as many signatures as fit into one approval`);
  const statements = fitting.map(bytesOf);
  const approvals = statements.map(({ statement }) => readApproval(statement));
  const [approval] = approvals;
  if (approval === undefined || approvals.includes(undefined)) {
    throw fault("statement.malformed", `${first}: expected a statement in its one form, found other bytes`);
  }
  if (approval.planDigest !== planDigest) {
    throw fault("statement.plan", `${first}: expected the plan ${planDigest}, found ${approval.planDigest}`);
  }
  if (approvals.some((one) => one?.keyId === keyId)) throw refuse(`this key has signed ${first} already`);
  return { approval: { ...approval, keyId }, statements };
}

function bytesOf({ id, statement, ssh }: PlanSignature): SignedStatement {
  try {
    return { statement: Uint8Array.fromBase64(statement ?? ""), ssh: Uint8Array.fromBase64(ssh ?? "") };
  } catch {
    throw fault("statement.malformed", `${id}: expected base64, found something else`);
  }
}

import { writeContainer } from "@gatehouse/approval";
import { judgeApprovals, parseTrust } from "@gatehouse/approval/verify";
import type { Plan } from "@gatehouse/contract/routes";
import { type Approver, believing, newApprover, newHome } from "./approver.ts";
import { type PlanAnswers, startPlanServer } from "./plan-server.ts";
import { hosts, samplePlan, type SamplePlan } from "./sample-plan.ts";
import { sendJson } from "./small-server.ts";

/** What was sent to have a plan approved, in base64. */
export interface Sent {
  readonly statement: string;
  readonly ssh: string;
}

/** A server that shows one plan, and keeps what it is sent. */
export async function startApproving(shown: SamplePlan, answers: PlanAnswers = {}) {
  const { home, environment } = newHome();
  const at = `/api/plans/${shown.plan.id}`;
  const { server, environment: known } = await startPlanServer(shown, {
    [`POST ${at}/approvals`]: (response) =>
      sendJson(response, 200, { ...shown.plan, state: "approved", awaiting: 0 } satisfies Plan),
    ...answers,
  });
  const sent = () =>
    server.received.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body) as Sent);
  const all: Record<string, string> = { ...environment, ...known };
  return { home, environment: all, sent, server };
}

/** One approver, and a plan whose hosts believe them. */
export function samples(home: string) {
  const ada = newApprover(home, "ada");
  const trust = believing([ada]);
  return { ada, trust, shown: samplePlan({ trust: [trust, trust] }) };
}

/** What a script has to know of the digest. */
export const yesOf = ({ plan }: SamplePlan) => plan.digest.slice(0, 12);
export const lineOf = ({ plan }: SamplePlan, { file }: Approver) => `plan approve ${plan.id} --key ${file}`;
export const statementBytes = ({ statement, ssh }: Sent) => ({
  statement: Uint8Array.fromBase64(statement),
  ssh: Uint8Array.fromBase64(ssh),
});

/** As each of the hosts would, at this moment. */
export function judgedBy(shown: SamplePlan, sent: readonly Sent[], trusts: readonly { readonly trust: string }[]) {
  return trusts.map(({ trust }, sectionIndex) =>
    judgeApprovals(writeContainer(sent.map(statementBytes)), {
      trust: parseTrust(Uint8Array.fromBase64(trust)),
      planDigest: shown.plan.digest,
      sectionIndex,
      sectionCount: hosts.length,
      risks: ["change", "change"],
      together: false,
      clock: { wall: Date.now(), floorNow: Date.now() },
      isSpent: () => false,
      horizon: 0,
      isRevoked: () => false,
    }),
  );
}

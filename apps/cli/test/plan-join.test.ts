import { type Approval, approvalFrame, readApproval } from "@gatehouse/approval";
import type { PlanSignature } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { type Approver, believing, newApprover, newHome } from "./approver.ts";
import { judgedBy, lineOf, type Sent, startApproving, yesOf } from "./approving.ts";
import { runJson, runLine } from "./run-commands.ts";
import { hosts, samplePlan, type SamplePlan } from "./sample-plan.ts";
import { sendJson } from "./small-server.ts";

/** What the second of several approvers signs. */
const one = { change: 1, network: 1, update: 1, terminal: 1, trust: 1 };

function signatureOf({ statement, ssh }: Sent, change: Partial<PlanSignature> = {}): PlanSignature {
  const approval = readApproval(Uint8Array.fromBase64(statement)) as Approval;
  return {
    id: approval.approvalId,
    kind: "signed",
    user: "usr_ada",
    by: "ada",
    at: "2026-11-17T04:00:02.000Z",
    keyId: approval.keyId,
    fingerprint: null,
    notBefore: new Date(approval.notBefore).toISOString(),
    notAfter: new Date(approval.notAfter).toISOString(),
    rollbackWindow: approval.rollbackWindow,
    sections: hosts.length,
    statement,
    ssh,
    ...change,
  };
}

/** Two persons have to sign; ada has. */
async function signedByFirst() {
  const { home } = newHome();
  const [ada, bea] = [newApprover(home, "ada"), newApprover(home, "bea")];
  const trust = believing([ada, bea], { thresholds: { ...one, change: 2 } });
  const shown = samplePlan({ trust: [trust, trust] });
  const { environment, sent } = await startApproving(shown);
  const { code, out } = await runLine(`${lineOf(shown, ada)} --yes ${yesOf(shown)}`, { environment });
  expect([code, out]).toEqual([0, expect.stringContaining("one of 2 persons; it takes 2 persons")]);
  const first = sent()[0] as Sent;
  const serve = (items: readonly PlanSignature[], of: SamplePlan = shown) =>
    startApproving(of, {
      [`GET /api/plans/${shown.plan.id}/approvals`]: (response) => sendJson(response, 200, { items, nextCursor: null }),
    });
  return { ada, bea, trust, shown, first, serve };
}

test("the second person signs the same statement, and only together they are enough", async () => {
  const { bea, trust, shown, first, serve } = await signedByFirst();
  const signature = signatureOf(first);
  const { environment, sent } = await serve([signature]);
  const line = `${lineOf(shown, bea)} --join ${signature.id.slice(0, 8)} --yes ${yesOf(shown)}`;
  const { code, out } = await runLine(line, { environment });
  expect(code).toBe(0);
  expect(out).toContain(`Approval ${signature.id}`);
  expect(out).toContain(signature.notAfter.replace(/\.\d+Z/, "Z"));
  const second = sent()[0] as Sent;
  expect(judgedBy(shown, [first, second], [trust, trust])[1]?.persons).toEqual(["ada", "bea"]);
  expect(() => judgedBy(shown, [second], [trust])).toThrow(expect.objectContaining({ code: "signature.threshold" }));
});

test("what cannot be joined is not signed", async () => {
  const { ada, bea, shown, first, serve } = await signedByFirst();
  const good = signatureOf(first);
  const changed = (at: number) => {
    const statement = Uint8Array.fromBase64(first.statement);
    statement[at] = (statement[at] as number) ^ 1;
    return signatureOf(first, { statement: statement.toBase64() });
  };
  // Behind the frame's count, the domain and the approval's id, each with its length.
  const digestAt = 4 + 4 + "gatehouse-approve-plan-v1".length + 4 + 16 + 4;
  const cases: readonly (readonly [string, readonly PlanSignature[], Approver, string])[] = [
    ["an approval that is not there", [], bea, "cli.approval_not_joined"],
    ["a word to the server", [{ ...good, kind: "server" }], bea, "cli.approval_not_joined"],
    [
      "two that begin alike",
      [good, { ...good, id: `${good.id.slice(0, 8)}${"0".repeat(24)}` }],
      bea,
      "cli.approval_not_joined",
    ],
    ["one's own", [good], ada, "cli.approval_not_joined"],
    ["more than fit", Array<PlanSignature>(16).fill(good), bea, "cli.approval_not_joined"],
    ["another plan", [changed(digestAt)], bea, "statement.plan"],
    ["other bytes", [signatureOf(first, { statement: "AAAA" })], bea, "statement.malformed"],
    ["no base64", [signatureOf(first, { ssh: "?" })], bea, "statement.malformed"],
    ["other fields than were signed", [changed(digestAt - 8)], bea, "signature.invalid"],
  ];
  for (const [what, items, approver, expected] of cases) {
    const { environment, sent } = await serve(items);
    const line = `${lineOf(shown, approver)} --join ${good.id.slice(0, 8)} --yes ${yesOf(shown)}`;
    expect((await runJson(line, { environment })).found, what).toMatchObject({ error: { code: expected } });
    expect(sent(), what).toEqual([]);
  }
});

test("an approval whose time is over is not joined", async () => {
  const { bea, shown, first, serve } = await signedByFirst();
  const old = readApproval(Uint8Array.fromBase64(first.statement)) as Approval;
  const statement = approvalFrame({ ...old, issuedAt: 1_000, notBefore: 1_000, notAfter: 2_000 }).toBase64();
  const { environment, sent } = await serve([signatureOf({ statement, ssh: first.ssh })]);
  const line = `${lineOf(shown, bea)} --join ${old.approvalId} --yes ${yesOf(shown)}`;
  expect((await runJson(line, { environment })).found).toMatchObject({ error: { code: "time.expired" } });
  expect(sent()).toEqual([]);
});

test("an approval that names trust files of nobody in the plan is not joined", async () => {
  const { home } = newHome();
  const [ada, bea] = [newApprover(home, "ada"), newApprover(home, "bea")];
  const [two, three] = [believing([ada, bea]), believing([ada, bea, newApprover(home, "cyd")])];
  const before = samplePlan({ trust: [two, three] });
  const first = await startApproving(before);
  expect(await runLine(`${lineOf(before, ada)} --yes ${yesOf(before)}`, first)).toMatchObject({ code: 0 });
  const signature = signatureOf(first.sent()[0] as Sent);
  // Both stand at one file by now, and the statement would also be good for the other.
  const { environment, sent } = await startApproving(samplePlan({ trust: [two, two] }), {
    [`GET /api/plans/${before.plan.id}/approvals`]: (response) =>
      sendJson(response, 200, { items: [signature], nextCursor: null }),
  });
  const line = `${lineOf(before, bea)} --join ${signature.id} --yes ${yesOf(before)}`;
  expect((await runJson(line, { environment })).found).toMatchObject({
    error: { code: "statement.trust", detail: expect.stringContaining("found 1 more") },
  });
  expect(sent()).toEqual([]);
});

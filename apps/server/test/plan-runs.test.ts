import { createHash } from "node:crypto";
import { type FrameOf, readPiece } from "@gatehouse/channel";
import { planKind, type PlanRecord, userKind } from "@gatehouse/contract/records";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { trustSubject } from "@gatehouse/plan";
import { put } from "@gatehouse/store/decide";
import { describe, expect, test } from "vitest";
import type { AuthServer } from "./auth-server.ts";
import {
  adaKey,
  approve,
  oneOfTwo,
  refusalOf,
  signatureBody,
  startInReview,
  statementAbout,
  takesServerWord,
  takesSignatures,
} from "./approved-plan.ts";
import { madePlan, managedPretend, type ManagedPretend, type Refused, restart, startPlanned } from "./planned-fleet.ts";

/** Changes a plan's record as whoever takes approvals would. */
async function changePlan(server: AuthServer, id: string, more: Partial<PlanRecord>): Promise<string> {
  const found = await server.store.get(planKind.key(id), { newest: true });
  if (found === undefined) throw new Error("there is no such plan");
  const at = server.clock.now();
  const { version } = await server.store.commit(
    { at, actor: "system", action: "plan.forgotten", subject: "plan", outcome: "done", detail: { plans: 0 } },
    [put(found, { ...found.value, ...more })],
  );
  return `"${version}"`;
}

async function approvedPlan(server: AuthServer, id: string, { host }: ManagedPretend): Promise<string> {
  const now = server.clock.now();
  const request = Buffer.alloc(32).toString("base64url");
  const said = { [trustSubject]: { accepts: "server", trust: null } };
  const [piece] = host.states({ t: "want-state", request, subjects: [trustSubject] }, said);
  const row = { node: host.nodeId, name: host.hostname, states: piece?.bytes ?? null, statesAt: now, findings: [] };
  const [user] = await server.store.list(userKind);
  const word = {
    id: "0a".repeat(16),
    kind: "server",
    user: user?.value.id ?? "",
    by: "bob",
    at: now,
    notBefore: now,
    notAfter: now + 60_000,
    rollbackWindow: 120,
    sections: 1,
  } as const;
  // One row, as evidence is kept: how many there are, where each ends, then their texts.
  const text = Buffer.from(JSON.stringify(row));
  const head = Buffer.alloc(12);
  head.writeUInt32BE(1, 0);
  head.writeBigUInt64BE(BigInt(text.byteLength), 4);
  const evidence = await server.blobs.put([head, text]);
  return changePlan(server, id, { state: "approved", awaiting: 0, approvals: [word], evidence });
}

describe("applying a plan", () => {
  test("sends each host its task, hands out its parts, and keeps what the host said", async () => {
    const { server, owner } = await startPlanned();
    const managed = await managedPretend(server, owner);
    const { agent, host } = managed;
    const plan = await madePlan(owner, { ...restart, nodes: [host.nodeId] });
    const offered = Promise.withResolvers<FrameOf<"task">>();
    agent.onFrame((sent) => {
      if (sent.t === "task") offered.resolve(sent);
    });
    const tag = await approvedPlan(server, plan.id, managed);
    const started = await owner.call<Plan>("POST", `/api/plans/${plan.id}/apply`, { headers: { "If-Match": tag } });
    expect([started.status, started.body.state]).toEqual([200, "running"]);
    const { task, parts, planDigest } = await offered.promise;
    expect(planDigest).toBe(plan.digest);
    const piece = Promise.withResolvers<Uint8Array>();
    agent.socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) piece.resolve(data);
    });
    const { sha256, size } = parts.section;
    agent.send({ t: "pull", request: 1, sha256, offset: 0, length: size });
    const pulled = readPiece(await piece.promise);
    expect(
      createHash("sha256")
        .update(pulled?.bytes ?? "")
        .digest("hex"),
    ).toBe(sha256);
    agent.send({ t: "task-refused", task, code: "apply.absent", detail: "it would do it" });
    await expect
      .poll(async () => (await owner.call<Plan>("GET", `/api/plans/${plan.id}`)).body, { interval: 5 })
      .toMatchObject({ state: "done", ended: { refused: 1 } });
    const tasks = await owner.call<{ items: PlanTask[] }>("GET", `/api/plans/${plan.id}/tasks`);
    expect(tasks.body.items).toMatchObject([{ id: task, node: host.nodeId, state: "refused", code: "apply.absent" }]);
    expect((await server.actions()).filter((action) => /^(task|plan\.(started|done))/.test(action))).toEqual([
      "plan.started",
      "task.sent",
      "task.ended",
      "plan.done",
    ]);
  });

  test("is refused before it is approved, as it was not seen, and while all plans are stopped", async () => {
    const { server, owner } = await startPlanned();
    const managed = await managedPretend(server, owner);
    const plan = await madePlan(owner, { ...restart, nodes: [managed.host.nodeId] });
    const apply = async (tag: string) => {
      const path = `/api/plans/${plan.id}/apply`;
      const { status, body } = await owner.call<Refused>("POST", path, { headers: { "If-Match": tag } });
      return [status, body.code];
    };
    expect(await apply(plan.tag)).toEqual([409, "plan.not_approved"]);
    const tag = await approvedPlan(server, plan.id, managed);
    expect(await apply(plan.tag)).toEqual([412, "request.stale"]);
    await owner.call("PUT", "/api/plans/stop", { body: { reason: "no" } });
    expect(await apply(tag)).toEqual([409, "plan.stopped"]);
    const rejected = await changePlan(server, plan.id, { state: "rejected" });
    expect(await apply(rejected)).toEqual([409, "plan.move_refused"]);
    const tasks = await owner.call<{ items: PlanTask[] }>("GET", `/api/plans/${plan.id}/tasks`);
    expect(tasks.body.items).toEqual([]);
  });

  test("is refused when its approvals have ended since, until somebody approves it again", async () => {
    const { server, owner, plan, shown } = await startInReview([takesSignatures(oneOfTwo), takesServerWord]);
    const apply = async (by = owner) => {
      const tag = (await by.call("GET", `/api/plans/${plan.id}`)).headers.get("etag") ?? "";
      const headers = { "If-Match": tag };
      return by.call<Plan & Refused>("POST", `/api/plans/${plan.id}/apply`, { headers });
    };
    await approve(owner, plan, { server: true, minutes: 5 });
    expect(refusalOf(await apply())).toBe("plan.not_approved: hosts that wait for an approval: 1");
    await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan)));
    server.clock.advance(5 * 60_000 + 1);
    const later = await server.visitor().signIn();
    expect(await shown()).toMatchObject({ state: "approved", awaiting: 0 });
    expect(refusalOf(await apply(later))).toBe("plan.not_approved: hosts that wait for an approval: 1");
    await approve(later, plan, { server: true });
    expect((await apply(later)).body.state).toBe("running");
    await changePlan(server, plan.id, { state: "halted" });
    server.clock.advance(60_000);
    expect((await apply(later)).body.state).toBe("running");
    const starts = (await server.audit()).filter(({ action }) => action === "plan.started");
    expect(starts.map(({ detail }) => detail)).toMatchObject([{ again: false }, { again: true }]);
  });
});

import { sectionBits } from "@gatehouse/approval";
import { approverKeyId, firstTrust, sshFingerprint } from "@gatehouse/approval/verify";
import type { Plan, PlanSignature } from "@gatehouse/contract/routes";
import { memoryBlobs } from "@gatehouse/store/blobs";
import { describe, expect, test } from "vitest";
import { makeKey } from "../../../tests/support/approvers.ts";
import {
  adaKey,
  adaSecondKey,
  approve,
  bobKey,
  oneOfTwo,
  refusalOf,
  signatureBody,
  startInReview,
  statementAbout,
  takesNothing,
  takesServerWord,
  takesSignatures,
  twoOfTwo,
} from "./approved-plan.ts";
import { newVisitor, tagOf, tokenVisitor } from "./auth-server.ts";
import { madePlan, managedPretend, type Refused, restart, startPlanned } from "./planned-fleet.ts";

describe("a signature of an approver", () => {
  test("approves the plan when no host waits for another, is kept with its bytes, and stands in the audit log", async () => {
    const { server, owner, plan, shown } = await startInReview([takesSignatures(oneOfTwo), takesSignatures(oneOfTwo)]);
    expect(await shown()).toMatchObject({ state: "in_review", approvals: [], awaiting: null });
    const statement = statementAbout(server, plan);
    const body = signatureBody(adaKey, statement);
    const { status, body: approved } = await approve(owner, plan, body);
    expect([status, approved.state, approved.awaiting]).toEqual([200, "approved", 0]);
    const [approval] = approved.approvals;
    expect(approval).toMatchObject({
      id: statement.approvalId,
      kind: "signed",
      keyId: approverKeyId(adaKey.blob),
      fingerprint: sshFingerprint(adaKey.blob),
      rollbackWindow: 60,
      sections: 2,
      notAfter: new Date(statement.notAfter).toISOString(),
    });
    expect(approved.movedBy).toBe(approval?.by);
    const listed = await owner.call<{ items: PlanSignature[] }>("GET", `/api/plans/${plan.id}/approvals`);
    expect(listed.body).toEqual({ items: [{ ...approval, ...body }], nextCursor: null });
    expect((await server.audit()).find(({ action }) => action === "plan.approved")).toMatchObject({
      subject: `plan/${plan.id}`,
      detail: {
        digest: plan.digest,
        approval: statement.approvalId,
        kind: "signed",
        keyId: approverKeyId(adaKey.blob),
        awaiting: 0,
        own: false,
      },
    });
  });

  test("that comes again changes nothing, also from somebody who has not heard of the first", async () => {
    const { server, owner, plan, shown } = await startInReview([takesSignatures(oneOfTwo)]);
    const body = signatureBody(adaKey, statementAbout(server, plan));
    expect((await approve(owner, plan, body, plan.tag)).status).toBe(200);
    const head = (await server.audit()).length;
    const again = await approve(owner, plan, body, plan.tag);
    expect([again.status, again.body]).toEqual([200, await shown()]);
    expect(again.body.approvals).toHaveLength(1);
    expect(await server.audit()).toHaveLength(head);
  });

  test("may be added while the plan is approved and not begun; the plan stays approved", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan)));
    const { body } = await approve(owner, plan, signatureBody(bobKey, statementAbout(server, plan)));
    expect([body.state, body.awaiting, body.approvals.length]).toEqual(["approved", 0, 2]);
  });

  test("of which the time is over no longer counts, and the plan says so when the next one comes", async () => {
    const hosts = [takesSignatures(oneOfTwo), takesServerWord];
    const { server, plan, shown } = await startInReview(hosts);
    const owner = await server.visitor().signIn();
    await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan)));
    await approve(owner, plan, { server: true, minutes: 24 * 60 });
    expect((await shown()).awaiting).toBe(0);
    server.clock.advance(2 * 60 * 60 * 1_000);
    const later = await server.visitor().signIn();
    const { body } = await approve(later, plan, { server: true });
    expect([body.state, body.awaiting]).toEqual(["approved", 1]);
  });
});

describe("where two persons have to sign", () => {
  test("the plan waits for the second, who signs the same statement", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(twoOfTwo), takesSignatures(twoOfTwo)]);
    const statement = statementAbout(server, plan, { trust: [twoOfTwo] });
    const first = await approve(owner, plan, signatureBody(adaKey, statement));
    expect([first.body.state, first.body.awaiting, first.body.needed]).toEqual(["in_review", 2, 2]);
    const second = await approve(owner, plan, signatureBody(bobKey, statement));
    expect([second.body.state, second.body.awaiting]).toEqual(["approved", 0]);
  });

  test("two keys of one person are one person", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(twoOfTwo)]);
    const statement = statementAbout(server, plan, { trust: [twoOfTwo] });
    await approve(owner, plan, signatureBody(adaKey, statement));
    const { body } = await approve(owner, plan, signatureBody(adaSecondKey, statement));
    expect([body.state, body.awaiting, body.approvals.length]).toEqual(["in_review", 1, 2]);
  });

  test("persons under two statements are not added up", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(twoOfTwo)]);
    for (const key of [adaKey, bobKey]) {
      await approve(owner, plan, signatureBody(key, statementAbout(server, plan, { trust: [twoOfTwo] })));
    }
    const { body } = await owner.call<Plan>("GET", `/api/plans/${plan.id}`);
    expect([body.state, body.awaiting]).toEqual(["in_review", 1]);
  });

  test("what is signed under one id differs in the key and in nothing else", async () => {
    const { server, owner, plan, shown } = await startInReview([takesSignatures(twoOfTwo), takesServerWord]);
    const statement = statementAbout(server, plan, { trust: [twoOfTwo] });
    await approve(owner, plan, signatureBody(adaKey, statement));
    for (const key of [adaKey, bobKey]) {
      const other = signatureBody(key, { ...statement, rollbackWindow: 61 });
      expect((await approve(owner, plan, other)).body.code).toBe("statement.differ");
    }
    const word = await approve(owner, plan, { server: true });
    const approvalId = word.body.approvals.at(-1)?.id ?? "";
    const borrowed = signatureBody(bobKey, { ...statement, approvalId });
    expect((await approve(owner, plan, borrowed)).body.code).toBe("statement.differ");
    expect((await shown()).approvals).toHaveLength(2);
  });

  test("two who sign at once are both kept: whoever was slower sends it again to the plan as it then is", async () => {
    const { server, owner, plan, shown } = await startInReview([takesSignatures(twoOfTwo)]);
    const approver = await newVisitor(server, owner, "approver");
    const statement = statementAbout(server, plan, { trust: [twoOfTwo] });
    const sent = [
      { by: owner, body: signatureBody(adaKey, statement) },
      { by: approver, body: signatureBody(bobKey, statement) },
    ];
    const answers = await Promise.all(sent.map(({ by, body }) => approve(by, plan, body, plan.tag)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    expect((await shown()).awaiting).toBe(1);
    const slower = sent[answers.findIndex(({ status }) => status === 412)];
    if (slower === undefined) throw new Error("nobody was slower");
    const { body } = await approve(slower.by, plan, slower.body);
    expect([body.state, body.awaiting, body.approvals.length]).toEqual(["approved", 0, 2]);
  });

  test("one signature that is sent twice at once is kept once", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(twoOfTwo)]);
    const body = signatureBody(adaKey, statementAbout(server, plan, { trust: [twoOfTwo] }));
    const answers = await Promise.all([1, 2, 3].map(() => approve(owner, plan, body, plan.tag)));
    expect(answers.map(({ status, body: { approvals } }) => [status, approvals.length])).toEqual(
      Array.from({ length: 3 }, () => [200, 1]),
    );
    expect((await server.actions()).filter((action) => action === "plan.approved")).toHaveLength(1);
  });
});

describe("hosts that differ in whose word they take", () => {
  test("each waits for its own kind; one that takes nothing is not waited for", async () => {
    const hosts = [takesSignatures(oneOfTwo), takesServerWord, takesNothing, {}];
    const { server, owner, plan } = await startInReview(hosts);
    const signed = await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan)));
    expect([signed.body.state, signed.body.awaiting, signed.body.needed]).toEqual(["in_review", 1, 1]);
    expect(signed.body.approvals[0]?.sections).toBe(1);
    const word = await approve(owner, plan, { server: true, minutes: 30, rollbackWindow: 300 });
    expect([word.body.state, word.body.awaiting]).toEqual(["approved", 0]);
    const now = server.clock.now();
    expect(word.body.approvals[1]).toMatchObject({
      kind: "server",
      keyId: null,
      fingerprint: null,
      sections: 1,
      notBefore: new Date(now).toISOString(),
      notAfter: new Date(now + 30 * 60 * 1_000).toISOString(),
      rollbackWindow: 300,
    });
    const listed = await owner.call<{ items: PlanSignature[] }>("GET", `/api/plans/${plan.id}/approvals`);
    expect(listed.body.items[1]).toEqual({ ...word.body.approvals[1], statement: null, ssh: null });
    const entry = (await server.audit()).findLast(({ action }) => action === "plan.approved");
    expect(entry?.detail).toMatchObject({ kind: "server", awaiting: 0 });
    expect(entry?.detail).not.toHaveProperty("keyId");
  });

  test("a word to the server holds an hour and two minutes of rollback unless somebody says otherwise", async () => {
    const { server, owner, plan } = await startInReview([takesServerWord]);
    const { body } = await approve(owner, plan, { server: true });
    const notAfter = new Date(server.clock.now() + 60 * 60 * 1_000).toISOString();
    expect(body.approvals[0]).toMatchObject({ notAfter, rollbackWindow: 120 });
  });

  test("an approval that none of them takes is refused", async () => {
    const { server, owner, plan, sectionOf } = await startInReview([takesSignatures(oneOfTwo), takesNothing]);
    expect((await approve(owner, plan, { server: true })).body.code).toBe("plan.no_host_takes");
    for (const sections of [sectionBits(2, [sectionOf("web-1")]), sectionBits(9, [8])]) {
      const statement = statementAbout(server, plan, { sections });
      expect((await approve(owner, plan, signatureBody(adaKey, statement))).body.code).toBe("plan.no_host_takes");
    }
  });
});

describe("who may approve, and when", () => {
  test("nobody their own plan, unless an owner allows it; then it is in the audit log as their own", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner, { says: takesSignatures(oneOfTwo) });
    const plan = await madePlan(owner, { ...restart, nodes: [host.nodeId] });
    const body = signatureBody(adaKey, statementAbout(server, plan));
    const refused = await approve(owner, plan, body);
    expect([refused.status, refused.body.code]).toEqual([403, "plan.self_approval"]);
    expect(refused.body.detail).toContain("gatehouse settings set plans.selfApproval true");
    await owner.call("PATCH", "/api/settings", { body: { plans: { selfApproval: true } } });
    expect((await approve(owner, plan, body)).body.state).toBe("approved");
    const entry = (await server.audit()).find(({ action }) => action === "plan.approved");
    expect(entry?.detail).toMatchObject({ own: true });
  });

  test("only those who hold plan:approve, with a proof that is fresh", async () => {
    const { server, owner, author, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    const body = signatureBody(adaKey, statementAbout(server, plan));
    expect((await approve(author, plan, body)).body.code).toBe("auth.scope_missing");
    const approver = await newVisitor(server, owner, "approver");
    server.clock.advance(10 * 60 * 1_000);
    expect((await approve(approver, plan, body)).body.code).toBe("auth.step_up_required");
    await approver.call("POST", "/api/auth/step-up", { body: { password: "the approver has otters" } });
    expect((await approve(approver, plan, body)).body.state).toBe("approved");
  });

  test("a token may bring a signature that a person made", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    const scopes = ["plan:approve", "plan:read"];
    const { visitor: token } = await tokenVisitor(server, owner, { scopes, class: "automation" });
    const body = signatureBody(adaKey, statementAbout(server, plan));
    expect((await approve(token, plan, body)).body.state).toBe("approved");
  });

  test("nothing while all plans are stopped", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    await owner.call("PUT", "/api/plans/stop", { body: { reason: "the switch burns" } });
    const answer = await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan)));
    expect(refusalOf(answer)).toBe("plan.stopped: all plans are stopped: the switch burns");
  });

  test("only a plan in review, or approved and not begun", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    const body = signatureBody(adaKey, statementAbout(server, plan));
    const nowhere = { ...plan, id: `plan_${"0".repeat(26)}` };
    expect((await approve(owner, nowhere, body, '"1"')).body.code).toBe("plan.unknown");
    const headers = { "If-Match": plan.tag };
    await owner.call("POST", `/api/plans/${plan.id}/rejection`, { body: { reason: "no" }, headers });
    expect(refusalOf(await approve(owner, plan, body))).toMatch(/^plan\.move_refused: it is rejected;/);
  });

  test("only the plan as it was seen", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    const body = signatureBody(adaKey, statementAbout(server, plan));
    const answer = await approve(owner, plan, body, '"999999"');
    expect([answer.status, answer.body.code]).toEqual([412, "request.stale"]);
  });

  test("a plan in review waits for those who could approve it and have not", async () => {
    const { server, owner, author, plan } = await startInReview([takesSignatures(twoOfTwo)]);
    const waiting = async (by: typeof owner) =>
      (await by.call<{ items: Plan[] }>("GET", "/api/plans?waiting=me")).body.items.map(({ id }) => id);
    server.clock.advance(5);
    const own = await madePlan(owner, { ...restart, nodes: [(await nodesOf(owner))[0]] });
    expect([await waiting(author), await waiting(owner)]).toEqual([[], [plan.id]]);
    await owner.call("PATCH", "/api/settings", { body: { plans: { selfApproval: true } } });
    expect(await waiting(owner)).toEqual([own.id, plan.id]);
    await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan, { trust: [twoOfTwo] })));
    expect(await waiting(owner)).toEqual([own.id]);
    const approver = await newVisitor(server, owner, "approver");
    expect(await waiting(approver)).toEqual([own.id, plan.id]);
    const listed = await approver.call<{ items: Plan[] }>("GET", "/api/plans?waiting=me&state=approved");
    expect(listed.body.items).toEqual([]);
    expect((await owner.call("GET", "/api/plans?waiting=you")).status).toBe(400);
  });
});

async function nodesOf(owner: Awaited<ReturnType<typeof startPlanned>>["owner"]): Promise<string[]> {
  const { body } = await owner.call<{ items: { id: string }[] }>("GET", "/api/nodes");
  return body.items.map(({ id }) => id);
}

describe("what changes while a signature is judged", () => {
  /** Does something between the judging of a signature and the decision. */
  const startMeanwhile = async () => {
    const kept = memoryBlobs();
    let act: () => Promise<unknown> = () => Promise.resolve();
    const put: typeof kept.put = async (parts) => {
      await act();
      return kept.put(parts);
    };
    const started = await startInReview([takesSignatures(oneOfTwo)], { blobs: { ...kept, put } });
    const approver = await newVisitor(started.server, started.owner, "approver");
    const meanwhile = async (happens: () => Promise<unknown>) => {
      act = happens;
      const body = signatureBody(adaKey, statementAbout(started.server, started.plan));
      return approve(approver, started.plan, body);
    };
    return { ...started, approver, meanwhile };
  };

  test("counts: all plans were stopped", async () => {
    const { owner, meanwhile } = await startMeanwhile();
    const stop = () => owner.call("PUT", "/api/plans/stop", { body: { reason: "no" } });
    expect((await meanwhile(stop)).body.code).toBe("plan.stopped");
  });

  test("counts: the right to approve was taken", async () => {
    const { owner, approver, meanwhile, shown } = await startMeanwhile();
    const { id } = (await approver.call<{ user: { id: string } }>("GET", "/api/auth/whoami")).body.user;
    const demote = async () =>
      owner.call("PATCH", `/api/users/${id}`, { body: { role: "viewer" }, headers: await tagOf(owner, id) });
    expect((await meanwhile(demote)).body.code).toMatch(/^auth\./);
    expect((await shown()).approvals).toEqual([]);
  });

  test("counts: somebody rejected the plan", async () => {
    const { owner, plan, meanwhile, shown } = await startMeanwhile();
    const sent = { body: { reason: "no" }, headers: { "If-Match": plan.tag } };
    const reject = () => owner.call("POST", `/api/plans/${plan.id}/rejection`, sent);
    expect((await meanwhile(reject)).body.code).toBe("request.stale");
    expect(await shown()).toMatchObject({ state: "rejected", approvals: [] });
  });
});

describe("how many approvals a plan has", () => {
  test("at most 16 signatures under one statement, as many as a host takes", async () => {
    const keys = Array.from({ length: 17 }, (_, index) => makeKey("ssh-ed25519", 20 + index));
    const persons = [0, 1, 2].map((person) => ({
      name: `Person ${person}`,
      keys: keys.filter((_, index) => index % 3 === person),
    }));
    const trust = firstTrust(persons);
    const { server, owner, plan } = await startInReview([takesSignatures(trust)]);
    const statement = statementAbout(server, plan, { trust: [trust] });
    const statuses = [];
    for (const key of keys) statuses.push((await approve(owner, plan, signatureBody(key, statement))).status);
    expect(statuses).toEqual([...Array.from({ length: 16 }, () => 200), 409]);
  });

  test("at most 64 in all", async () => {
    const { owner, plan, shown } = await startInReview([takesServerWord]);
    for (let word = 0; word < 64; word += 1) await approve(owner, plan, { server: true });
    expect((await approve(owner, plan, { server: true })).body.code).toBe("plan.move_refused");
    expect((await shown()).approvals).toHaveLength(64);
  });
});

describe("the bytes of an approval", () => {
  test("stay as long as the plan's record, and go with it", async () => {
    const kept = memoryBlobs();
    const blobs = { ...kept, collect: (isNamed: (digest: string) => boolean) => kept.collect(isNamed, 0) };
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)], { blobs });
    const body = signatureBody(adaKey, statementAbout(server, plan));
    await approve(owner, plan, body);
    const stray = await kept.put([Buffer.from("nobody names it")]);
    const swept = async (by: typeof owner) => {
      await server.tick();
      return by.call<{ items: PlanSignature[] }>("GET", `/api/plans/${plan.id}/approvals`);
    };
    expect((await swept(owner)).body.items).toMatchObject([body]);
    await expect(kept.open(stray)).rejects.toMatchObject({ code: "blob.unknown" });
    server.clock.advance(2 * 24 * 60 * 60 * 1_000);
    await server.tick();
    server.clock.advance(91 * 24 * 60 * 60 * 1_000);
    await server.tick();
    expect((await swept(await server.visitor().signIn())).status).toBe(404);
    expect(await kept.collect(() => false, 0)).toEqual([]);
  });

  test("are missed by name where they were not restored with the record", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan)));
    await server.blobs.collect(() => false, 0);
    const listed = await owner.call<Refused>("GET", `/api/plans/${plan.id}/approvals`);
    expect(listed.body.code).toBe("plan.bytes_missing");
    const next = await approve(owner, plan, signatureBody(bobKey, statementAbout(server, plan)));
    expect(next.body.code).toBe("plan.bytes_missing");
  });
});

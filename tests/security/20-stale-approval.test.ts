import type { Plan } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { pretendState } from "../support/pretend-state.ts";
import { codeOf, makePlan } from "../support/signed-task.ts";
import { judgePlan } from "./inside/agent.ts";
import { enter, newPerson, type Person } from "./support/people.ts";
import {
  adaKey,
  askForPlan,
  move,
  newPlan,
  plannedHost,
  restartNginx,
  shownPlan,
  signatureBody,
  statementAbout,
  trustsAda,
} from "./support/plans.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Gitea: what had been approved was changed afterwards, and was still approved. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

/** Whoever approves, an author, a host that takes Ada's signature, and a plan for it that Ada has signed. */
async function approvedByAda(name: string) {
  const owner = await enter(port);
  const author = await newPerson(port, owner, "operator", name);
  let motd = "c4";
  const host = await plannedHost(port, owner, {
    name,
    tell: (subject) =>
      subject.startsWith("file:") ? { ...pretendState(subject), sha256: motd.repeat(32) } : trustsAda(subject),
  });
  const write = { kind: "file.write", path: "/srv/motd", text: "hello\n", mode: "0644", owner: "root", group: "root" };
  const wanted = { title: "Greet", summary: "A new greeting.", operations: [write], nodes: [host.nodeId] };
  const plan = await newPlan(port, author.as, wanted);
  const signed = signatureBody(adaKey, statementAbout(plan));
  const approved = await move(port, owner.as, plan.id, { deed: "approvals", body: signed });
  expect(approved.body.state, JSON.stringify(approved.body)).toBe("approved");
  const changeHost = () => (motd = "d5");
  return { owner, author, host, write, wanted, plan, signed, changeHost };
}

async function expectUnapproved(owner: Person, plan: Plan, signed: object): Promise<void> {
  expect((await shownPlan(port, owner.as, plan.id)).approvals).toEqual([]);
  expect((await move(port, owner.as, plan.id, { deed: "approvals", body: signed })).code).toBe("statement.plan");
  expect((await move(port, owner.as, plan.id, { deed: "apply" })).code).toBe("plan.not_approved");
}

test("an approval is of no plan that differs from its own by a letter, by a host, or by what the host was like", async (context) => {
  const { owner, author, write, wanted, plan, signed, changeHost } = await approvedByAda("planned-anew");
  const other = await plannedHost(port, owner, { name: "another-host", tell: trustsAda });
  const others = [
    { ...wanted, title: "Greet you" },
    { ...wanted, summary: "A new greeting!" },
    { ...wanted, operations: [{ ...write, text: "hellO\n" }] },
    { ...wanted, operations: [{ ...write, mode: "0600" }] },
    { ...wanted, operations: [write, ...restartNginx.operations] },
    { ...wanted, nodes: [other.nodeId] },
    { ...wanted, nodes: [...wanted.nodes, other.nodeId] },
  ];
  for (const body of others) await expectUnapproved(owner, await newPlan(port, author.as, body), signed);
  // The same wish once more is the same plan; after the host has changed it is another.
  expect((await newPlan(port, author.as, wanted)).digest).toBe(plan.digest);
  changeHost();
  const later = await newPlan(port, author.as, wanted);
  expect(later.digest).not.toBe(plan.digest);
  await expectUnapproved(owner, later, signed);
  tried(context, count(others.length + 1, "other plans"));
});

test("a statement about a digest with one other bit is about no plan here", async (context) => {
  const { owner, plan } = await approvedByAda("bits");
  const digest = Uint8Array.fromHex(plan.digest);
  for (const at of digest.keys()) {
    const flipped = digest.with(at, (digest[at] ?? 0) ^ (1 << (at % 8)));
    const body = signatureBody(adaKey, statementAbout(plan, { planDigest: flipped.toHex() }));
    expect((await move(port, owner.as, plan.id, { deed: "approvals", body })).code).toBe("statement.plan");
  }
  tried(context, count(digest.length, "digests"));
});

test("a plan that another has taken the place of is applied no more, and its approval is not the other's", async (context) => {
  const { owner, author, wanted, plan, signed } = await approvedByAda("replaced");
  const next = await askForPlan(port, author.as, { ...wanted, title: "Greet again", replaces: plan.id });
  expect(next.status).toBe(201);
  expect((await shownPlan(port, owner.as, plan.id)).state).toBe("expired");
  expect((await move(port, owner.as, plan.id, { deed: "apply" })).code).toBe("plan.move_refused");
  await expectUnapproved(owner, next.body, signed);
  const withdrawn = await approvedByAda("withdrawn");
  expect((await move(port, withdrawn.author.as, withdrawn.plan.id, { deed: "withdrawal", body: {} })).status).toBe(200);
  expect((await move(port, owner.as, withdrawn.plan.id, { deed: "apply" })).code).toBe("plan.move_refused");
  tried(context, count(2, "ended plans"));
});

test("a host takes no byte of a plan for another than the digest names", (context) => {
  const node = `node_${"0".repeat(26)}`;
  const made = makePlan({ nodeId: node, operations: [{ kind: "service.restart", unit: "nginx.service" }] });
  const judge = (task: typeof made) =>
    codeOf(() =>
      judgePlan({ ...task, approvals: new Uint8Array() } as unknown as Parameters<typeof judgePlan>[0], node),
    );
  expect(judge(made)).toBe("taken");
  let flips = 0;
  for (const part of ["header", "section", "digests"] as const) {
    for (const at of made[part].keys()) {
      const bytes = made[part].with(at, (made[part][at] ?? 0) ^ (1 << (at % 8)));
      expect(judge({ ...made, [part]: bytes }), `${part} ${at}`).not.toBe("taken");
      flips += 1;
    }
  }
  tried(context, count(flips, "other bits"));
});

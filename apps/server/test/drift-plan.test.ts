import { createHash } from "node:crypto";
import type { DriftPart } from "@gatehouse/channel";
import { planKind } from "@gatehouse/contract/records";
import type { DriftDifference, NodeDrift, Plan } from "@gatehouse/contract/routes";
import type { PlanDocument } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { startChanging } from "./applied-plan.ts";
import { madePlan, nginx } from "./planned-fleet.ts";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
const rights = { mode: "0644", owner: "root", group: "root" };
const write = (text: string, path = "/etc/motd") => ({ kind: "file.write", path, text, ...rights });
const fileOf = (text: string) => ({ sha256: digestOf(text), ...rights });
const restart = { kind: "service.restart", unit: "nginx.service" };

type Answer = Plan & { readonly code?: string; readonly detail?: string };

/** A host on which a plan was confirmed, and which somebody changed by hand. */
async function startDrifted(operations: readonly object[] = [write("Hello\n"), write("conf\n", "/etc/conf"), restart]) {
  const says: Record<string, object | null> = { "service:nginx.service": nginx };
  const changing = await startChanging([says]);
  const plan = await changing.changed(operations);
  const { author, owner, hosts } = changing;
  const [one] = hosts;
  if (one === undefined) throw new Error("no host");
  const { host, agent } = one;
  const part = (subject: string, more: Partial<DriftPart> = {}): DriftPart => ({
    subject,
    task: `task_${"0".repeat(26)}`,
    plan: plan.digest,
    confirmedAt: 1_800_000_000_000,
    expected: "b".repeat(64),
    state: "differs",
    found: "c".repeat(64),
    why: "",
    ...more,
  });
  const path = `/api/nodes/${host.nodeId}/drift`;
  const tell = async (parts: readonly DriftPart[]) => {
    agent.send(host.drift(parts));
    const told = async () => (await owner.call<NodeDrift>("GET", path)).body.items.length;
    await expect.poll(told, { interval: 5 }).toBe(parts.length);
  };
  const planBack = (body: object = {}, headers: Record<string, string> = {}) =>
    author.call<Answer>("POST", `${path}/plan`, { body, headers });
  const operationsOf = async ({ id }: Plan) =>
    (await author.call<PlanDocument>("GET", `/api/plans/${id}/document`)).body.sections.flatMap((each) => each);
  return { ...changing, plan, says, part, path, tell, planBack, operationsOf, nodeId: host.nodeId };
}

test("what differs is planned back with the operations that were confirmed, on what the host says now", async () => {
  const { says, part, tell, planBack, operationsOf, server, nodeId, change } = await startDrifted();
  Object.assign(says, { "file:/etc/motd": fileOf("By hand\n"), "file:/etc/conf": fileOf("conf\n") });
  await tell([part("file:/etc/motd")]);
  const made = await planBack();
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(made.body).toMatchObject({
    title: "Plan back: web-0",
    state: "in_review",
    nodes: 1,
    source: { from: "person" },
  });
  const [section] = await operationsOf(made.body);
  expect(section).toMatchObject({ node: nodeId, operations: [write("Hello\n"), restart] });
  expect(section?.preconditions.map(({ subject }) => subject)).toContain("file:/etc/motd");
  expect((await server.audit()).at(-1)).toMatchObject({ action: "plan.created" });
  await change(made.body);
});

test("a key that is sent again makes no second plan, and with something else it is refused", async () => {
  const { says, part, tell, planBack } = await startDrifted();
  Object.assign(says, { "file:/etc/motd": fileOf("By hand\n") });
  await tell([part("file:/etc/motd")]);
  const headers = { "Idempotency-Key": "once-and-for-all" };
  const [one, other] = [await planBack({}, headers), await planBack({}, headers)];
  expect(other.body.id).toBe(one.body.id);
  expect((await planBack({ subjects: ["file:/etc/motd"] }, headers)).body.code).toBe("request.key_reused");
});

test("of the parts those that are named, and nothing that does not differ", async () => {
  const { says, part, tell, planBack, operationsOf } = await startDrifted([
    write("a\n", "/etc/a"),
    write("b\n", "/etc/b"),
  ]);
  Object.assign(says, { "file:/etc/a": fileOf("x\n"), "file:/etc/b": null });
  const unread = { state: "unread", found: null, why: "read.limit: it took too long" } as const;
  await tell([
    part("file:/etc/a"),
    part("file:/etc/b", { state: "missing", found: null }),
    part("file:/etc/c", unread),
  ]);
  const made = await planBack({ subjects: ["file:/etc/b"] });
  expect((await operationsOf(made.body))[0]?.operations).toEqual([write("b\n", "/etc/b")]);
  for (const [subject, why] of [
    ["file:/etc/shadow", "found none of that name"],
    ["file:/etc/c", unread.why],
  ]) {
    const refused = await planBack({ subjects: [subject] });
    expect(refused.body).toMatchObject({ code: "plan.drift_refused", detail: expect.stringContaining(`${subject}: `) });
    expect(refused.body.detail).toContain(why);
  }
});

test("what cannot be planned back is refused by name, and no plan is made of the rest", async () => {
  const { server, says, part, tell, planBack } = await startDrifted();
  Object.assign(says, { "file:/etc/motd": fileOf("By hand\n") });
  await tell([part("file:/etc/motd"), part("file:/etc/gone", { plan: "d".repeat(64) }), part("file:/etc/other")]);
  const refused = await planBack();
  expect(refused.body.code).toBe("plan.drift_refused");
  expect(refused.body.detail).toContain(
    "file:/etc/gone: expected the plan that was confirmed, found none that is kept",
  );
  expect(refused.body.detail).toContain("file:/etc/other: expected an operation of the confirmed plan for it");
  expect(refused.body.detail).not.toContain("motd");
  expect((await server.store.list(planKind, { limit: 10 })).length).toBe(1);
});

test("a plan that was never confirmed on the host is none to go back to, whatever the host says", async () => {
  const { says, part, tell, planBack, author, nodes, path } = await startDrifted();
  Object.assign(says, { "file:/etc/evil": null });
  const operations = [write("evil\n", "/etc/evil")];
  const waiting = await madePlan(author, { title: "Change", summary: "Changes.", operations, nodes });
  await tell([part("file:/etc/evil", { plan: waiting.digest, state: "missing", found: null })]);
  const words = "file:/etc/evil: expected a plan that was confirmed on this host, found one that was not";
  expect((await planBack()).body).toMatchObject({ code: "plan.drift_refused", detail: words });
  const difference = await author.call("GET", `${path}/difference?subject=${encodeURIComponent("file:/etc/evil")}`);
  expect(difference.body).toMatchObject({ code: "plan.drift_refused", detail: words });
});

test("a host on which nothing differs, or that is away, is refused", async () => {
  const { part, tell, planBack, hosts } = await startDrifted();
  expect((await planBack()).body.code).toBe("plan.drift_refused");
  await tell([part("file:/etc/motd")]);
  hosts[0]?.agent.socket.terminate();
  await expect.poll(async () => (await planBack()).body.code, { interval: 5 }).toBe("plan.node_offline");
});

test("the difference is what the host says at this moment, beside what the plan wanted", async () => {
  const { says, part, tell, author, path, plan } = await startDrifted();
  Object.assign(says, { "file:/etc/motd": fileOf("By hand\n") });
  await tell([part("file:/etc/motd")]);
  const asked = (subject: string) =>
    author.call<DriftDifference & { code?: string }>(
      "GET",
      `${path}/difference?subject=${encodeURIComponent(subject)}`,
    );
  const { body } = await asked("file:/etc/motd");
  expect(body).toMatchObject({ subject: "file:/etc/motd", kind: "file.write", plan: plan.id, title: "Change" });
  const text = body.diff.map((line) => `${line.mark} ${line.text}`).join("\n");
  expect(text).toContain(digestOf("By hand\n"));
  expect(text).toContain("added");
  expect((await asked("file:/etc/shadow")).body.code).toBe("plan.drift_refused");
});

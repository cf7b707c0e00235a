import { createHash } from "node:crypto";
import type { Plan } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { askToUndo, startChanging } from "./applied-plan.ts";
import { newVisitor } from "./auth-server.ts";
import { madePlan } from "./planned-fleet.ts";

const rights = { mode: "0644", owner: "root", group: "root" };
const write = (text: string) => ({ kind: "file.write", path: "/etc/motd", text, ...rights });
const known = () => ({ "file:/etc/motd": { sha256: createHash("sha256").update("Hello\n").digest("hex"), ...rights } });
const unknown = () => ({ "file:/etc/motd": { sha256: "b".repeat(64), ...rights } });
const absent = () => ({ "file:/etc/motd": null });

describe("a plan is not taken back", () => {
  test("on any host where one has no way back: each is named with its reasons", async () => {
    const { author, changed, nodes } = await startChanging([known(), absent(), unknown()]);
    const plan = await changed([write("Hello\n"), { ...write("Key\n"), path: "/etc/key" }]);
    const { status, body } = await askToUndo(author, plan);
    expect([status, body.code, body.more]).toEqual([409, "plan.not_undoable", 0]);
    const key = expect.stringContaining("operation 2, file.write /etc/key: expected something to put back");
    const why = new Map(body.nodes?.map(({ name, ...one }) => [name, one.why]));
    expect(why).toEqual(
      new Map([
        ["web-0", [key]],
        ["web-1", [expect.stringContaining("operation 1, file.write /etc/motd: expected something to put back"), key]],
        ["web-2", [expect.stringContaining(`operation 1, file.write /etc/motd: expected an earlier plan`), key]],
      ]),
    );
    expect(body.detail).toContain("web-1: operation 1, file.write /etc/motd: expected something to put back");
    const some = await changed([write("Hello\n")]);
    expect((await askToUndo(author, some, { nodes: nodes.slice(0, 1) })).status).toBe(201);
  });

  test("and says of a fleet who comes first, and how many more there are", async () => {
    const { author, changed } = await startChanging(Array.from({ length: 22 }, absent));
    const plan = await changed([write("Hello\n")]);
    const { body } = await askToUndo(author, plan);
    expect([body.nodes?.length, body.more]).toEqual([20, 2]);
    expect(body.detail).toMatch(/\. and 2 more hosts$/);
  });

  test("before its hosts have ended it, or when none of them has kept it", async () => {
    const { author, shown, changed, nodes } = await startChanging([known()]);
    const made = await madePlan(author, { title: "t", summary: "s", operations: [write("Hello\n")], nodes });
    expect((await askToUndo(author, made)).body).toMatchObject({
      code: "plan.move_refused",
      detail: expect.stringContaining("in_review"),
    });
    const plan = await changed([write("Hello\n")], ["rolled_back"]);
    expect(await shown(plan)).toMatchObject({ ended: { rolled_back: 1 } });
    expect((await askToUndo(author, plan)).body).toMatchObject({
      code: "plan.not_undoable",
      detail: expect.stringContaining("found none"),
    });
  });

  test("by who may make no plans", async () => {
    const { server, owner, changed } = await startChanging([known()]);
    const plan = await changed([write("Hello\n")]);
    const viewer = await newVisitor(server, owner, "viewer");
    expect((await askToUndo(viewer, plan)).body.code).toBe("auth.scope_missing");
    expect((await askToUndo(owner, plan, { title: "Mine" })).body.code).toBe("request.malformed");
  });
});

describe("of the hosts of a plan", () => {
  test("those that have kept the change are meant, and a host that has not is refused by name", async () => {
    const { author, changed, hosts, nodes } = await startChanging([known(), known()]);
    const plan = await changed([write("Hello\n")], ["applied", "failed_before_change"]);
    const all = await askToUndo(author, plan);
    expect(all.body).toMatchObject({ nodes: 1, skipped: [] });
    const { body } = await askToUndo(author, plan, { nodes });
    expect(body).toMatchObject({
      code: "plan.not_undoable",
      nodes: [{ name: hosts[1]?.name, why: [expect.stringContaining("found failed_before_change")] }],
    });
    const stranger = `node_${"0".repeat(26)}`;
    expect((await askToUndo(author, plan, { nodes: [stranger] })).body).toMatchObject({
      code: "plan.not_undoable",
      nodes: [{ name: stranger, why: ["the plan was never sent to it"] }],
    });
  });

  test("who is not connected is named, and left out where the author says so; who was revoked is nobody's target", async () => {
    const { owner, author, changed, hosts, nodes } = await startChanging([known(), known(), known()]);
    const plan = await changed([write("Hello\n")]);
    const [, away, gone] = hosts;
    away?.agent.socket.close();
    const headers = { "If-Match": (await owner.call("GET", `/api/nodes/${nodes[2]}`)).headers.get("etag") ?? "" };
    expect((await owner.call("PATCH", `/api/nodes/${nodes[2]}`, { body: { revoked: true }, headers })).status).toBe(
      200,
    );
    await gone?.agent.closed;
    await expect
      .poll(async () => (await askToUndo(author, plan)).body, { interval: 5 })
      .toMatchObject({ code: "plan.node_offline", nodes: [{ name: "web-1" }] });
    expect((await askToUndo(author, plan, { skipOffline: true })).body).toMatchObject({
      nodes: 1,
      skipped: [{ name: "web-1" }],
    });
    expect((await askToUndo(author, plan, { nodes: [nodes[2]] })).body.code).toBe("plan.node_refused");
  });

  test("those of a halted plan that have kept the change are meant while others wait", async () => {
    const { owner, author, nodes, change, shown, server } = await startChanging([known(), known()]);
    const plan = await madePlan(author, { title: "t", summary: "s", operations: [write("Hello\n")], nodes });
    await change(plan, ["applied", undefined]);
    const tasks = async () =>
      (await owner.call<{ items: { state: string }[] }>("GET", `/api/plans/${plan.id}/tasks`)).body.items;
    await expect.poll(async () => (await tasks()).map(({ state }) => state).toSorted()).toEqual(["applied", "sent"]);
    await owner.call("PUT", "/api/plans/stop", { body: { reason: "Look" } });
    await server.tick();
    await expect.poll(() => shown(plan), { interval: 5 }).toMatchObject({ state: "halted" });
    const { body } = await askToUndo(author, plan);
    expect(body).toMatchObject({ undoes: plan.id, nodes: 1 } satisfies Partial<Plan>);
  });
});

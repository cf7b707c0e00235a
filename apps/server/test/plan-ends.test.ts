import type { Plan } from "@gatehouse/contract/routes";
import { type Blobs, memoryBlobs } from "@gatehouse/store/blobs";
import { describe, expect, test } from "vitest";
import { newVisitor } from "./auth-server.ts";
import { madePlan, managedPretend, type Refused, restart, startPlanned } from "./planned-fleet.ts";
import { ownerPassword } from "./visitor.ts";

describe("the time of a plan", () => {
  test("ends it, also before anybody has swept; then it is forgotten with its bytes", async () => {
    const kept = memoryBlobs();
    const removed = Promise.withResolvers<void>();
    const collect: Blobs["collect"] = async (isNamed) => {
      // Age is measured by the machine's clock, which nobody moves here.
      const gone = await kept.collect(isNamed, 0);
      if (gone.length > 0) removed.resolve();
      return gone;
    };
    const { server, owner } = await startPlanned({ blobs: { ...kept, collect } });
    const { host } = await managedPretend(server, owner);
    const plan = await madePlan(owner, { ...restart, nodes: [host.nodeId], expiresInHours: 1 });
    server.clock.advance(60 * 60 * 1_000);
    const owner2 = await server.visitor().signIn();
    const shown = () => owner2.call<Plan & Refused>("GET", `/api/plans/${plan.id}`);
    expect((await shown()).body).toMatchObject({ state: "expired", reason: "its time is over", movedBy: "system" });
    const offer = await owner2.call<Refused>("POST", `/api/plans/${plan.id}/review`, {
      headers: { "If-Match": plan.tag },
    });
    expect(offer.body.code).toBe("plan.move_refused");
    await server.tick();
    expect(await server.actions()).toContain("plan.expired");
    expect((await shown()).body.state).toBe("expired");
    server.clock.advance(90 * 24 * 60 * 60 * 1_000);
    const later = await server.visitor().signIn();
    await server.tick();
    expect((await later.call("GET", `/api/plans/${plan.id}`)).status).toBe(404);
    expect(await server.actions()).toContain("plan.forgotten");
    // Bytes are collected before anything is forgotten: those of this plan by the next sweep.
    await server.tick();
    await removed.promise;
    expect(await kept.collect(() => false, 0)).toEqual([]);
  });
});

test("a plan whose bytes were not restored with its record says so, and how to mend it", async () => {
  const { server, owner } = await startPlanned();
  const { host } = await managedPretend(server, owner);
  const plan = await madePlan(owner, { ...restart, nodes: [host.nodeId] });
  await server.blobs.collect(() => false, 0);
  for (const part of ["document", "sections"]) {
    const answer = await owner.call<Refused>("GET", `/api/plans/${plan.id}/${part}`);
    expect(answer.body.code).toBe("plan.bytes_missing");
  }
  expect((await owner.call<Plan>("GET", `/api/plans/${plan.id}`)).body.digest).toBe(plan.digest);
});

describe("the stop of all plans", () => {
  test("needs no proof and keeps its first reason; only an owner ends it, with a proof", async () => {
    const { server, owner } = await startPlanned();
    const operator = await newVisitor(server, owner, "operator");
    const viewer = await newVisitor(server, owner, "viewer");
    server.clock.advance(10 * 60 * 1_000);
    const stop = (by: typeof owner, reason: string) =>
      by.call<{ stopped: { reason: string; by: string } | null }>("PUT", "/api/plans/stop", { body: { reason } });
    expect((await stop(viewer, "no")).status).toBe(403);
    expect((await stop(operator, "the switch burns")).body.stopped).toMatchObject({ reason: "the switch burns" });
    expect((await stop(operator, "again")).body.stopped?.reason).toBe("the switch burns");
    const clear = () => owner.call<Refused>("PATCH", "/api/settings", { body: { plans: { stopped: null } } });
    expect((await clear()).body.code).toBe("auth.step_up_required");
    await owner.call("POST", "/api/auth/step-up", { body: { password: ownerPassword } });
    expect((await clear()).body).toEqual({ plans: { selfApproval: false, stopped: null } });
    const own = await owner.call("PATCH", "/api/settings", { body: { plans: { selfApproval: true } } });
    expect(own.body).toEqual({ plans: { selfApproval: true, stopped: null } });
    expect((await owner.call("GET", "/api/settings")).body).toEqual(own.body);
    expect((await viewer.call("GET", "/api/plans/stop")).body).toEqual({ stopped: null });
    expect((await operator.call("GET", "/api/settings")).status).toBe(403);
    expect(await server.actions()).toEqual(expect.arrayContaining(["settings.plans_stopped", "settings.changed"]));
  });
});

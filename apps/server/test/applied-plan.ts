import { readOrder } from "@gatehouse/approval";
import { type FrameOf, readPiece } from "@gatehouse/channel";
import type { HostEnd } from "@gatehouse/contract";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { expect } from "vitest";
import { approve, takesServerWord } from "./approved-plan.ts";
import { newVisitor } from "./auth-server.ts";
import { madePlan, type ManagedPretend, managedPretend, type Parts, startPlanned } from "./planned-fleet.ts";
import type { PretendAgent } from "./pretend-agent.ts";
import type { Visitor } from "./visitor.ts";

/** Every task that comes to a host from now on. */
export function tasksTo(agent: PretendAgent): { readonly came: FrameOf<"task">[]; first(): Promise<FrameOf<"task">> } {
  const came: FrameOf<"task">[] = [];
  const first = Promise.withResolvers<FrameOf<"task">>();
  agent.onFrame((sent) => {
    if (sent.t !== "task") return;
    came.push(sent);
    first.resolve(sent);
  });
  return { came, first: () => first.promise };
}

/** Starts a plan as it is now. */
export async function applyPlan(by: Visitor, plan: Pick<Plan, "id">, body?: object): Promise<void> {
  const tag = (await by.call("GET", `/api/plans/${plan.id}`)).headers.get("etag") ?? "";
  const answer = await by.call("POST", `/api/plans/${plan.id}/apply`, { body, headers: { "If-Match": tag } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** The id of the order that a task was sent under, as its host reads it. */
export async function orderOf(agent: PretendAgent, { parts: { approvals } }: FrameOf<"task">): Promise<Uint8Array> {
  const piece = Promise.withResolvers<Uint8Array>();
  agent.socket.once("message", (data: Buffer) => piece.resolve(data));
  agent.send({ t: "pull", request: 1, sha256: approvals.sha256, offset: 0, length: approvals.size });
  const order = readSigned(readPiece(await piece.promise)?.bytes, [signatureLength], readOrder);
  return Buffer.from(order?.value.orderId ?? "", "hex");
}

export const tasksOf = async (by: Visitor, plan: Pick<Plan, "id">) =>
  (await by.call<{ items: PlanTask[] }>("GET", `/api/plans/${plan.id}/tasks`)).body.items;

interface ChangingHost extends ManagedPretend {
  readonly name: string;
  readonly says: Record<string, object | null>;
  /** Words about ends that it has sent. */
  said: number;
}

/** Hosts that trust the server, whose parts a test changes as a change would, and an operator who makes plans for them. */
export async function startChanging(parts: readonly Record<string, object | null>[]) {
  const { server, owner } = await startPlanned();
  const author = await newVisitor(server, owner, "operator");
  const hosts: ChangingHost[] = [];
  for (const [index, says] of parts.entries()) {
    const name = `web-${index}`;
    Object.assign(says, takesServerWord);
    const managed = await managedPretend(server, owner, { name, says: says as Parts });
    hosts.push({ ...managed, name, says, said: 0 });
  }
  const nodes = hosts.map(({ host }) => host.nodeId);
  const shown = async ({ id }: Pick<Plan, "id">) => (await owner.call<Plan>("GET", `/api/plans/${id}`)).body;
  /** Approves and applies a plan; each of these hosts makes its task and ends it so, `applied` unless it is said. */
  const change = async (plan: Plan, ends: readonly (HostEnd | undefined)[] = []): Promise<void> => {
    expect((await approve(owner, plan, { server: true })).status).toBe(200);
    const waiting = hosts.map(({ agent }) => tasksTo(agent));
    await applyPlan(owner, plan);
    for (const [at, one] of hosts.entries()) {
      if (ends.length > 0 && ends[at] === undefined) continue;
      const task = await (waiting[at] as (typeof waiting)[number]).first();
      const approvalId = await orderOf(one.agent, task);
      one.agent.send({ t: "task-taken", task: task.task });
      one.said += 1;
      one.agent.send(one.host.outcome({ ...task, approvalId }, { outcome: ends[at] ?? "applied", seq: one.said }));
    }
    if (ends.includes(undefined)) return;
    await expect.poll(() => shown(plan), { interval: 5 }).toMatchObject({ state: "done" });
  };
  /** A plan for all of these hosts that was made, approved and applied. */
  const changed = async (operations: readonly object[], ends: readonly HostEnd[] = []) => {
    const plan = await madePlan(author, { title: "Change", summary: "Changes.", operations, nodes });
    await change(plan, ends);
    return plan;
  };
  return { server, owner, author, hosts, nodes, shown, change, changed };
}

export type UndoRefusal = {
  readonly code?: string;
  readonly detail?: string;
  readonly nodes?: readonly { readonly name: string; readonly why: readonly string[] }[];
  readonly more?: number;
};

export function askToUndo(
  by: Visitor,
  { id }: Pick<Plan, "id">,
  body: object = {},
  headers: Record<string, string> = {},
) {
  return by.call<Plan & UndoRefusal>("POST", `/api/plans/${id}/undo`, { body, headers });
}

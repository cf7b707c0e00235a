import { readOrder } from "@gatehouse/approval";
import { type FrameOf, readPiece } from "@gatehouse/channel";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { expect } from "vitest";
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

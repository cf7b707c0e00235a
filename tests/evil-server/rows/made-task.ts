import { createHash } from "node:crypto";
import { type Approval, type ServerOrder, writeContainer } from "@gatehouse/approval";
import { type Operation, subjectsOf } from "@gatehouse/plan";
import { signedBy } from "../../../packages/approval/src/verify/approval-cases.ts";
import type { MadeKey } from "../../../packages/approval/src/verify/ssh-key-cases.ts";
import {
  approvalOf,
  type MadePlan,
  type MadeTask,
  makeOrder,
  makePlan,
  makeTask,
  type PlanParts,
} from "../../support/signed-task.ts";
import { serverKey } from "../stolen-server.ts";
import { approvers } from "./approvers.ts";
import type { RowHost } from "./row-host.ts";

export const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

const hour = 3_600_000;
/** The sections of two other hosts. */
const [sectionBefore, sectionBehind] = ["0b", "0e"].map((byte) => byte.repeat(32)) as [string, string];

export function fileAt(path: string, text = "worker_processes 4;\n"): Operation {
  return { kind: "file.write", path, text, mode: "0644", owner: "root", group: "root" };
}

export const usualOperations = [fileAt("/etc/nginx/nginx.conf")];
/** What is found on a host that has made the usual change. */
export const usualChange = /^\/etc\/nginx\/nginx\.conf was /;

/** A plan for this host and two others, made from what the host is like now. */
export async function planFor(
  host: RowHost,
  operations: readonly Operation[] = usualOperations,
  more: Partial<PlanParts> = {},
): Promise<MadePlan> {
  const told = subjectsOf(operations).map((subject) => [subject, host.stateOf(subject)] as const);
  const states = Object.fromEntries(told.flatMap(([subject, state]) => (state === null ? [] : [[subject, state]])));
  const others = { before: [sectionBefore], behind: [sectionBehind] };
  return makePlan({ nodeId: host.nodeId, operations, states, ...others, ...more });
}

/** What the approvers of this plan sign alike, from now on for an hour. */
export function approvalFor(
  host: RowHost,
  plan: MadePlan,
  more: Partial<Omit<Approval, "keyId">> = {},
): Omit<Approval, "keyId"> {
  const now = Date.now();
  const times = { issuedAt: now, notBefore: now, notAfter: now + hour };
  return approvalOf(plan, [host.trustDigest], { approvalId: host.newId(), ...times, ...more });
}

export function approvedBy(keys: readonly MadeKey[], approval: Omit<Approval, "keyId">): Uint8Array {
  return writeContainer(keys.map((key) => signedBy(key, approval)));
}

/** What the stolen server signs for a host that trusts it. */
export function orderFor(
  host: RowHost,
  plan: MadePlan,
  more: Partial<ServerOrder> = {},
  key: typeof serverKey = serverKey,
): Uint8Array {
  const now = Date.now();
  const usual = { orderId: host.newId(), notBefore: now, notAfter: now + hour };
  return makeOrder(plan, host.nodeId, key, { ...usual, ...more });
}

export function newTask(host: RowHost): string {
  return `task_${host.newId().slice(0, 26)}`;
}

/** The change in bytes. Without a word about it, Ada has approved. */
export function taskOf(host: RowHost, plan: MadePlan, more: Partial<MadeTask> = {}): MadeTask {
  const approvals = more.approvals ?? approvedBy([approvers.ada], approvalFor(host, plan));
  return { ...makeTask(plan, approvals, newTask(host)), ...more };
}

/** A change with nothing wrong, but what Ada signs. */
export async function signedTask(host: RowHost, more: Partial<Omit<Approval, "keyId">>): Promise<MadeTask> {
  const plan = await planFor(host);
  return taskOf(host, plan, { approvals: approvedBy([approvers.ada], approvalFor(host, plan, more)) });
}

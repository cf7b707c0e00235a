import { byteForm, type Json, type JsonObject } from "@gatehouse/base";
import { readContainer, type SignedStatement, writeContainer } from "@gatehouse/approval";
import { firstTrust, parseTrust } from "@gatehouse/approval/verify";
import type { Operation } from "@gatehouse/plan";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  type ApprovalParts,
  madeHeader,
  makeApprovals,
  makeOrder,
  makePlan,
  makeSection,
  makeTask,
  type MadeTask,
  type MadeKey,
} from "../../../tests/support/signed-task.ts";
import { type UsedList, writeUsed } from "../src/tasks/used-file.ts";
import { makeTaskHost, type TaskHost } from "./task-host.ts";

/** A change that is right in everything, before somebody makes something of it wrong. */
export interface TaskDraft {
  readonly host: TaskHost;
  readonly accepts: "signed" | "server";
  allow: string[];
  operations: Operation[];
  states: Record<string, JsonObject>;
  nodeId: string;
  /** Of the section, beside its own fields. */
  extra: Record<string, Json>;
  keys: MadeKey[];
  trust: Parameters<typeof firstTrust>[1];
  approval: ApprovalParts;
  order: NonNullable<Parameters<typeof makeOrder>[3]>;
  used: UsedList;
  /** What the host's journal says against it; the first is told. */
  readonly taken: Error[];
  /** What is done to the statements, to the task, and at last to the host. */
  readonly items: ((items: readonly SignedStatement[]) => readonly SignedStatement[])[];
  readonly task: ((task: MadeTask) => MadeTask)[];
  readonly atLast: (() => void)[];
}

export const goodWrite = writeTo("/etc/app/app.conf");

export function writeTo(path: string): Extract<Operation, { kind: "file.write" }> {
  return { kind: "file.write", path, text: "port = 80\n", mode: "0644", owner: "root", group: "root" };
}

export async function draftTask(accepts: TaskDraft["accepts"] = "signed"): Promise<TaskDraft> {
  const host = await makeTaskHost({ accepts });
  host.write("/etc/app/.keep", "");
  return {
    host,
    accepts,
    allow: ["file.write:/etc/app", "firewall.apply:gatehouse_edge"],
    operations: [goodWrite],
    states: {},
    nodeId: host.nodeId,
    extra: {},
    keys: [host.approvers[0]],
    trust: {},
    approval: {},
    order: {},
    used: { entries: [], horizon: 0 },
    taken: [],
    items: [],
    task: [],
    atLast: [],
  };
}

/** The change as it is, wrong or not; the host is then as the draft says. */
export function finishTask(draft: TaskDraft): MadeTask {
  const { host, operations, states, nodeId, extra } = draft;
  host.setCeiling({ schema: 1, level: "managed", allow: draft.allow, accepts: draft.accepts });
  const trustBytes = firstTrust(
    host.approvers.map(({ blob }, index) => ({ name: ["ada", "bob"][index] as string, keys: [{ blob }] })),
    draft.trust,
  );
  host.setTrust(trustBytes);
  mkdirSync(dirname(host.paths.used), { recursive: true });
  writeFileSync(host.paths.used, writeUsed(draft.used), { mode: 0o600 });
  const section = { ...makeSection({ nodeId, operations, states }), ...extra };
  const plan = makePlan({ nodeId, operations, section });
  const approvals =
    draft.accepts === "server"
      ? makeOrder(plan, host.nodeId, host.serverKey, draft.order)
      : changed(makeApprovals(plan, draft.keys, [parseTrust(trustBytes).digest], draft.approval), draft.items);
  const task = draft.task.reduce((each, change) => change(each), makeTask(plan, approvals));
  for (const act of draft.atLast) act();
  return task;
}

/** Another header in its byte form. */
export const otherHeader = byteForm({ ...madeHeader, title: "Change another host" });

function changed(container: Uint8Array, changes: TaskDraft["items"]): Uint8Array {
  const items = readContainer(container) as readonly SignedStatement[];
  return writeContainer(changes.reduce((each, change) => change(each), items));
}

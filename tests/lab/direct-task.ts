import { type Approval, writeContainer } from "@gatehouse/approval";
import { type JsonObject, newId } from "@gatehouse/base";
import { channelLimits, encodeBase64url } from "@gatehouse/channel";
import { type FirewallApply, type Operation, subjectsOf } from "@gatehouse/plan";
import { announceTask, type MadeTask, makePlan, makeTask } from "../support/signed-task.ts";
import { tableOn } from "./change-on-host.ts";
import { askHelperInTurn, type HelperQuestion } from "./helper-peer.ts";
import type { ManagedHost } from "./managed-host.ts";
import type { ApprovedHost } from "./managed-lab.ts";

/**
 * Changes that no server of ours would send: signed by the host's own approver, and brought to the helper by hand. This one is a plan
 * for the host as it is now, with an approval that is as valid as any.
 */
export async function makeDirectTask(
  on: ApprovedHost,
  operation: FirewallApply,
  more: Partial<Approval> = {},
): Promise<MadeTask> {
  const state = await tableOn(on.host, operation.table);
  const [subject = ""] = subjectsOf([operation]);
  return makeDirectTaskFrom(on, operation, state === null ? {} : { [subject]: state }, more);
}

/** The same of any operation, for a host that is like this. */
export function makeDirectTaskFrom(
  { node, approver }: ApprovedHost,
  operation: Operation,
  states: Readonly<Record<string, JsonObject>>,
  more: Partial<Approval> = {},
): MadeTask {
  const plan = makePlan({ nodeId: node.id, operations: [operation], states });
  const { statement, ssh } = approver.approve({
    planDigest: plan.planDigest,
    sections: plan.count,
    chosen: [plan.index],
    trust: [node.facts?.trustDigest ?? ""],
    more,
  });
  const approvals = writeContainer([{ statement: Uint8Array.fromBase64(statement), ssh: Uint8Array.fromBase64(ssh) }]);
  return makeTask(plan, approvals, newTaskId());
}

/** The same bytes and the same approval, as another task. */
export function underAnotherId(made: MadeTask): MadeTask {
  return { ...made, task: newTaskId() };
}

/**
 * Announces it, brings all its parts, of large ones piece by piece those that are wanted, and announces it again: what the helper says to
 * the last.
 */
export async function bringDirectly(
  host: ManagedHost,
  made: MadeTask,
  isWanted: (offset: number) => boolean = () => true,
): Promise<JsonObject> {
  const { fields, blobs } = announceTask(made);
  const submit: HelperQuestion = { verb: "task.submit", fields };
  const puts = [...blobs].flatMap(([sha256, bytes]) =>
    offsetsIn(bytes)
      .filter(isWanted)
      .map((offset): HelperQuestion => {
        const piece = bytes.subarray(offset, offset + channelLimits.pullBytes);
        return { verb: "blob.put", fields: { sha256, offset, bytes: encodeBase64url(piece) } };
      }),
  );
  const answers = await askHelperInTurn(host, [submit, ...puts, submit]);
  return answers.at(-1) as JsonObject;
}

function offsetsIn(bytes: Uint8Array): number[] {
  const count = Math.ceil(bytes.byteLength / channelLimits.pullBytes);
  return Array.from({ length: count }, (_, at) => at * channelLimits.pullBytes);
}

function newTaskId(): string {
  return newId("task", Date.now());
}

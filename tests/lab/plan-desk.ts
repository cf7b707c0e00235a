import { decodeBase64url, readOutcome, type SignedOutcome } from "@gatehouse/channel";
import type { Approval } from "@gatehouse/approval";
import type { Node, Plan, PlanSectionView, PlanTask } from "@gatehouse/contract/routes";
import { isSignedBy, loadPublicKey, nodeIdOf } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import type { Answer } from "../acceptance/ask.ts";
import type { SshApprover } from "../support/ssh-approver.ts";
import { until } from "../support/until.ts";
import type { LabOwner } from "./lab-owner.ts";

/** Somebody who makes plans at the lab's server, brings approvals and begins them: the owner. */
export class PlanDesk {
  readonly #owner: LabOwner;

  constructor(owner: LabOwner) {
    this.#owner = owner;
  }

  send(method: string, path: string, body?: unknown, etag?: string): Promise<Answer> {
    return this.#owner.send(method, path, body, etag);
  }

  /** One who makes a plan may also approve it. */
  async allowOwnPlans(): Promise<void> {
    const { status, text } = await this.send("PATCH", "/api/settings", { plans: { selfApproval: true } });
    if (status !== 200) throw new Error(`the setting was answered ${status}: ${text}`);
  }

  async read<Value>(path: string): Promise<Value> {
    const { json, status, text } = await this.send("GET", path);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return json as Value;
  }

  makePlan(operations: readonly object[], ...on: readonly Node[]): Promise<Plan> {
    return this.#plan({ title: "Lab", summary: "On real hosts.", operations }, on);
  }

  /** Drawn up by a plugin. */
  drawPlan(plugin: string, input: object, ...on: readonly Node[]): Promise<Plan> {
    return this.#plan({ plugin, input }, on);
  }

  async #plan(about: object, on: readonly Node[]): Promise<Plan> {
    const wanted = { ...about, nodes: on.map(({ id }) => id), review: true };
    const { json, status, text } = await this.send("POST", "/api/plans", wanted);
    if (status !== 201) throw new Error(`the plan was answered ${status}: ${text}`);
    return json as Plan;
  }

  /** Asks for the plan that takes another one back. */
  undo(plan: Plan): Promise<Answer> {
    return this.send("POST", `/api/plans/${plan.id}/undo`, {});
  }

  async sections(plan: Plan): Promise<readonly PlanSectionView[]> {
    return (await this.read<{ items: PlanSectionView[] }>(`/api/plans/${plan.id}/sections`)).items;
  }

  /** Brings something to a plan as it stands now. */
  async bring(plan: Plan, what: "approvals" | "apply", body?: object): Promise<Answer> {
    const { headers } = await this.send("GET", `/api/plans/${plan.id}`);
    return this.send("POST", `/api/plans/${plan.id}/${what}`, body, headers["etag"]);
  }

  /** The statement for one host of a plan, by the approver's key. */
  async statementFor(plan: Plan, node: Node, approver: SshApprover, more: Partial<Approval> = {}): Promise<object> {
    const sections = await this.sections(plan);
    const index = sections.findIndex((section) => section.node === node.id);
    const trust = [node.facts?.trustDigest ?? ""];
    return approver.approve({ planDigest: plan.digest, sections: sections.length, chosen: [index], trust, more });
  }

  /** From the operations to a plan that runs. Whatever stands in its way is said. */
  async begin(
    operations: readonly object[],
    node: Node,
    approver: SshApprover,
    more: Partial<Approval> = {},
  ): Promise<Plan> {
    const plan = await this.makePlan(operations, node);
    const approved = await this.bring(plan, "approvals", await this.statementFor(plan, node, approver, more));
    const begun = await this.bring(plan, "apply");
    if (begun.status !== 200) throw new Error(`the plan does not run: ${approved.text}\n${begun.text}`);
    return plan;
  }

  /** Approves a plan for all these hosts in one statement, and begins it: in waves where they are told. */
  async beginAll(plan: Plan, nodes: readonly Node[], approver: SshApprover, run?: object): Promise<void> {
    const sections = await this.sections(plan);
    const chosen = sections.map((_, at) => at);
    const trust = [...new Set(nodes.map(({ facts }) => facts?.trustDigest ?? ""))];
    const statement = approver.approve({ planDigest: plan.digest, sections: sections.length, chosen, trust });
    const approved = await this.bring(plan, "approvals", statement);
    const begun = await this.bring(plan, "apply", run);
    if (begun.status !== 200) throw new Error(`the plan does not run: ${approved.text}\n${begun.text}`);
  }

  async tasks(plan: Plan): Promise<readonly PlanTask[]> {
    return (await this.read<{ items: PlanTask[] }>(`/api/plans/${plan.id}/tasks`)).items;
  }

  /** The tasks of a plan once all of them have ended. */
  async ended(plan: Plan): Promise<readonly PlanTask[]> {
    await until("the plan is done", async () => (await this.read<Plan>(`/api/plans/${plan.id}`)).state === "done");
    return this.tasks(plan);
  }

  /** How the plan ended on each host, once all have said so. */
  async outcomesOf(plan: Plan): Promise<Record<string, string>> {
    const tasks = await this.ended(plan);
    return Object.fromEntries(tasks.map(({ name, state, code }) => [name, `${state} ${code}`]));
  }
}

/** What a host has signed about the end of a change, in base64url, checked by nothing but the id of the node. */
export function provenOutcome(signed: string, nodeId: string): SignedOutcome {
  const read = readSigned(decodeBase64url(signed) ?? new Uint8Array(), [64], readOutcome);
  if (read === undefined) throw new Error("the outcome is no signed message");
  const { value, framed, signatures } = read;
  const isWhose = value.nodeId === nodeId && nodeIdOf(value.hostKey) === nodeId;
  if (!isWhose) throw new Error(`the outcome is one of ${value.nodeId}, and not of ${nodeId}`);
  if (!isSignedBy(loadPublicKey(value.hostKey, "the host key"), framed, signatures[0]))
    throw new Error("the outcome was not signed by the key of the host");
  return value;
}

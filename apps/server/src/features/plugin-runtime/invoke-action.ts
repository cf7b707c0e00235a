import { createHash } from "node:crypto";
import { type Clock, type Json } from "@gatehouse/base";
import { type ActionName, fault } from "@gatehouse/contract";
import type { ActionReport } from "@gatehouse/contract/routes";
import { finishPlan, inputDigest, planDigest, type PlanDraft } from "@gatehouse/plan";
import type { Store } from "@gatehouse/store";
import type { Invoked, Runtime } from "./open-runtime.ts";

export interface InvokeDeps {
  readonly runtime: Pick<Runtime, "invoke" | "stateOf">;
  /** Armed a moment before its entry is durable, a plugin is not active yet. */
  readonly activationOf: (id: string) => Promise<"unknown" | "inactive" | "active">;
  readonly store: Pick<Store, "commit">;
  readonly clock: Pick<Clock, "now">;
}

export interface InvokeRequest {
  readonly id: string;
  readonly action: ActionName;
  /** What a plan is drawn up from; absent for the other actions. */
  readonly input: Json | undefined;
}

export interface Asker {
  readonly name: string;
  readonly requestId: string;
  readonly address: string;
}

/**
 * Asks an active plugin, and answers when the audit record of the action is durable: what was asked, how it ended, and
 * every broker call counted and named (contract 3.1). Nothing is stored or applied by it; a plan is a draft (contract 1).
 */
export async function invokeAction(deps: InvokeDeps, asker: Asker, request: InvokeRequest): Promise<ActionReport> {
  const { id, action } = request;
  const params = paramsOf(request);
  const activation = await deps.activationOf(id);
  if (activation === "unknown") throw fault("plugin.unknown", `there is no plugin ${id}`);
  if (activation === "inactive") throw fault("plugin.not_active", `${id} is not active`);
  const { sandbox } = deps.runtime.stateOf(id);
  const invoked = await deps.runtime.invoke(id, action, params);
  const { run, judged, bundle } = invoked;
  const plan = judged.ok && judged.draft !== undefined ? nameOfPlan(invoked, judged.draft, request.input) : null;
  await deps.store.commit({
    at: deps.clock.now(),
    actor: asker.name,
    action: "plugin.asked",
    subject: `plugin/${id}`,
    outcome: judged.ok ? "done" : "failed",
    requestId: asker.requestId,
    address: asker.address,
    detail: {
      action,
      version: bundle.manifest.version,
      artifactSha256: bundle.artifactSha256,
      ms: run.ms,
      calls: run.calls,
      ...(plan !== null && { planDigest: plan.digest, inputSha256: plan.inputSha256 }),
      ...(!judged.ok && { reason: judged.reason }),
    },
  });
  if (!judged.ok) throw fault("plugin.action_failed", judged.reason, { fields: { action } });
  return {
    id,
    action,
    version: bundle.manifest.version,
    artifactSha256: bundle.artifactSha256,
    sandbox: sandbox ?? "none",
    ms: run.ms,
    calls: [...run.calls],
    result: judged.result,
    plan,
  };
}

function paramsOf({ action, input }: InvokeRequest): Json {
  if (action !== "plan" && input !== undefined) {
    throw fault("request.malformed", `input: is for the action plan; ${action} takes none`);
  }
  if (action !== "plan") return {};
  if (input === undefined) throw fault("request.malformed", "input: must be there for the action plan");
  return { input };
}

/** The digest that whoever draws the plan up again from the same bytes and the same input must find. */
function nameOfPlan({ bundle }: Invoked, draft: PlanDraft, input: Json | undefined): NonNullable<ActionReport["plan"]> {
  const inputSha256 = inputDigest(sha256, input ?? null);
  const { id, version } = bundle.manifest;
  const source = { from: "plugin", plugin: id, version, artifactSha256: bundle.artifactSha256, inputSha256 } as const;
  return { digest: planDigest(sha256, finishPlan(draft, source)), inputSha256 };
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

import type { InTurn } from "@gatehouse/base";
import { fault, isFault, type LifecycleState } from "@gatehouse/contract";
import type { StoredRecord } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import type { Bundles } from "../plugin-bundles/index.ts";
import type { Runtime } from "../plugin-runtime/index.ts";
import { ignoredContributions } from "./contributions.ts";
import { findBytesFlaw } from "./find-bytes-flaw.ts";
import { higherVersion, isDowngrade } from "./judge-change.ts";
import { lifecycleLimits } from "./limits.ts";
import { findPlugin, type PluginRecord } from "./records.ts";
import { judgeMove } from "./transitions.ts";
import { type Actor, bytesOf, writeMove, type WriteMoveDeps } from "./write-move.ts";

export interface TransitionDeps extends WriteMoveDeps {
  readonly bundles: Pick<Bundles, "findLoaded" | "judge">;
  readonly runtime: Pick<Runtime, "arm" | "disarm">;
  readonly isFirstParty: (publisher: string) => boolean;
  readonly inTurn: InTurn;
  readonly log: Log;
}

export interface TransitionRequest {
  readonly id: string;
  readonly status: LifecycleState;
  /** The digest that is meant; it must be the one that is there. */
  readonly artifactSha256?: string | undefined;
}

type Stored = StoredRecord<PluginRecord>;

/**
 * Moves a plugin along a row of contract 3, or refuses and changes nothing. The entry is durable before anybody sees the
 * new state. A failed activation is the one refusal that is kept: it leaves the plugin `disabled`, with the reason.
 */
export function requestTransition(deps: TransitionDeps, actor: Actor, request: TransitionRequest): Promise<Stored> {
  return deps.inTurn([request.id], async () => {
    const before = await findPlugin(deps.store, request.id);
    if (before === undefined) throw fault("plugin.unknown", `there is no plugin ${request.id}`);
    const { id, status, payloadSha256, artifactSha256 } = before.value;
    judgeMove(id, status, request.status, deps.bundles.findLoaded(id)?.payloadSha256 === payloadSha256);
    if (request.artifactSha256 !== undefined && request.artifactSha256 !== artifactSha256) {
      throw stale(`the request is for ${request.artifactSha256}, the digest of ${id} is ${artifactSha256}`);
    }
    // Turns can be long: whoever asked may have lost the right to while waiting.
    await actor.requireRights(deps.store);
    return acts[request.status](deps, actor, before, request);
  });
}

type Act = (deps: TransitionDeps, actor: Actor, before: Stored, asked: TransitionRequest) => Promise<Stored>;

const acts: Readonly<Record<LifecycleState, Act>> = {
  // The table of moves has let nothing through that leads there.
  verified: () => Promise.reject(new Error("no move leads to verified")),
  installed: install,
  active: activate,
  disabled: disable,
};

/** The operator accepts these bytes for this server; so they must be the bytes that are there (contract 3.1). */
async function install(deps: TransitionDeps, actor: Actor, before: Stored, asked: TransitionRequest): Promise<Stored> {
  const { value } = before;
  const { id, version, artifactSha256, payloadSha256, capabilities } = value;
  const judged = await deps.bundles.judge(id);
  if (judged.kind === "absent") throw gone(id);
  const flaw = findBytesFlaw(value, judged);
  if (flaw !== undefined) throw stale(flaw);
  const isBelow = isDowngrade(version, value.highestAccepted);
  if (isBelow && asked.artifactSha256 === undefined) {
    throw fault("plugin.downgrade_refused", `${version} is below ${value.highestAccepted}, which was accepted before`, {
      fields: { version, highestAccepted: value.highestAccepted, artifactSha256 },
    });
  }
  const now = deps.clock.now();
  return writeMove(deps, actor, before, {
    action: "plugin.installed",
    record: {
      ...value,
      status: "installed",
      installedAt: now,
      updatedAt: now,
      lastAccepted: { version, artifactSha256, payloadSha256, capabilities },
      highestAccepted: higherVersion(version, value.highestAccepted),
    },
    detail: {
      ...bytesOf(value),
      from: value.status,
      to: "installed",
      ...(isBelow && { downgrade: true, reason: `a downgrade from ${value.highestAccepted}, accepted by its digest` }),
    },
  });
}

async function activate(deps: TransitionDeps, actor: Actor, before: Stored): Promise<Stored> {
  const { value } = before;
  const judged = await deps.bundles.judge(value.id);
  if (judged.kind === "absent") throw gone(value.id);
  const flaw = findBytesFlaw(value, judged);
  if (flaw !== undefined || judged.kind !== "accepted") return failActivation(deps, actor, before, flaw ?? "");
  try {
    await deps.runtime.arm(judged.bundle, "activation");
  } catch (error) {
    return failActivation(deps, actor, before, reasonOf(error));
  }
  try {
    const now = deps.clock.now();
    const moved = await writeMove(deps, actor, before, {
      action: "plugin.activated",
      record: { ...value, status: "active", activatedAt: now, updatedAt: now, failure: null },
      detail: { ...bytesOf(value), from: value.status, to: "active" },
    });
    warnOfIgnored(deps, value);
    return moved;
  } catch (error) {
    // Without its entry it is not active, so it keeps nothing of being active. An entry of unknown outcome counts as none: if
    // it was written, the next start brings the two in line.
    await detach(deps, value.id, "activation");
    throw error;
  }
}

/** Contract 7: the plugin stays disabled and the reason is audited. */
async function failActivation(deps: TransitionDeps, actor: Actor, before: Stored, reason: string): Promise<never> {
  await writeMove(deps, actor, before, {
    action: "plugin.activation_failed",
    outcome: "failed",
    record: disabled(before.value, deps.clock.now(), reason),
    detail: { ...bytesOf(before.value), from: before.value.status, to: "disabled", reason },
  });
  throw fault("plugin.activation_failed", reason, { fields: { from: before.value.status, status: "disabled" } });
}

/** Access ends first, whatever else fails: a full disk or a stuck process must not keep a plugin attached (contract 3). */
async function disable(deps: TransitionDeps, actor: Actor, before: Stored): Promise<Stored> {
  const failure = await detach(deps, before.value.id, "disabling");
  return writeMove(deps, actor, before, {
    action: "plugin.disabled",
    outcome: failure === undefined ? "done" : "failed",
    record: disabled(before.value, deps.clock.now(), null),
    detail: {
      ...bytesOf(before.value),
      from: before.value.status,
      to: "disabled",
      ...(failure !== undefined && { reason: `access is detached, but the runtime did not stop cleanly: ${failure}` }),
    },
  });
}

/** The reason why it did not go cleanly; access has ended in any case. */
async function detach(
  deps: Pick<TransitionDeps, "runtime" | "log">,
  id: string,
  occasion: "activation" | "disabling",
): Promise<string | undefined> {
  try {
    await deps.runtime.disarm(id, occasion);
    return undefined;
  } catch (error) {
    const reason = reasonOf(error);
    deps.log.warn("a plugin's runtime did not stop cleanly", { plugin: id, reason });
    return reason;
  }
}

/** The failure stays with the record until somebody moves it again: it is still true after a restart. */
export function disabled(record: PluginRecord, now: number, failure: string | null): PluginRecord {
  const disabledAt = record.status === "disabled" ? record.disabledAt : now;
  return { ...record, status: "disabled", disabledAt, updatedAt: now, failure };
}

/** Whoever wonders why a page is missing, or a map has no lines, finds this line (contract 7). */
export function warnOfIgnored(
  { log, isFirstParty }: Pick<TransitionDeps, "log" | "isFirstParty">,
  record: PluginRecord,
): void {
  for (const { component, reason } of ignoredContributions(record, isFirstParty(record.publisher))) {
    log.warn("a contribution is ignored", { plugin: record.id, component, reason });
  }
}

export function reasonOf(error: unknown): string {
  const reason = isFault(error) ? error.detail : "an unexpected failure; the server's log has the cause";
  return reason.slice(0, lifecycleLimits.reasonChars);
}

function stale(detail: string): Error {
  return fault("plugin.digest_stale", detail);
}

function gone(id: string): Error {
  return fault("plugin.not_available", `the bundle of ${id} is no longer in the plugin directory`);
}

import { type Clock, type Json, runAll } from "@gatehouse/base";
import type { Manifest, VerifiedBundle } from "@gatehouse/bundle/verify";
import { type ActionName, fault, isFault } from "@gatehouse/contract";
import type { Log } from "../../platform/log/index.ts";
import { type JudgedResult, judgeResult } from "./judge-result.ts";
import { busy, Ledger, runtimeLimits } from "./ledger.ts";
import { oneVisibleLine } from "./one-visible-line.ts";
import type { ActionRun, Armed, Runner } from "./runner.ts";

export interface RuntimeDeps {
  readonly runner: Runner;
  readonly log: Log;
  readonly clock: Clock;
}

export interface RuntimeState {
  readonly state: "absent" | "armed" | "failed";
  readonly sandbox: string | null;
  readonly message: string | null;
  /** What it did since it was armed. */
  readonly ledger: Ledger | null;
}

export interface Invoked {
  readonly run: ActionRun;
  readonly judged: JudgedResult;
  readonly bundle: Omit<VerifiedBundle, "manifest"> & { readonly manifest: Manifest };
}

export interface Runtime {
  /** Throws `plugin.activation_failed` with the reason, for the operator and the audit log. */
  arm(bundle: VerifiedBundle): Promise<void>;
  /** Access has ended when this settles, also when it throws because something would not stop. Nothing armed is no fault. */
  disarm(id: string): Promise<void>;
  /** Runs one action; refuses for a breaker that is open or too much work. What the plugin does wrong is in the answer. */
  invoke(id: string, action: ActionName, params: Json): Promise<Invoked>;
  stateOf(id: string): RuntimeState;
  armedIds(): readonly string[];
  /** Detaches everything; arms nothing from now on. */
  close(): Promise<void>;
}

interface Held {
  readonly armed: Armed;
  readonly bundle: VerifiedBundle;
  readonly ledger: Ledger;
}

/** Knows what is armed. What it does not know of has no broker and cannot run. */
export function openRuntime({ runner, log, clock }: RuntimeDeps): Runtime {
  const held = new Map<string, Held>();
  const failures = new Map<string, string>();
  let running = 0;
  let isClosed = false;

  /** Planned refusals are for people; anything else is a defect, and its cause is for the log. */
  const refusal = (id: string, what: string, error: unknown): Error => {
    const isPlanned = isFault(error);
    if (!isPlanned) log.error(`${what} failed`, { plugin: id }, error);
    const reason = isPlanned ? error.detail : `${what} failed; the server's log has the cause`;
    failures.set(id, reason);
    return fault("plugin.activation_failed", reason, { cause: error });
  };

  const disarm = async (id: string): Promise<void> => {
    const one = held.get(id);
    // Forgotten first: nobody is shown or handed a plugin that is being detached.
    held.delete(id);
    failures.delete(id);
    if (one === undefined) return;
    try {
      await one.armed.disarm();
    } catch (error) {
      throw refusal(id, "stopping the runtime", error);
    }
  };

  return {
    arm: async (bundle) => {
      const { id } = bundle.manifest;
      if (held.has(id)) throw new Error(`${id} is armed already`);
      failures.delete(id);
      let armed: Armed;
      try {
        if (isClosed) throw fault("server.stopping", "the server is stopping");
        armed = await runner.arm(bundle);
      } catch (error) {
        throw refusal(id, "arming the plugin", error);
      }
      held.set(id, { armed, bundle, ledger: new Ledger(clock) });
      if (!isClosed) return;
      await disarm(id);
      throw refusal(id, "arming the plugin", fault("server.stopping", "the server is stopping"));
    },
    disarm,
    invoke: async (id, action, params) => {
      const one = held.get(id);
      if (one === undefined) throw fault("plugin.not_active", `${id} is not armed`);
      if (running >= runtimeLimits.altogether) throw busy(`${runtimeLimits.altogether} actions run already`);
      const pass = one.ledger.enter(id);
      running += 1;
      let succeeded = false;
      try {
        const run = await one.armed.run(action, params);
        const judged = judge(action, run, one.bundle.manifest);
        succeeded = judged.ok;
        const stderr = run.outcome.ok ? "" : run.outcome.stderr;
        one.ledger.record(action, run, judged.ok ? undefined : { reason: judged.reason, stderr });
        return { run, judged, bundle: one.bundle };
      } finally {
        running -= 1;
        pass.finish(succeeded);
      }
    },
    stateOf: (id) => {
      const message = failures.get(id) ?? null;
      const one = held.get(id);
      if (one !== undefined) return { state: "armed", sandbox: one.armed.sandbox, message, ledger: one.ledger };
      return { state: message === null ? "absent" : "failed", sandbox: null, message, ledger: null };
    },
    armedIds: () => [...held.keys()].sort(),
    close: () => {
      isClosed = true;
      return runAll([...held.keys()].map((id) => () => disarm(id)));
    },
  };
}

function judge(action: ActionName, { outcome }: ActionRun, { capabilities }: Manifest): JudgedResult {
  const judged = outcome.ok ? judgeResult(action, outcome.result, capabilities) : outcome;
  if (judged.ok) return judged;
  // It may quote the plugin: an error's message, the name of a field.
  return { ok: false, reason: oneVisibleLine(judged.reason, runtimeLimits.reasonChars) };
}

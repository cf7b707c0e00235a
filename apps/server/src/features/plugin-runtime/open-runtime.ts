import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { runAll } from "@gatehouse/base";
import { fault, isFault, type Plugin } from "@gatehouse/contract";
import type { Log } from "../../platform/log/index.ts";
import type { Armed, Runner } from "./runner.ts";

export interface RuntimeDeps {
  readonly runner: Runner;
  readonly log: Log;
}

export type RuntimeState = Omit<Plugin["runtime"], "runner">;

export interface Runtime {
  /** Throws `plugin.activation_failed` with the reason, for the operator and the audit log. */
  arm(bundle: VerifiedBundle): Promise<void>;
  /** Access has ended when this settles, also when it throws because something would not stop. Nothing armed is no fault. */
  disarm(id: string): Promise<void>;
  stateOf(id: string): RuntimeState;
  armedIds(): readonly string[];
  /** Detaches everything; arms nothing from now on. */
  close(): Promise<void>;
}

/** Knows what is armed. What it does not know of has no broker and cannot run. */
export function openRuntime({ runner, log }: RuntimeDeps): Runtime {
  const armed = new Map<string, Armed>();
  const failures = new Map<string, string>();
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
    const one = armed.get(id);
    // Forgotten first: nobody is shown or handed a plugin that is being detached.
    armed.delete(id);
    failures.delete(id);
    if (one === undefined) return;
    try {
      await one.disarm();
    } catch (error) {
      throw refusal(id, "stopping the runtime", error);
    }
  };

  return {
    arm: async ({ manifest, ...bundle }) => {
      const { id } = manifest;
      if (armed.has(id)) throw new Error(`${id} is armed already`);
      failures.delete(id);
      let one: Armed;
      try {
        if (isClosed) throw fault("server.stopping", "the server is stopping");
        one = await runner.arm({ manifest, ...bundle });
      } catch (error) {
        throw refusal(id, "arming the plugin", error);
      }
      armed.set(id, one);
      if (!isClosed) return;
      await disarm(id);
      throw refusal(id, "arming the plugin", fault("server.stopping", "the server is stopping"));
    },
    disarm,
    stateOf: (id) => {
      const message = failures.get(id) ?? null;
      const one = armed.get(id);
      if (one !== undefined) return { state: "armed", sandbox: one.sandbox, message };
      return { state: message === null ? "absent" : "failed", sandbox: null, message };
    },
    armedIds: () => [...armed.keys()].sort(),
    close: () => {
      isClosed = true;
      return runAll([...armed.keys()].map((id) => () => disarm(id)));
    },
  };
}

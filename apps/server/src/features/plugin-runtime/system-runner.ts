import { type Clock, type Json, runAll } from "@gatehouse/base";
import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { type ActionName, fault } from "@gatehouse/contract";
import { actionLimits } from "@gatehouse/contract/broker";
import type { ActionEnd, Launcher, RunningAction, StagedArtifact } from "@gatehouse/sandbox";
import type { Broker, BrokerHandle } from "../plugin-broker/index.ts";
import { type ActionProcess, type ProcessEnd, runSession } from "./action-session.ts";
import type { ActionRun, Armed, Runner } from "./runner.ts";

export interface SystemRunnerDeps {
  readonly launcher: Pick<Launcher, "level" | "stage">;
  readonly broker: Pick<Broker, "attach">;
  /** Where a bundle's artifact lies. */
  readonly artifactPath: (id: string) => string;
  readonly clock: Pick<Clock, "monotonic">;
  /** SERVICE_PLUGIN_DEADLINE_FACTOR. */
  readonly deadlineFactor: number;
}

/** Runs artifacts as sandboxed processes of this machine (contract 3.1, `system`). */
export function systemRunner(deps: SystemRunnerDeps): Runner {
  return {
    arm: async (bundle) => {
      const { id, runner } = bundle.manifest;
      if (runner !== "system") throw fault("plugin.activation_failed", `the runner ${runner} is not enabled`);
      // The launcher hashes the bytes it copies, and later runs only that copy, from the descriptor it hashed.
      const staged = await deps.launcher.stage({ path: deps.artifactPath(id), sha256: bundle.artifactSha256 });
      return armed(deps, bundle, staged);
    },
  };
}

function armed(deps: SystemRunnerDeps, { manifest, payloadSha256 }: VerifiedBundle, staged: StagedArtifact): Armed {
  const { id, publisher, capabilities, egress } = manifest;
  const broker = deps.broker.attach({ id, publisher, capabilities, egressHosts: egress?.hosts ?? [], payloadSha256 });
  const running = new Set<RunningAction>();
  return {
    sandbox: deps.launcher.level,
    run: async (action, params) => {
      const began = deps.clock.monotonic();
      const process = staged.start(action, {
        deadlineMs: actionLimits.deadlineMs[action] * deps.deadlineFactor,
        outputBytes: actionLimits.outputBytes[action],
        stderrBytes: actionLimits.stderrBytes,
        memoryBytes: actionLimits.memoryBytes,
      });
      running.add(process);
      try {
        return await converse(deps, { process, broker, began }, action, params);
      } finally {
        running.delete(process);
      }
    },
    disarm: () =>
      runAll([
        () => broker.detach(),
        () => {
          for (const process of running) process.kill("the plugin was disabled");
        },
        () => staged.remove(),
      ]),
  };
}

async function converse(
  { clock }: SystemRunnerDeps,
  { process, broker, began }: { process: RunningAction; broker: BrokerHandle; began: number },
  action: ActionName,
  params: Json,
): Promise<ActionRun> {
  const calls = broker.beginAction(action);
  const outcome = await runSession({ process: adapt(process), broker: calls }, action, params);
  return { outcome, calls: calls.calls(), ms: Math.round(clock.monotonic() - began) };
}

function adapt(process: RunningAction): ActionProcess {
  return {
    send: (line) => process.send(line),
    onLine: (listener) => process.lines(listener),
    ended: process.onEnd.then(describeEnd),
    kill: () => process.kill("it broke the protocol"),
  };
}

function describeEnd({ outcome, code, reason, stderr }: ActionEnd): ProcessEnd {
  return { how: reason, isClean: outcome === "exited" && code === 0, stderr };
}

import type { RunOnHost } from "./run-on-host.ts";
import { runOrFail } from "./run-or-fail.ts";

export interface UnitState {
  readonly unit: string;
  /** `loaded`, `not-found`, `masked` and so on. */
  readonly load: string;
  /** `active`, `inactive`, `failed` and so on. */
  readonly active: string;
  readonly sub: string;
  readonly enabled: string;
  /** Microseconds have no use here: as systemd prints it, empty when the unit is not active. */
  readonly since: string;
  readonly restarts: number;
}

/** What systemd says about units; undefined when it does not answer, as in most containers. */
export async function findUnitStates(run: RunOnHost, units: readonly string[]): Promise<UnitState[] | undefined> {
  const states: UnitState[] = [];
  for (const unit of units) {
    const properties = "LoadState,ActiveState,SubState,UnitFileState,ActiveEnterTimestamp,NRestarts";
    const { code, stdout } = await run("systemctl", ["show", unit, `--property=${properties}`]);
    if (code !== 0) return undefined;
    const values = new Map(stdout.split("\n").map((line) => splitOnce(line)));
    const value = (name: string) => values.get(name) ?? "";
    states.push({
      unit,
      load: value("LoadState"),
      active: value("ActiveState"),
      sub: value("SubState"),
      enabled: value("UnitFileState"),
      since: value("ActiveEnterTimestamp"),
      restarts: Number(value("NRestarts")) || 0,
    });
  }
  return states;
}

/** Reads unit files again, and ends a helper that was started under the earlier ones: its socket starts it anew. */
export async function reloadHelper(run: RunOnHost): Promise<void> {
  await runOrFail(run, "systemctl", ["daemon-reload"]);
  const [helper] = (await findUnitStates(run, ["gatehouse-helper.service"])) ?? [];
  if (helper?.load === "loaded" && helper.active !== "inactive") {
    await runOrFail(run, "systemctl", ["stop", "gatehouse-helper.service"]);
  }
}

function splitOnce(line: string): readonly [string, string] {
  const at = line.indexOf("=");
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
}

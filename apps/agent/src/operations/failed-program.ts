import { fault } from "@gatehouse/contract/faults";
import type { HostRun } from "../host/run-on-host.ts";

/** Why a program of the host did not say what it was asked for. */
export function failedProgram(program: string, { code, stdout, stderr, cut }: HostRun): Error {
  if (cut === "time") return fault("read.limit", `${program} took too long`);
  if (cut === "size") return fault("read.limit", `${program} said too much`);
  if (code === null) return fault("state.unreadable", `${program} cannot be started on this host`);
  const said = (stderr.trim() || stdout.trim() || "nothing").split("\n").slice(0, 2).join("; ").slice(0, 200);
  return fault("state.unreadable", `${program} ended with ${code} and said: ${said}`);
}

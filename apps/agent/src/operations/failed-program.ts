import { fault } from "@gatehouse/contract/faults";
import type { HostRun } from "../host/run-on-host.ts";

/** Why a program of the host did not say what it was asked for. */
export function failedProgram(program: string, ran: HostRun): Error {
  return fault(ran.cut === undefined ? "state.unreadable" : "read.limit", sayFailedProgram(program, ran));
}

/** The same in words alone, for those who have a fault of their own. */
export function sayFailedProgram(program: string, { code, stdout, stderr, cut }: HostRun): string {
  if (cut === "time") return `${program} took too long`;
  if (cut === "size") return `${program} said too much`;
  if (code === null) return `${program} cannot be started on this host`;
  const said = (stderr.trim() || stdout.trim() || "nothing").split("\n").slice(0, 2).join("; ").slice(0, 200);
  return `${program} ended with ${code} and said: ${said}`;
}

import { fault } from "@gatehouse/contract/faults";
import type { RunOnHost } from "./run-on-host.ts";

/** The program's output; a failure is a fault that says what was run and what it said. */
export async function runOrFail(run: RunOnHost, program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(program, args);
  if (code === 0) return stdout;
  const said = (stderr.trim() || stdout.trim() || "nothing").split("\n").slice(0, 3).join("; ").slice(0, 300);
  throw fault(
    "agent.command_failed",
    `${[program, ...args].join(" ")} ended with ${code ?? "no exit code"} and said: ${said}`,
  );
}

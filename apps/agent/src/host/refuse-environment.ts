import { fault } from "@gatehouse/contract/faults";

/**
 * Variables that make another program of the agent: they load code into it, open a debugger or switch off the check of
 * certificates. The units unset them. BUN_BE_BUN turns the file into Bun itself before a line of ours runs; only the units can help there.
 */
export const refusedVariables = [
  "BUN_BE_BUN",
  "BUN_INSPECT",
  "BUN_INSPECT_CONNECT_TO",
  "BUN_INSPECT_PRELOAD",
  "BUN_OPTIONS",
  "LD_AUDIT",
  "LD_LIBRARY_PATH",
  "LD_PRELOAD",
  "NODE_OPTIONS",
  "NODE_TLS_REJECT_UNAUTHORIZED",
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** The refused variables that are set here, even to nothing. */
export function findRefusedVariables(environment: Environment): string[] {
  return refusedVariables.filter((name) => environment[name] !== undefined);
}

export function refuseEnvironment(environment: Environment): void {
  const found = findRefusedVariables(environment);
  if (found.length > 0) throw fault("agent.environment_refused", `${found.join(", ")} must not be set`);
}

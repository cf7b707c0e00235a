import { count, shortTime } from "@gatehouse/command-line";
import type { Plugin } from "@gatehouse/contract/routes";
import { fieldLine } from "./field-lines.ts";
import type { HostSandbox } from "./list-plugins.ts";

/** Of the newest error; a program in trouble says what matters last. */
const stderrLines = 8;

/** Where the plugin's runtime stands and what it did since it was armed (contract 3.1). */
export function runtimeLines({ runtime, capabilities }: Pick<Plugin, "runtime" | "capabilities">): string[] {
  const { state, runner, sandbox, message, breaker, failuresInARow, actions, capabilityUse, lastErrors } = runtime;
  const armed = [state, ...(sandbox === null ? [] : [`sandbox ${sandbox}`]), ...(message === null ? [] : [message])];
  const first = fieldLine("runtime", `${runner}: ${armed.join(", ")}`);
  if (breaker === null) return [first];
  const [newest, ...older] = lastErrors;
  return [
    first,
    fieldLine("asked", `${count(actions, "time")} since it was activated`),
    fieldLine("breaker", `${breaker}, ${count(failuresInARow, "failure")} in a row`),
    ...useLines(capabilityUse, capabilities),
    ...(newest === undefined ? [] : [errorLine(newest), ...lastLines(newest.stderr)]),
    ...older.map(errorLine),
  ];
}

/** What this machine offers, beside what is asked of it. */
export function hostSandboxLine({ level, least, message }: HostSandbox): string {
  const found = level === null ? "none that will do, so no plugin can run" : level;
  return `  sandbox of the server: ${found}; the weakest that is accepted is ${least} (${message})`;
}

/** Broker calls are counted. A capability of a host lets a plan hold operations, and is used by no call. */
function useLines(used: Plugin["runtime"]["capabilityUse"], declared: Plugin["capabilities"]): string[] {
  const width = Math.max(0, ...used.map(({ name }) => name.length));
  return used.map(({ name, calls }, index) => {
    const isForPlans = declared.some((one) => one.name === name && one.risk === "host");
    const words = isForPlans ? "for plans; no call uses it" : calls === 0 ? "not used" : count(calls, "call");
    return fieldLine(index === 0 ? "used" : "", `${name.padEnd(width)}  ${words}`);
  });
}

function errorLine({ at, action, reason }: Plugin["runtime"]["lastErrors"][number]): string {
  return fieldLine("failed", `${shortTime(at)} ${action}: ${reason}`);
}

function lastLines(stderr: string): string[] {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-stderrLines).map((line) => fieldLine("", `| ${line}`));
}

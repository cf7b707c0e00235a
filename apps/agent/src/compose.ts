import { fault } from "@gatehouse/contract/faults";
import type { AgentVerbs } from "./commands/verbs.ts";

/** The only file that builds things. Every verb loads its own part, so that none pays for another at its start. */
export function composeVerbs(): AgentVerbs {
  const missing = async (what: string) => {
    throw fault("agent.part_missing", `this version has no ${what}`);
  };
  return {
    run: () => missing("network part"),
    helper: () => missing("root part"),
    enrol: () => missing("enrolment"),
    status: () => missing("status"),
    doctor: () => missing("doctor"),
    showCeiling: () => missing("ceiling"),
    setCeiling: () => missing("ceiling"),
    uninstall: () => missing("uninstall"),
  };
}

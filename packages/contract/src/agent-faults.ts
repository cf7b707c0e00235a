import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that only the agent of a host gives, on that host: nothing of it is ever sent. */
export const agentFaults = {
  // The agent of a host
  "agent.environment_refused": {
    kind: "startup",
    title: "A variable of the environment would change what the agent is",
    todo: "Unset the variable that the detail names; the units of the agent do so themselves.",
  },
  "agent.part_missing": {
    kind: "startup",
    title: "This version of the agent cannot do that yet",
    todo: "Use a later version of the agent. Nothing was changed.",
  },
  "agent.command_failed": {
    kind: "startup",
    title: "A program of this host failed",
    todo: "Correct what the detail says and run the same command again; it goes on where it stopped.",
  },
  "agent.file_unusable": {
    kind: "startup",
    title: "A file of the agent cannot be used",
    todo: "Correct what the detail names. A file that root did not write may be somebody's attempt: look before you replace it.",
  },
  "agent.not_installed_here": {
    kind: "startup",
    title: "This is not the agent that would be installed",
    todo: "Run the compiled gatehouse-agent of a release; sources are not installed on hosts.",
  },
  // The outbox: what waits on a host for its server
  "outbox.full": {
    kind: "startup",
    title: "The outbox of this host is full",
    todo: "Look why the server acknowledges nothing. What could not be taken is counted, and the server is told.",
  },
  "outbox.unwritable": {
    kind: "startup",
    title: "The outbox of this host cannot be written",
    todo: "Look at the disk under the agent's state directory. The connection goes on; what could not be taken is counted, and the server is told.",
  },
  "outbox.damaged": {
    kind: "startup",
    title: "The outbox of this host is not as it was written",
    todo: "It was set aside beside the new one, and the server is told of a gap. Look at the disk.",
  },
  // The ceiling: what a host lets be changed
  "ceiling.unsafe": {
    kind: "startup",
    title: "Somebody else than root could have written the ceiling",
    todo: "Read the file, then write it again with `gatehouse-agent ceiling set`. Until then nothing can be changed on this host.",
  },
  "ceiling.protected": {
    kind: "startup",
    title: "No ceiling can allow that",
    todo: "Leave the entry out: what keeps Gatehouse honest, and what the kernel shows as files, is changed by nobody from afar.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

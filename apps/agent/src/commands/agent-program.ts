import type { Program } from "@gatehouse/command-line";

/**
 * What another program can tell from the way the agent ended. `RestartPreventExitStatus` of the agent's unit names `notEnrolled`, that
 * of the unit that takes a change back `nothing`: trying again would not help.
 */
export const exitCodes = { refused: 1, usage: 2, unreachable: 3, needsRoot: 4, notEnrolled: 5, nothing: 65 } as const;

/** The agent of a host, as its help and its failures speak of it. */
export const agentProgram = {
  name: "gatehouse-agent",
  about: "gatehouse-agent connects this host to a Gatehouse server, and holds it to what this host allows.",
  closing: [
    "With --json a command prints one JSON document.",
    "Only root of this host raises what may be changed on it: gatehouse-agent ceiling set --help",
    "Exit codes: 0 all is well, 1 refused or failed, 2 the command was written wrongly,",
    "3 the server cannot be reached, 4 only root may do that, 5 this host is not enrolled.",
  ],
  defects: "without-place",
  exitCodes: {
    "enrol.unreachable": exitCodes.unreachable,
    "host.not_root": exitCodes.needsRoot,
    "host.not_enrolled": exitCodes.notEnrolled,
    "deadman.nothing": exitCodes.nothing,
    "identity.cloned": exitCodes.notEnrolled,
  },
} as const satisfies Program;

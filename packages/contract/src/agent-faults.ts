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
  // The witness: the signed heads of the server's log that a host keeps
  "witness.regressed": {
    kind: "startup",
    title: "The server's log is shorter than what this host saw of it",
    todo: "Find out whether somebody restored a backup. Only then run `gatehouse-agent witness accept` as root; otherwise keep the files of the server, and hold them against `gatehouse-agent witness show --json`.",
  },
  "witness.fork": {
    kind: "startup",
    title: "The server's log is not the one that this host saw",
    todo: "Find out who could write to the server's files. Both heads are kept as proof; `gatehouse-agent witness accept` as root takes the new one.",
  },
  "witness.gap": {
    kind: "startup",
    title: "Nobody can prove that the server's log goes on from what this host saw",
    todo: "After more than 31 days away this is to be expected: compare with another host, then run `gatehouse-agent witness accept` as root.",
  },
  "witness.signature": {
    kind: "startup",
    title: "A head of the log was not signed by the server of this host",
    todo: "Find out what stands between this host and its server. Nothing of it was kept.",
  },
  "witness.damaged": {
    kind: "startup",
    title: "What this host kept of the server's log cannot be read",
    todo: "Look at the disk of the host. `gatehouse-agent witness accept` as root sets the file aside and begins anew with the next head.",
  },
  "witness.unconfirmed": {
    kind: "startup",
    title: "Nobody has confirmed that the log is to be believed",
    todo: "Run it at a terminal and type what it asks for, or give --yes. Nothing was changed.",
  },
  "witness.nothing_refused": {
    kind: "conflict",
    title: "This host has refused no head of the log that it could take",
    todo: "See `gatehouse-agent witness show`; nothing was changed.",
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

import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that is what a host answers to a change, in the order in which it judges one. */
export const taskFaults = {
  "time.clock_unset": {
    kind: "failed",
    title: "The host's clock is not set",
    todo: "Set the clock of the host. Until then it takes no change.",
  },
  "time.clock_behind": {
    kind: "failed",
    title: "The host's clock was set back",
    todo: "Set the clock of the host. If the later time was the wrong one, root of the host runs `gatehouse-agent clock reset`.",
  },
  "journal.unsound": {
    kind: "failed",
    title: "What the host remembers of changes is damaged",
    todo: "Look at the disk of the host. It takes no change before root of the host has looked at the file that the detail names.",
  },
  "journal.write": {
    kind: "failed",
    title: "The host could not write down what it does",
    todo: "Look at the disk of the host: it may be full or failing. What was begun is taken back.",
  },
  "journal.move": {
    kind: "conflict",
    title: "A step of a change came out of its order",
    todo: "Report it: the host has refused to go on, and what was begun is taken back.",
  },
  "journal.locked": {
    kind: "limited",
    title: "Another program of the agent is writing down what it does",
    todo: "Wait until a change that is being taken back has ended, and try again.",
  },
  "plan.form": {
    kind: "malformed",
    title: "A plan is not in its one byte form",
    todo: "Make the plan again; something on the way has changed its bytes.",
  },
  "plan.schema": {
    kind: "malformed",
    title: "A plan holds something that no plan can hold",
    todo: "Make the plan again, with a server and agents of matching versions.",
  },
  "plan.together": {
    kind: "failed",
    title: "The plan asks its hosts to change together, which this version cannot",
    todo: "Make one plan for each host, or the same plan without that.",
  },
  "plan.digest": {
    kind: "forbidden",
    title: "The bytes are not those of the plan that was named",
    todo: "Send the plan again. If nobody changed it by mistake, somebody did it on purpose.",
  },
  "plan.index": {
    kind: "forbidden",
    title: "The section does not stand where it is said to stand",
    todo: "Send the plan again. If nobody changed it by mistake, somebody did it on purpose.",
  },
  "plan.other_node": {
    kind: "forbidden",
    title: "The section is for another host",
    todo: "Send each host its own section.",
  },
  "trust.none": {
    kind: "forbidden",
    title: "The host has no trust file",
    todo: "Root of the host names the approvers with `gatehouse-agent ceiling set managed … --approver`.",
  },
  "trust.unsound": {
    kind: "failed",
    title: "The trust file of the host cannot be believed",
    todo: "Root of the host looks at /etc/gatehouse/trust.json and writes it anew with `gatehouse-agent trust reset`.",
  },
  "order.signature": {
    kind: "forbidden",
    title: "The order is not signed by the host's server",
    todo: "Look at whose server the host is enrolled with.",
  },
  "order.node": {
    kind: "forbidden",
    title: "The order is for another host or another section",
    todo: "Send each host its own order.",
  },
  "ceiling.kind": {
    kind: "forbidden",
    title: "The host's ceiling does not allow that kind of operation",
    todo: "Root of the host can allow it with `gatehouse-agent ceiling set`.",
  },
  "ceiling.table": {
    kind: "forbidden",
    title: "The host's ceiling does not name that firewall table",
    todo: "Root of the host can allow it with `gatehouse-agent ceiling set`.",
  },
  "ceiling.path": {
    kind: "forbidden",
    title: "The host's ceiling does not name that path",
    todo: "Root of the host can allow it with `gatehouse-agent ceiling set`.",
  },
  "ceiling.unit": {
    kind: "forbidden",
    title: "The host's ceiling does not name that unit",
    todo: "Root of the host can allow it with `gatehouse-agent ceiling set`.",
  },
  "ceiling.interface": {
    kind: "forbidden",
    title: "The host's ceiling does not name that network interface",
    todo: "Root of the host can allow it with `gatehouse-agent ceiling set`.",
  },
  "ceiling.publisher": {
    kind: "forbidden",
    title: "The host's ceiling takes programs of that path from another publisher",
    todo: "Root of the host can allow it with `gatehouse-agent ceiling set`.",
  },
  "ceiling.keep": {
    kind: "forbidden",
    title: "The change would close what the host keeps open",
    todo: "Leave open what the detail names, or let root of the host decide otherwise with `gatehouse-agent ceiling set … --keep`.",
  },
  "ceiling.alone": {
    kind: "forbidden",
    title: "That operation has to stand alone in its section",
    todo: "Make a plan of its own for it.",
  },
  "artifact.missing": {
    kind: "failed",
    title: "A part of the change has not arrived at the host",
    todo: "Send the change again; the approval is not spent.",
  },
  "artifact.signature": {
    kind: "forbidden",
    title: "An artifact is not signed by whoever has to sign it",
    todo: "Take the artifact with its signature from its publisher: a program by the publisher that the plan names, a release of the agent by its release key.",
  },
  "artifact.publisher": {
    kind: "forbidden",
    title: "The host's trust file does not name that publisher",
    todo: "Root of the host names the publishers that it takes programs from in its trust file.",
  },
  "artifact.architecture": {
    kind: "forbidden",
    title: "An artifact is for another processor than the host's",
    todo: "Make a plan with the artifact for the host's own architecture.",
  },
  "artifact.downgrade": {
    kind: "conflict",
    title: "The release is not later than the agent that runs",
    todo: "Update to a later release. An agent never goes back to an earlier one by a plan.",
  },
  "release.key_absent": {
    kind: "failed",
    title: "The agent was compiled without a key that releases are signed with",
    todo: "Install an agent that was compiled with a release key; this one takes no update.",
  },
  "release.test_key": {
    kind: "forbidden",
    title: "The agent was compiled with a release key that everybody has",
    todo: "Install a released agent on the host: only builds for tests may hold that key.",
  },
  "path.parent": {
    kind: "failed",
    title: "Somebody else than root can change the directory of a path",
    todo: "Give the directory, and those above it, to root, writable by root alone.",
  },
  "state.stale": {
    kind: "conflict",
    title: "The host is no longer as it was when the plan was made",
    todo: "Make the plan again, from what the host is like now.",
  },
  "apply.absent": {
    kind: "failed",
    title: "The host has found nothing wrong, and cannot make such a change yet",
    todo: "Wait for the version of the agent that makes it. The approval is not spent.",
  },
  // From here on the approval is spent
  "slot.busy": {
    kind: "conflict",
    title: "Another change of the host is open",
    todo: "Wait until it has ended. `gatehouse-agent status` on the host says which one it is, and `gatehouse-agent rollback` takes it back.",
  },
  "validate.failed": {
    kind: "failed",
    title: "The host found that the change cannot be made",
    todo: "Read the detail, make the plan again and have it approved. Nothing was changed.",
  },
  "wireguard.absent": {
    kind: "failed",
    title: "This host has neither WireGuard in its kernel nor wireguard-go, or it has no wg",
    todo: "Install wireguard-tools on the host, and wireguard-go where the kernel has no module; then make the plan again. Nothing was changed.",
  },
  "snapshot.failed": {
    kind: "failed",
    title: "What is there now could not be kept",
    todo: "Look at the disk of the host. Nothing was changed.",
  },
  "snapshot.unprovable": {
    kind: "failed",
    title: "It could not be shown that the change can be taken back",
    todo: "Read the detail; something else may have changed the host meanwhile. Nothing was changed.",
  },
  "deadman.check": {
    kind: "failed",
    title: "The program that takes a change back does not work on this host",
    todo: "Look at the journal of gatehouse-deadman-check.service on the host, and run `gatehouse-agent doctor` there. Nothing was changed.",
  },
  "deadman.arm": {
    kind: "failed",
    title: "The timer that takes a change back could not be started",
    todo: "Look at the journal of the host for gatehouse-deadman; a unit of that name may be left. Nothing was changed.",
  },
  "deadman.readback": {
    kind: "failed",
    title: "The timer that takes a change back is not as it was asked for",
    todo: "Look at how busy the host is, and try again with a new approval. Nothing was changed.",
  },
  "deadman.nothing": {
    kind: "unknown",
    title: "There is no such change to take back",
    todo: "Look at `gatehouse-agent status`: the change may have ended, or another one is open.",
  },
  "apply.failed": {
    kind: "failed",
    title: "The change could not be made",
    todo: "Read the detail. The host has put back what was there.",
  },
  "check.failed": {
    kind: "failed",
    title: "After the change the host was not as the plan says",
    todo: "Read the detail. The host has put back what was there.",
  },
  "change.interrupted": {
    kind: "failed",
    title: "The host was interrupted in the middle of a change",
    todo: "Look at what ended the helper or the host. The host has put back what was there.",
  },
  "confirm.proof": {
    kind: "forbidden",
    title: "That does not prove that the host reaches its server since the change",
    todo: "Nothing is to be done by hand: without a proof the host puts back what was there.",
  },
  "confirm.late": {
    kind: "failed",
    title: "Nobody had proved in time that the host reaches its server",
    todo: "Look at what the change closes between the host and its server. The host has put back what was there.",
  },
  "rollback.asked": {
    kind: "conflict",
    title: "Root of the host has taken the change back",
    todo: "Ask whoever is root there. The host has put back what was there.",
  },
  "restore.failed": {
    kind: "failed",
    title: "What was there could not be put back",
    todo: "Look at the host at once: it may be half changed. `gatehouse-agent status` names what is wrong, and `gatehouse-agent rollback` tries again.",
  },
  "service.down": {
    kind: "failed",
    title: "A service that ran before the change stays down",
    todo: "Look at the service on the host: the detail has the last that it said. All files and tables are as they were before.",
  },
  // Parts of a change on their way to the helper
  "blob.not_wanted": {
    kind: "forbidden",
    title: "Bytes came that no change of this host names",
    todo: "Submit the change first; then send the parts that it names.",
  },
  "blob.size": {
    kind: "malformed",
    title: "A piece of a part does not follow the one before it",
    todo: "Send the pieces of each part in order, without a gap, up to the size that was named.",
  },
  "blob.digest": {
    kind: "malformed",
    title: "The bytes of a part are not those that were named",
    todo: "Send the change again. If nobody changed it by mistake, somebody did it on purpose.",
  },
  "blob.quota": {
    kind: "limited",
    title: "The parts of a change are too large for the host",
    todo: "Make several plans, each with less in it, or make room on the disk of the host.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

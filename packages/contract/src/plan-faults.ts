import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that is about plans: making them, judging them, and what a host says to a change. */
export const planFaults = {
  // Plans on the server
  "plan.unknown": {
    kind: "unknown",
    title: "There is no such plan",
    todo: "List the plans again; it may have been removed.",
  },
  "plan.no_nodes": {
    kind: "malformed",
    title: "The plan is for no node",
    todo: "Name nodes that are enrolled and not revoked, or a tag that at least one of them has.",
  },
  "plan.node_offline": {
    kind: "conflict",
    title: "A host that the plan is for is not connected",
    todo: "Wait until it is back, or make the plan without it: send `skipOffline`.",
  },
  "plan.node_refused": {
    kind: "conflict",
    title: "A host did not say what it is like now",
    todo: "Read the detail: its ceiling may not allow what the plan is about, or its agent is older than this. Leave the host out, or correct it there.",
  },
  "plan.draft_refused": {
    kind: "failed",
    title: "The plan cannot be made",
    todo: "Read the reason; correct the input, or the plugin.",
  },
  "plan.too_large": {
    kind: "too_large",
    title: "The plan is too large",
    todo: "Make several plans, each for fewer hosts.",
  },
  "plan.kind_unknown": {
    kind: "failed",
    title: "No host can do an operation of the plan",
    todo: "Leave the operation out; docs/plugins/plan-format.md says which kinds hosts can do.",
  },
  "plan.artifact": {
    kind: "failed",
    title: "An artifact is not here as the plan names it",
    todo: "Bring the artifact whole, and name it by the facts that its record has.",
  },
  "plan.move_refused": {
    kind: "conflict",
    title: "The plan is in another state",
    todo: "Read the plan again; the detail says what it is, and what this needs.",
  },
  "plan.not_undoable": {
    kind: "conflict",
    title: "The plan cannot be taken back by a plan",
    todo: "Read why for each host. Take it back on the others with `nodes`, and make a plan of your own for these.",
  },
  "plan.drift_refused": {
    kind: "conflict",
    title: "What was confirmed cannot be planned back",
    todo: "Read why for each part. Plan the others back with `subjects`, and make a plan of your own for these.",
  },
  "plan.lint_refused": {
    kind: "conflict",
    title: "The plan would cut somebody off",
    todo: "Read what the lint found, and make another plan in its place.",
  },
  "plan.bytes_missing": {
    kind: "failed",
    title: "The bytes of the plan are not there",
    todo: "Restore the folder `blobs` of the data directory from the same backup, or make the plan again.",
  },
  "plan.not_own": {
    kind: "forbidden",
    title: "The plan is somebody else's",
    todo: "Its author can withdraw or replace it; whoever may approve plans can reject it.",
  },
  "plan.person_needed": {
    kind: "forbidden",
    title: "An assistant may draft plans and nothing more",
    todo: "Let a person, or a token of the class automation, offer, withdraw or replace the plan.",
  },
  // Approving and applying
  "plan.self_approval": {
    kind: "forbidden",
    title: "Authors do not approve their own plans",
    todo: "Let somebody else approve it. Where one person runs everything, an owner can allow it: `plans.selfApproval` in the settings.",
  },
  "plan.not_approved": {
    kind: "conflict",
    title: "Hosts of the plan wait for an approval",
    todo: "Let the approvers that those hosts know sign the plan: `gatehouse plan approve PLAN --key FILE`.",
  },
  "plan.no_host_takes": {
    kind: "conflict",
    title: "No host of the plan takes changes in that way",
    todo: "Look at what root of each host has decided: `gatehouse-agent ceiling show`, or the node's page.",
  },
  "plan.waves": {
    kind: "conflict",
    title: "The plan cannot run in these waves",
    todo: "Read the detail. Waves are chosen when a plan is started, and stay; a size makes fewer of them.",
  },
  "plan.stopped": {
    kind: "conflict",
    title: "All plans are stopped",
    todo: "Read why; an owner clears the stop in the settings when it is over.",
  },
  // What a host answers
  "read.ceiling": {
    kind: "forbidden",
    title: "The host's ceiling does not let that be read",
    todo: "Root of the host can allow it with `gatehouse-agent ceiling set`.",
  },
  "read.rate": {
    kind: "limited",
    title: "The host was asked too often",
    todo: "Wait a minute and try again.",
  },
  "read.limit": {
    kind: "failed",
    title: "A part of the host is too large to be read, or took too long",
    todo: "Read the detail; plans are not made for parts of that size.",
  },
  "state.unreadable": {
    kind: "failed",
    title: "A part of the host cannot be read",
    todo: "Read the detail, and look at that part on the host.",
  },
  "path.symlink": {
    kind: "failed",
    title: "A path on the host leads over a link",
    todo: "Name the place itself. Gatehouse follows no link that somebody else could have laid.",
  },
  "path.kind": {
    kind: "failed",
    title: "A path on the host is no plain file",
    todo: "Look at it on the host: it is a directory, a device, a pipe, or has a second name.",
  },
  "ceiling.off": {
    kind: "forbidden",
    title: "The host takes no changes",
    todo: "Root of the host decides who may approve changes there. Until then every change is refused.",
  },
  "task.malformed": {
    kind: "malformed",
    title: "A change does not have its form",
    todo: "Use an agent and a server of matching versions.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

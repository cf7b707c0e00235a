import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that is about approvals: trust files, statements, and the signatures under them. */
export const approvalFaults = {
  // Keys and trust files
  "key.type": {
    kind: "malformed",
    title: "A public key is of a type that is not accepted",
    todo: "Use a key of ssh-ed25519 or ecdsa-sha2-nistp256, or a security key of either: `ssh-keygen -t ed25519-sk`.",
  },
  "trust.form": {
    kind: "malformed",
    title: "A trust file does not have its form",
    todo: "Write it with `gatehouse`; the detail names the place.",
  },
  "trust.expired": {
    kind: "forbidden",
    title: "The trust file of the host has expired",
    todo: "Give the host the next trust file, or let root of the host set a new one.",
  },
  "trust.other_keys": {
    kind: "conflict",
    title: "The host has a trust file with other keys",
    todo: "Look at it with `gatehouse-agent trust show`. To replace it, root of the host runs `gatehouse-agent trust reset`.",
  },
  "trust.fingerprint": {
    kind: "forbidden",
    title: "The fingerprint was not confirmed",
    todo: "Compare the fingerprint with the one that the approver reads to you, and type its last 8 characters.",
  },
  // Statements
  "statement.malformed": {
    kind: "malformed",
    title: "An approval does not have its form",
    todo: "Sign again with `gatehouse`; something on the way may have changed the statement.",
  },
  "statement.kind": {
    kind: "forbidden",
    title: "Something else was signed than the approval of a plan",
    todo: "Approve the plan itself. A statement of one kind never stands for another.",
  },
  "statement.differ": {
    kind: "forbidden",
    title: "The approvers did not sign the same statement",
    todo: "Let every approver sign the statement of the first: same plan, same times, same hosts.",
  },
  "statement.plan": {
    kind: "forbidden",
    title: "The approval is for another plan",
    todo: "Approve this plan; a plan that was changed is another plan.",
  },
  "statement.node": {
    kind: "forbidden",
    title: "The approval is not for this host",
    todo: "Approve the plan for this host too, if it was meant.",
  },
  "statement.trust": {
    kind: "forbidden",
    title: "The approval does not name the trust file of this host",
    todo: "Approve again after looking at which trust file the host has; it may have changed since.",
  },
  "statement.limits": {
    kind: "forbidden",
    title: "The approval asks for something out of its limits",
    todo: "Approve again within the limits that the detail names.",
  },
  // Times
  "time.issued_in_future": {
    kind: "forbidden",
    title: "The approval comes from the future",
    todo: "Compare the clocks of the host and of the approver's machine.",
  },
  "time.early": {
    kind: "forbidden",
    title: "The approval does not hold yet",
    todo: "Wait for the time that the detail names.",
  },
  "time.expired": {
    kind: "forbidden",
    title: "The approval no longer holds",
    todo: "Look at the plan again and approve it anew.",
  },
  "time.too_long": {
    kind: "forbidden",
    title: "The approval would hold for too long",
    todo: "Approve for at most 31 days.",
  },
  // Single use
  "use.spent": {
    kind: "forbidden",
    title: "The approval was used on this host",
    todo: "An approval is good for one change. Approve anew to try again.",
  },
  "use.horizon": {
    kind: "forbidden",
    title: "The host no longer knows whether the approval was used",
    todo: "Approve anew, with a later end.",
  },
  "use.revoked": {
    kind: "forbidden",
    title: "The approval was revoked",
    todo: "Ask the approver why. Approve anew if the change is still wanted.",
  },
  // Signatures
  "signature.key_unknown": {
    kind: "forbidden",
    title: "The host does not know the key of a signature",
    todo: "Sign with a key of the host's trust file.",
  },
  "signature.format": {
    kind: "malformed",
    title: "A signature does not have its form",
    todo: "Sign with `ssh-keygen -Y sign`, and pass its output on unchanged.",
  },
  "signature.namespace": {
    kind: "forbidden",
    title: "A signature was made for another purpose",
    todo: "Sign with `-n gatehouse-approve@v1`.",
  },
  "signature.presence": {
    kind: "forbidden",
    title: "The security key was not touched, or did not ask for its PIN",
    todo: "Use a key made with `-O verify-required`, or let the trust file do without the PIN for this key.",
  },
  "signature.invalid": {
    kind: "forbidden",
    title: "A signature does not belong to its statement",
    todo: "Sign again. If nobody changed the statement by mistake, somebody did it on purpose.",
  },
  "signature.threshold": {
    kind: "forbidden",
    title: "Too few persons have approved",
    todo: "Let as many different persons sign as the detail names. Two keys of one person count once.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

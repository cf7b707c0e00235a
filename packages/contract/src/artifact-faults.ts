import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that is about artifacts: bytes that plans put on hosts, as people bring them to the server. */
export const artifactFaults = {
  "artifact.unknown": {
    kind: "unknown",
    title: "There is no such artifact",
    todo: "List the artifacts again; it may have been removed, as one is that has not arrived within a day.",
  },
  "artifact.differs": {
    kind: "conflict",
    title: "The server has something else of that artifact",
    todo: "The detail names what differs. Send the same again, or remove the artifact first.",
  },
  "artifact.parts": {
    kind: "malformed",
    title: "That is no part of the artifact",
    todo: "Cut the bytes into parts of `partSize`, counted from 0; only the last one is shorter.",
  },
  "artifact.digest": {
    kind: "failed",
    title: "The bytes of an artifact are not those that were named",
    todo: "A server has dropped all parts: compare the file with the digest that its publisher names, and send every part again. A host has spent no approval: send the plan again.",
  },
  "artifact.not_whole": {
    kind: "conflict",
    title: "The artifact has not arrived whole",
    todo: "Send the parts that are missing; the artifact names those that are there.",
  },
  "artifact.in_use": {
    kind: "conflict",
    title: "A plan that has not ended names the artifact",
    todo: "Wait until the plan has ended, or withdraw or reject it.",
  },
  "artifact.quota": {
    kind: "conflict",
    title: "There is no room for the artifact",
    todo: "Remove artifacts that no plan needs any more; the detail says how much all of them may be.",
  },
  "artifact.bytes_missing": {
    kind: "failed",
    title: "The bytes of the artifact are not there",
    todo: "Restore the folder `blobs` of the data directory from the same backup, or remove the artifact and bring it again.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import type { AuditDetail, AuditEntry, AuditFacts } from "@gatehouse/contract";

type Bytes = Pick<VerifiedBundle, "manifest" | "artifactSha256" | "payloadSha256">;

/** What the server does to a runtime by itself. */
const bySystem = (id: string, at: number): Pick<AuditFacts, "at" | "actor" | "subject"> => ({
  at,
  actor: "system",
  subject: `plugin/${id}`,
});

export function armedEntry(
  bundle: Bytes,
  at: number,
  more: Pick<AuditDetail<"plugin.armed">, "occasion" | "sandbox">,
): AuditEntry<"plugin.armed"> {
  return {
    ...bySystem(bundle.manifest.id, at),
    action: "plugin.armed",
    outcome: "done",
    detail: { ...bytesOf(bundle), ...more },
  };
}

/** `failure`: access has ended, and something of the runtime would not go. */
export function detachedEntry(
  bundle: Bytes,
  at: number,
  { occasion, failure }: { occasion: AuditDetail<"plugin.detached">["occasion"]; failure: string | undefined },
): AuditEntry<"plugin.detached"> {
  return {
    ...bySystem(bundle.manifest.id, at),
    action: "plugin.detached",
    outcome: failure === undefined ? "done" : "failed",
    detail: { ...bytesOf(bundle), occasion, ...(failure !== undefined && { reason: failure }) },
  };
}

export function breakerEntry(
  { manifest: { id, version }, artifactSha256 }: Bytes,
  at: number,
  { turn, failuresInARow, reason }: { turn: "opened" | "closed"; failuresInARow: number; reason: string },
): AuditEntry<"plugin.breaker_opened" | "plugin.breaker_closed"> {
  const detail = { version, artifactSha256, failuresInARow };
  if (turn === "closed") {
    return { ...bySystem(id, at), action: "plugin.breaker_closed", outcome: "done", detail };
  }
  return { ...bySystem(id, at), action: "plugin.breaker_opened", outcome: "done", detail: { ...detail, reason } };
}

function bytesOf({ manifest: { version, publisher, capabilities }, artifactSha256, payloadSha256 }: Bytes) {
  return { version, publisher, artifactSha256, payloadSha256, capabilities: [...capabilities] };
}

import type { PlanFinding } from "@gatehouse/contract/routes";
import { lintSection, packetWords, sshState, sshSubject, trustState, trustSubject } from "@gatehouse/plan";
import type { CheckedSection } from "./check-section.ts";

/** A finding, and whether this program found it or the server alone says so. */
export interface KnownFinding extends PlanFinding {
  readonly by: "here" | "server";
}

/** Refusals first. */
const weight: Readonly<Record<PlanFinding["severity"], number>> = { refuse: 0, warn: 1, note: 2 };

/**
 * What the lint finds here, with the same code as the server's, of what the host signed. The server knows one thing more, which
 * ports of its own a host carries: what it alone found is shown as its word. What it hides is found here nevertheless.
 */
export function lintHere({ view, section, host }: CheckedSection, management: readonly string[]): KnownFinding[] {
  const told = (wanted: string) => host?.states.find(({ subject }) => subject === wanted)?.state;
  const ssh = sshState.safeParse(told(sshSubject)).data ?? null;
  const accepts = trustState.safeParse(told(trustSubject)).data?.accepts ?? null;
  const own = lintSection(section.operations, { ssh, accepts, management, controlPorts: [] }).map(
    ({ packet, ...found }): KnownFinding => ({
      ...found,
      packet: packet === undefined ? null : packetWords(packet),
      by: "here",
    }),
  );
  const known = new Set(own.map(keyOf));
  const alone = view.findings
    .filter((finding) => !known.has(keyOf(finding)))
    .map((finding): KnownFinding => ({ ...finding, by: "server" }));
  return [...own, ...alone].toSorted((one, other) => weight[one.severity] - weight[other.severity]);
}

function keyOf({ code, operation, packet }: PlanFinding): string {
  return JSON.stringify([code, operation, packet]);
}

import type { PlanFinding } from "@gatehouse/contract/routes";
import { aroundOfTold, lintSection, packetWords, peerKeysOf } from "@gatehouse/plan";
import type { CheckedSection } from "./check-section.ts";
import type { HostKeys } from "./peer-hosts.ts";

/** A finding, and whether this program found it or the server alone says so. */
export interface KnownFinding extends PlanFinding {
  readonly by: "here" | "server";
}

/** What is judged with besides what one host signed. */
export interface PlanAround {
  readonly management: readonly string[];
  /** Keys that hosts of the plan have signed as theirs, checked here: a peer with another one is nobody of the plan. */
  readonly hostKeys: HostKeys;
}

/** Refusals first. */
const weight: Readonly<Record<PlanFinding["severity"], number>> = { refuse: 0, warn: 1, note: 2 };

/**
 * What the lint finds here, with the same code as the server's, of what the host signed. The server knows one thing more, which
 * ports of its own a host carries: what it alone found is shown as its word. What it hides is found here nevertheless.
 */
export function lintHere(
  { view, section, host }: CheckedSection,
  { management, hostKeys }: PlanAround,
): KnownFinding[] {
  const { operations } = section;
  const around = {
    ...aroundOfTold(host?.states ?? []),
    management,
    controlPorts: [],
    hostKeys: peerKeysOf(operations).filter((key) => hostKeys.has(key)),
  };
  const own = lintSection(operations, around).map(
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

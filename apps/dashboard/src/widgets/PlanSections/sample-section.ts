import type { PlanSectionView } from "@gatehouse/contract/routes";

/** A section for tests: restarts one service on one host. */
export function sampleSection(more: Partial<PlanSectionView> = {}): PlanSectionView {
  return {
    index: 0,
    node: "node_a",
    name: "web-1",
    operations: [{ kind: "service.restart", words: ["Restarts nginx.service."], diff: [] }],
    preconditions: [{ subject: "service:nginx.service", state: "a".repeat(64) }],
    findings: [],
    accepts: null,
    states: null,
    statesAt: null,
    ...more,
  };
}

import { diffLines, type KeyedLine, type PlanDiffLine } from "../../diff-lines.ts";
import type { FirewallState } from "../../states.ts";
import { canonicalTable } from "./canonical-rule.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { renderNftTable } from "./nft-table.ts";
import { renderTable } from "./render.ts";

/** The table as nft loads it, beside the one that the host has. Two orders of one set are no difference. */
export function diffFirewall(operation: FirewallApply, before: FirewallState | null | undefined): PlanDiffLine[] {
  const keys = renderTable(canonicalTable(operation));
  const after = renderTable(operation).map((text, index): KeyedLine => ({ text, key: keys[index] ?? text }));
  const old = before === null || before === undefined ? [] : renderNftTable(before);
  return diffLines(
    old.map((text) => ({ text, key: text })),
    after,
  );
}

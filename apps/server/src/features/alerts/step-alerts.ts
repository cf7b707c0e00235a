import type { AlertEnd, AlertRuleSpec } from "@gatehouse/contract";
import type { AlertRecord } from "@gatehouse/contract/records";
import { coversNode } from "./covers-node.ts";
import { judgeWatch, type Look, type WatchRun, type Sight } from "./judge-watch.ts";

/** A rule that is switched on. */
export interface ActiveRule extends AlertRuleSpec {
  readonly id: string;
}

export interface AlertStep {
  readonly rules: readonly ActiveRule[];
  readonly sights: readonly Sight[];
  /** Open alerts of these nodes: by node, then by rule. */
  readonly open: ReadonlyMap<string, ReadonlyMap<string, AlertRecord>>;
  readonly runs: ReadonlyMap<string, WatchRun>;
  readonly look: Look;
}

export interface OpeningAlert {
  readonly rule: ActiveRule;
  readonly node: Pick<Sight, "id" | "name" | "tags">;
  readonly since: number;
  readonly value: number | null;
}

export interface EndingAlert {
  readonly alert: AlertRecord;
  readonly because: AlertEnd;
}

export interface AlertChanges {
  readonly opening: readonly OpeningAlert[];
  readonly ending: readonly EndingAlert[];
  /** What is remembered of these nodes, in the place of what was. */
  readonly runs: ReadonlyMap<string, WatchRun>;
}

/**
 * What becomes of the alerts of some nodes at one look: pure. What it opens and ends is still to be kept; until that is done the next
 * look says it again, because both follow from what is open and from the runs.
 */
export function stepAlerts({ rules, sights, open, runs, look }: AlertStep): AlertChanges {
  const opening: OpeningAlert[] = [];
  const ending: EndingAlert[] = [];
  const remembered = new Map<string, WatchRun>();
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const sight of sights) {
    const ofNode = open.get(sight.id);
    for (const alert of ofNode?.values() ?? []) {
      const rule = byId.get(alert.rule);
      if (sight.state === "revoked") ending.push({ alert, because: "node gone" });
      else if (rule === undefined || !coversNode(rule.appliesTo, sight)) ending.push({ alert, because: "rule gone" });
    }
    if (sight.state === "revoked") continue;
    for (const rule of rules) {
      if (!coversNode(rule.appliesTo, sight)) continue;
      const key = runKey(rule.id, sight.id);
      const { run, crossed, isOver } = judgeWatch(rule.watch, runs.get(key), sight, look);
      const alert = ofNode?.get(rule.id);
      if (run !== undefined && (run.held > 0 || alert !== undefined || rule.watch.kind === "offline")) {
        remembered.set(key, run);
      }
      if (alert !== undefined && isOver) ending.push({ alert, because: "recovered" });
      if (alert === undefined && crossed !== undefined) opening.push({ rule, node: sight, ...crossed });
    }
  }
  return { opening, ending, runs: remembered };
}

function runKey(rule: string, node: string): string {
  return `${rule}/${node}`;
}

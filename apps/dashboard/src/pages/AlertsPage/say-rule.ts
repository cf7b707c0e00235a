import { type AlertWatch, sayAlertWatch, sayMetricValue } from "@gatehouse/contract";
import type { AlertSilence } from "../../api/alerts.ts";
import { sayScope } from "../../widgets/Alerts/say-scope.ts";

/** "Disk over 90 % for 5 min, well again under 85 % for 2 min" */
export function sayRule(watch: AlertWatch): string {
  return `${sayAlertWatch(watch)}, ${sayRecovery(watch)}`;
}

function sayRecovery(watch: AlertWatch): string {
  if (watch.kind === "offline") return "well again when it is back";
  if (watch.kind === "flapping") return "well again when it is half as often";
  const { metric, crosses, recover } = watch;
  const side = crosses === "above" ? "under" : "over";
  return `well again ${side} ${sayMetricValue(metric, recover.threshold)} for ${recover.minutes} min`;
}

/** "Disk on fra1-edge-03", "Every rule on hosts with the tag edge" */
export function saySilence(
  { rule, appliesTo }: Pick<AlertSilence, "rule" | "appliesTo">,
  nodes: ReadonlyMap<string, string>,
  rules: ReadonlyMap<string, string>,
): string {
  const which = rule === null ? "Every rule" : (rules.get(rule) ?? rule);
  return `${which} on ${sayScope(appliesTo, nodes)}`;
}

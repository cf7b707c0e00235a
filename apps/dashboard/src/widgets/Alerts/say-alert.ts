import type { Alert } from "@gatehouse/contract/routes";

export interface SaidAlert {
  /** "Disk 94 %" */
  readonly what: string;
  /** The rest of the rule's condition: "over 90 % for 5 min". Empty where nothing is left of it. */
  readonly rule: string;
}

/** The value, and then the condition without the word that both begin with. */
export function sayAlert({ condition, value, unit }: Pick<Alert, "condition" | "value" | "unit">): SaidAlert {
  const at = condition.search(/ (?:over|under|for|\d{1,3} times) /);
  if (at < 1) return { what: condition, rule: "" };
  const about = condition.slice(0, at).replace(",", "");
  const rule = condition.slice(at + 1);
  return { what: value === null || unit === null ? about : `${about} ${sayAmount(value, unit)}`, rule };
}

/** What a node needs a look for, in a row of its own: "Disk 94 %", "Flapping, 6 times in 20 min". */
export function causeOf(alert: Pick<Alert, "kind" | "condition" | "value" | "unit">): string {
  return alert.kind === "metric" ? sayAlert(alert).what : alert.condition;
}

const rates = [
  { from: 1e9, word: "GB/s" },
  { from: 1e6, word: "MB/s" },
  { from: 1e3, word: "kB/s" },
  { from: 0, word: "B/s" },
] as const;

function sayAmount(value: number, unit: NonNullable<Alert["unit"]>): string {
  if (unit === "percent") return `${rounded(value, 1)} %`;
  if (unit !== "bytes per second") return rounded(value, 2);
  const { from, word } = rates.find((one) => value >= one.from) ?? rates[3];
  return `${rounded(value / Math.max(1, from), 1)} ${word}`;
}

function rounded(value: number, places: number): string {
  return value.toLocaleString("en-GB", { maximumFractionDigits: places });
}

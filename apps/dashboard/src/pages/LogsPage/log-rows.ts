import type { HostLogLine } from "@gatehouse/contract/routes";

/** A row of the list: a line, a note of its host that lines were dropped there, or that this page has missed some. */
export type LogRow =
  | { readonly kind: "line"; readonly key: string; readonly line: HostLogLine }
  | { readonly kind: "skipped"; readonly key: string; readonly from: string; readonly to: string };

export function lineRows(lines: readonly HostLogLine[]): readonly LogRow[] {
  return lines.map((line) => ({ kind: "line", key: line.id, line }));
}

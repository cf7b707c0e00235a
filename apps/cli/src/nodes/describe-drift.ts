import { shortTime } from "@gatehouse/command-line";
import type { DriftedPart, NodeDrift } from "@gatehouse/contract/routes";

/** What of a node is not as it was confirmed, for people. */
export function driftLines(name: string, drift: NodeDrift): string[] {
  const { items, more, watched } = drift;
  if (items.length === 0) return [sayWhole(name, drift)];
  const differ = items.filter(({ state }) => state !== "unread").length + more;
  const unread = items.length + more - differ;
  const blind = unread === 0 ? "" : `, and ${unread} could not be read`;
  return [
    `${name}: ${differ} of ${watched ?? "an unknown number of"} parts differ from what was confirmed${blind}.`,
    ...items.flatMap(partLines),
    ...(more === 0 ? [] : [`  and ${more} more`]),
    ...checkedLines(drift),
  ];
}

function sayWhole(name: string, { checkedAt, watched }: NodeDrift): string {
  if (checkedAt === null)
    return `${name}: nothing is known to differ; it has not told what it found since the server started.`;
  if (watched === 0) return `${name}: no plan was confirmed there yet.`;
  return `${name}: all ${watched ?? 0} parts were as confirmed at ${shortTime(checkedAt)}.`;
}

function checkedLines({ checkedAt }: NodeDrift): string[] {
  return checkedAt === null ? [] : [`  Checked ${shortTime(checkedAt)}.`];
}

const words: Readonly<Record<DriftedPart["state"], string>> = {
  differs: "differs",
  missing: "is missing",
  unread: "could not be read",
};

function partLines({ subject, state, since, expected, found, why, plan }: DriftedPart): string[] {
  return [
    `  ${subject} ${words[state]}, since ${shortTime(since)}`,
    `    expected ${expected ?? "what its plan made"} (plan ${plan.slice(0, 12)})`,
    ...(found === null ? [] : [`    found    ${found}`]),
    ...(why === null ? [] : [`    ${why}`]),
  ];
}

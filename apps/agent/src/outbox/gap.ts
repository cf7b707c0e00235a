import type { HostEvent } from "@gatehouse/channel";
import type { OutKind } from "./outbox-format.ts";

/** What the server will never get, and has not been told of yet. */
export interface Gap {
  readonly dropped: ReadonlyMap<OutKind, number>;
  /** What could not even be taken. */
  readonly refused: ReadonlyMap<OutKind, number>;
  /** The file was gone or damaged: nobody knows how many. */
  readonly unknown: string | undefined;
}

export const noGap: Gap = { dropped: new Map(), refused: new Map(), unknown: undefined };

export function withCount(
  counts: ReadonlyMap<OutKind, number>,
  kinds: readonly OutKind[],
): ReadonlyMap<OutKind, number> {
  const next = new Map(counts);
  for (const kind of kinds) next.set(kind, (next.get(kind) ?? 0) + 1);
  return next;
}

/** The event that tells of a gap; undefined when there is none. */
export function gapEvent({ dropped, refused, unknown }: Gap, at: number): HostEvent | undefined {
  const parts = [
    ...(unknown === undefined ? [] : [unknown]),
    ...(dropped.size === 0 ? [] : [`dropped ${shown(dropped)}`]),
    ...(refused.size === 0 ? [] : [`not taken ${shown(refused)}`]),
  ];
  return parts.length === 0 ? undefined : { what: "outbox.gap", at, detail: parts.join("; ").slice(0, 256) };
}

function shown(counts: ReadonlyMap<OutKind, number>): string {
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
}

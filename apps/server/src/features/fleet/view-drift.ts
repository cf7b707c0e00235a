import type { NodeDriftRecord } from "@gatehouse/contract/records";
import type { Node, NodeDrift } from "@gatehouse/contract/routes";
import type { HeardLook } from "./drift-book.ts";

/** What of a host is not as it was confirmed, as it is shown. */
export function viewDrift(record: NodeDriftRecord | undefined, heard: HeardLook | undefined): NodeDrift {
  const checkedAt = heard?.receivedAt ?? record?.receivedAt;
  return {
    checkedAt: checkedAt === undefined ? null : iso(checkedAt),
    watched: heard?.watched ?? record?.watched ?? null,
    more: record?.more ?? 0,
    items: (record?.items ?? []).map(({ since, confirmedAt, why, ...item }) => ({
      ...item,
      since: iso(since),
      confirmedAt: iso(confirmedAt),
      why: why === "" ? null : why,
    })),
  };
}

/** In one line: null where nothing differs. What could not be read is no difference, and the host's own page names it. */
export function countDrift(record: NodeDriftRecord | undefined): Node["drift"] {
  const differing = (record?.items ?? []).filter(({ state }) => state !== "unread");
  if (record === undefined || differing.length === 0) return null;
  return { parts: differing.length + record.more, since: iso(Math.min(...differing.map(({ since }) => since))) };
}

/** A time that a host says may be none that a date has. */
function iso(ms: number): string {
  return new Date(Math.min(ms, 8_640_000_000_000_000)).toISOString();
}

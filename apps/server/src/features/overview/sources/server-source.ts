import type { AuditCheckState } from "@gatehouse/contract";
import { overviewLimits } from "../limits.ts";
import { cutFindings, type OverviewFindings, type OverviewSource } from "../overview-source.ts";

export interface ServerSourceDeps {
  readonly auditCheck: () => {
    readonly state: AuditCheckState;
    readonly endedAt?: number;
    readonly broken?: { readonly file: string; readonly position: number };
  };
  readonly storeHealth: () => {
    readonly writable: boolean;
    readonly freeBytes?: number;
    readonly totalBytes?: number;
    /** What comes beside the log is not taken any more. */
    readonly low?: boolean;
  };
  /** When telemetry was last seen to drop rows, and since when without a longer pause. */
  readonly dropping: () => { readonly since: number; readonly last: number } | undefined;
}

const subject = (id: string, name: string) => ({ type: "server", id, name }) as const;

/** The server's own troubles: its log, its store, its disk, and what it does not keep of what hosts measure. */
export function serverSource(deps: ServerSourceDeps): OverviewSource {
  return {
    about: "server's own state",
    kinds: ["chain", "store", "disk", "measured"],
    read: ({ now }) => [chain(deps.auditCheck()), ...space(deps.storeHealth()), dropped(deps.dropping(), now)],
  };
}

function chain({ state, broken, endedAt }: ReturnType<ServerSourceDeps["auditCheck"]>): OverviewFindings {
  return cutFindings("chain", state === "failed" ? [broken] : [], (found) => ({
    subject: subject("audit", "the audit log"),
    title: `The audit log is not as it was written${found === undefined ? "" : ` from #${found.position.toLocaleString("en-GB")} on`}`,
    line: `${found?.file ?? "A file of it"} is damaged or was edited. Read it before you approve anything.`,
    since: endedAt,
  }));
}

function space(health: ReturnType<ServerSourceDeps["storeHealth"]>): readonly OverviewFindings[] {
  const free = sayFree(health);
  const store = cutFindings("store", health.writable ? [] : [health], () => ({
    subject: subject("store", "the store"),
    title: "This server takes no changes",
    // The reason itself can name directories; it stands in the log.
    line: `${free}What is kept can be read; nothing is written. The server's log says why.`,
  }));
  const isLow = health.low === true && health.writable;
  const disk = cutFindings("disk", isLow ? [health] : [], () => ({
    subject: subject("disk", "the disk"),
    title: `This server's disk is ${sayFull(health)} full`,
    line: `${free}Measurements and host logs are not kept any more, so that the audit log goes on. Make room soon.`,
  }));
  return [store, disk];
}

function sayFree({ freeBytes }: { readonly freeBytes?: number }): string {
  return freeBytes === undefined ? "" : `${sayBytes(freeBytes)} free. `;
}

function sayFull({ freeBytes, totalBytes }: { readonly freeBytes?: number; readonly totalBytes?: number }): string {
  if (freeBytes === undefined || totalBytes === undefined || totalBytes <= 0) return "nearly";
  return `${Math.floor((1 - freeBytes / totalBytes) * 100)} %`;
}

function sayBytes(bytes: number): string {
  const [mega, giga] = [1_000_000, 1_000_000_000];
  return bytes >= giga ? `${(bytes / giga).toFixed(1)} GB` : `${Math.floor(bytes / mega)} MB`;
}

function dropped(seen: ReturnType<ServerSourceDeps["dropping"]>, now: number): OverviewFindings {
  const isNow = seen !== undefined && now - seen.last <= overviewLimits.dropCountsMs;
  return cutFindings("measured", isNow ? [seen] : [], ({ since }) => ({
    subject: subject("telemetry", "measurements"),
    title: "This server does not keep all that hosts send",
    line: "Measurements, uses or lines of logs are dropped: the disk is low or slow, or more comes than can be written.",
    since,
  }));
}

import type { Clock } from "@gatehouse/base";
import { type AuditCheckState, isFault } from "@gatehouse/contract";
import type { Broken, CheckReport, Head, Store, VerifyReport } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import { damageOf } from "./damage.ts";
import { auditLimits } from "./limits.ts";

export interface AuditCheckDeps {
  readonly store: Pick<Store, "checkAudit" | "commit" | "head" | "searchAudit" | "verifyAudit">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "info" | "error" | "warn">;
  readonly every: (ms: number, act: () => void) => () => void;
}

/** What is known, who measured it, and when. A check that is under way leaves what the last one found. */
export interface AuditCheckReport {
  readonly state: AuditCheckState;
  readonly isRunning: boolean;
  /** When what is told was found. */
  readonly endedAt?: number;
  /** The last time that all of the log was read. */
  readonly last?: CheckReport;
  /** How far every link was recomputed, and when its end was. */
  readonly verified?: { readonly position: number; readonly at: number };
  /** The first thing that is wrong, whoever met it. */
  readonly broken?: Broken;
}

/** The reads of the store, whose findings are taken into the report. */
export type WatchedReads = Pick<Store, "searchAudit" | "verifyAudit">;

export interface AuditCheck {
  report(): AuditCheckReport;
  /** What others read through, so that damage they meet is known at once and not at the next check. */
  readonly reads: WatchedReads;
  close(): Promise<void>;
}

/**
 * Reads the whole audit log after the start and once a day, and what is new every minute, beside other work: a start alone
 * cannot wait for that. What it finds is in the server's log, in the audit log, in the readiness and in the metrics.
 */
export function openAuditCheck(deps: AuditCheckDeps): AuditCheck {
  const { store, clock } = deps;
  let ended: { readonly at: number; readonly report: CheckReport } | undefined;
  let verified: { readonly head: Head; readonly at: number } | undefined;
  /** Damage that somebody met since the whole log was read last. */
  let met: { readonly broken: Broken; readonly at: number } | undefined;
  let underWay: Promise<void> | undefined;
  let telling: Promise<void> = Promise.resolve();

  const isFailed = () => met !== undefined || ended?.report.ok === false;
  const tellAll = (found: Found): Promise<void> => {
    telling = tell(deps, found).catch((error: unknown) => {
      deps.log.error("what the check of the audit log found was not written into it", {}, error);
    });
    return telling;
  };

  const reach = (head: Head): void => {
    if (head.position >= (verified?.head.position ?? 0)) verified = { head, at: clock.now() };
  };
  /** Told once: every further read would meet it again. */
  const meet = (broken: Broken): void => {
    if (isFailed()) return;
    met = { broken, at: clock.now() };
    void tellAll({ broken });
  };
  const takeIn = (report: VerifyReport): VerifyReport => {
    if (report.broken !== undefined) meet(report.broken);
    else if (report.ok) reach(report.head);
    return report;
  };

  const readAll = async (): Promise<void> => {
    const before = met;
    const report = await store.checkAudit();
    ended = { at: clock.now(), report };
    // What was met meanwhile may be newer than what this read.
    if (met === before) met = undefined;
    if (report.ok) reach(report.head);
    await tellAll(report);
  };
  const readNew = async (): Promise<void> => {
    const { position } = await store.head();
    if (isFailed() || verified === undefined || position <= verified.head.position) return;
    takeIn(await store.verifyAudit(verified.head));
  };
  const run = async (read: () => Promise<void>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      const broken = damageOf(error);
      if (broken !== undefined) meet(broken);
      // The server is stopping; the next start begins anew.
      else if (!isFault(error, "store.closed")) deps.log.error("the audit log could not be checked", {}, error);
    } finally {
      underWay = undefined;
    }
  };
  const begin = (read: () => Promise<void>) => (): void => {
    underWay ??= run(read);
  };
  begin(readAll)();
  const stops = [
    deps.every(auditLimits.wholeEveryMs, begin(readAll)),
    deps.every(auditLimits.newEveryMs, begin(readNew)),
  ];

  return {
    report: () => {
      const broken = met?.broken ?? ended?.report.broken;
      const endedAt = met?.at ?? ended?.at;
      return {
        state: isFailed() ? "failed" : ended === undefined ? "checking" : "ok",
        isRunning: underWay !== undefined,
        ...(endedAt !== undefined && { endedAt }),
        ...(ended !== undefined && { last: ended.report }),
        ...(verified !== undefined && { verified: { position: verified.head.position, at: verified.at } }),
        ...(broken !== undefined && { broken }),
      };
    },
    reads: {
      searchAudit: (query) =>
        store.searchAudit(query).catch((error: unknown) => {
          const broken = damageOf(error);
          if (broken !== undefined) meet(broken);
          throw error;
        }),
      verifyAudit: async (since) => takeIn(await store.verifyAudit(since)),
    },
    close: async () => {
      for (const stop of stops) stop();
      await underWay;
      await telling;
    },
  };
}

type Found = Pick<CheckReport, "broken" | "rebuilt"> & Partial<Pick<CheckReport, "records">>;

async function tell({ store, clock, log }: AuditCheckDeps, { broken, rebuilt, records }: Found): Promise<void> {
  const by = { at: clock.now(), actor: "system" } as const;
  if (rebuilt !== undefined) {
    log.warn(`${rebuilt.file}: what search goes by was not what the entries say; it was made anew`, { ...rebuilt });
    await store.commit({ ...by, action: "audit.archive_rebuilt", subject: rebuilt.file, detail: { ...rebuilt } });
  }
  if (broken === undefined) {
    log.info("the audit log is as it was written", { records });
    return;
  }
  const fields = { ...broken, todo: whatToDo.broken };
  log.error(`${broken.file} is damaged or was edited`, fields);
  const facts = { ...by, subject: broken.file, outcome: "failed" } as const;
  await store.commit({ ...facts, action: "audit.check_failed", detail: { ...broken } });
}

/** For the people who are told. */
export const whatToDo = {
  broken:
    "Keep a copy of the data directory as it is, find out who can write to it, and restore the four files from one backup. What else can be done is said by: gatehouse state recover --data-dir DIR",
  rebuilt: "Nothing was lost and nothing has to be done; find out who can write to the data directory.",
} as const;

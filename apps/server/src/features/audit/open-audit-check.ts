import type { Clock } from "@gatehouse/base";
import { type AuditCheckState, isFault } from "@gatehouse/contract";
import type { CheckReport, Store } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";

export interface AuditCheckDeps {
  readonly store: Pick<Store, "checkAudit" | "commit">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "info" | "error" | "warn">;
  readonly every: (ms: number, act: () => void) => () => void;
}

/** What is known, who measured it, and when. A check that is under way leaves what the last one found. */
export interface AuditCheckReport {
  readonly state: AuditCheckState;
  readonly isRunning: boolean;
  readonly endedAt?: number;
  readonly last?: CheckReport;
}

export interface AuditCheck {
  report(): AuditCheckReport;
  close(): Promise<void>;
}

const day = 24 * 60 * 60 * 1_000;

/**
 * Reads the whole audit log after the start and once a day, beside other work: a start alone cannot wait for that. What it
 * finds is in the server's log, in the audit log, in the readiness and in the metrics.
 */
export function openAuditCheck(deps: AuditCheckDeps): AuditCheck {
  let ended: { readonly at: number; readonly report: CheckReport } | undefined;
  let underWay: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    try {
      const report = await deps.store.checkAudit();
      ended = { at: deps.clock.now(), report };
      await tell(deps, report).catch((error: unknown) => {
        deps.log.error("what the check of the audit log found was not written into it", {}, error);
      });
    } catch (error) {
      // The server is stopping; the next start begins anew.
      if (!isFault(error, "store.closed")) deps.log.error("the audit log could not be checked", {}, error);
    } finally {
      underWay = undefined;
    }
  };
  const begin = (): void => {
    underWay ??= run();
  };
  begin();
  const stop = deps.every(day, begin);

  return {
    report: () => ({
      state: ended === undefined ? "checking" : ended.report.ok ? "ok" : "failed",
      isRunning: underWay !== undefined,
      ...(ended !== undefined && { endedAt: ended.at, last: ended.report }),
    }),
    close: async () => {
      stop();
      await underWay;
    },
  };
}

async function tell({ store, clock, log }: AuditCheckDeps, { broken, rebuilt, records }: CheckReport): Promise<void> {
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

import { systemClock } from "@gatehouse/base";
import { nodeVfs } from "@gatehouse/files";
import { agentPaths } from "./config.ts";
import { rootOwner } from "./host/need-root.ts";
import { runNothing, runOnHost } from "./host/run-on-host.ts";
import { findUptime } from "./local/uptime.ts";
import type { ChangeDeps } from "./safety/change.ts";
import { openDeadman } from "./safety/open-deadman.ts";
import { openJournalLock } from "./safety/journal-lock.ts";
import { openJournal } from "./safety/open-journal.ts";

/** How long the helper, root and the boot wait for whoever else writes the journal. */
const lockMs = 10_000;

/** What changes are made with and taken back, for the helper, the dead-man, the boot and root alike. */
export function composeChanges(root: string, log: (line: string) => void): ChangeDeps {
  const paths = agentPaths(root);
  // The programs of this host know the real one alone.
  const run = root === "/" ? runOnHost : runNothing;
  const findNow = () => findUptime(root);
  return {
    paths,
    owner: rootOwner(root),
    vfs: nodeVfs,
    run,
    clock: systemClock,
    findUptime: findNow,
    openJournal: () =>
      openJournal({
        vfs: nodeVfs,
        directory: paths.journal,
        withLock: openJournalLock(paths.journalLock, lockMs),
        now: () => systemClock.now(),
        uptimeMs: () => findNow()?.ms ?? 0,
        boot: findNow()?.boot ?? "",
      }),
    deadman: openDeadman({ paths, run, findUptime: findNow }),
    log,
  };
}

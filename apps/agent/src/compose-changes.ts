import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "@gatehouse/base";
import { nodeVfs } from "@gatehouse/files";
import { agentPaths } from "./config.ts";
import { rootOwner } from "./host/need-root.ts";
import { runNothing, runOnHost } from "./host/run-on-host.ts";
import { findHostIdentity, type HostKeyPlace } from "./local/host-key.ts";
import { stateKeyOf } from "./local/state-key.ts";
import { findUptime } from "./local/uptime.ts";
import { digestStates } from "./operations/digest-states.ts";
import { findHostChange, findHostReading } from "./operations/host-operations.ts";
import { keepForBoot, loadKept } from "./operations/load-kept.ts";
import type { ChangeDeps } from "./safety/change.ts";
import { openDeadman } from "./safety/open-deadman.ts";
import { openJournalLock } from "./safety/journal-lock.ts";
import { openJournal } from "./safety/open-journal.ts";

/** How long the helper, root and the boot wait for whoever else writes the journal. */
const lockMs = 10_000;

/** What is done when that was not enough. Putting a host back is safe beside somebody who does the same. */
export type PatienceForLock = "refuse" | "go on without the lock";

/** What changes are made with and taken back, for the helper, the dead-man, the boot and root alike. */
export function composeChanges(
  root: string,
  log: (line: string) => void,
  patience: PatienceForLock = "refuse",
): ChangeDeps {
  const paths = agentPaths(root);
  // The programs of this host know the real one alone.
  const run = root === "/" ? runOnHost : runNothing;
  const findNow = () => findUptime(root);
  const kept = { run, paths, owner: rootOwner(root), vfs: nodeVfs, pause: wait };
  const place = { paths, owner: rootOwner(root) };
  const goOn = patience === "refuse" ? undefined : (why: Error) => log(`going on without the lock: ${why.message}`);
  // One for all that is opened here: within a process they wait for each other, and not for SQLite.
  const withLock = openJournalLock(paths.journalLock, lockMs, goOn);
  return {
    paths,
    owner: rootOwner(root),
    vfs: nodeVfs,
    run,
    host: {
      findChange: findHostChange,
      findReading: findHostReading,
      digestStates: (subjects) => digestStates({ root, run, privateKey: stateKeyHere(place) }, subjects),
      keepForBoot: (operation) => keepForBoot(kept, operation),
      loadKept: () => loadKept(kept),
    },
    clock: systemClock,
    findUptime: findNow,
    openJournal: () =>
      openJournal({
        vfs: nodeVfs,
        directory: paths.journal,
        withLock,
        now: () => systemClock.now(),
        uptimeMs: () => findNow()?.ms ?? 0,
        boot: findNow()?.boot ?? "",
      }),
    deadman: openDeadman({ paths, run, findUptime: findNow }),
    log,
  };
}

/** A host that has lost its key can still be put back: only what others may not read is then told as another. */
function stateKeyHere(place: HostKeyPlace): Uint8Array {
  try {
    const identity = findHostIdentity(place);
    return identity === undefined ? new Uint8Array(32) : stateKeyOf(identity.key);
  } catch {
    return new Uint8Array(32);
  }
}

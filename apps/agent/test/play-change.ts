import { sampleData, sampleTask } from "../src/safety/journal-cases.ts";
import type { SlotState } from "../src/safety/journal-slot.ts";
import { keepSnapshot, proveSnapshot } from "../src/safety/keep-snapshot.ts";
import type { Journal } from "../src/safety/open-journal.ts";
import { sectionOf } from "../src/safety/section-of.ts";
import { type RestoredHost, sampleAccepted } from "./restored-host.ts";

const steps = ["accepted", "snapshotted", "armed", "applying", "checking", "confirmed"] as const;
type Step = (typeof steps)[number];

/** Makes the sample change as the helper does, as far as to a state, in which it is left. */
export async function playChange(host: RestoredHost, upTo: Exclude<SlotState, "restoring">): Promise<Journal> {
  const { deps } = host;
  const journal = await host.openJournal();
  const doing: Readonly<Record<Step, () => Promise<unknown>>> = {
    accepted: () => journal.append(sampleTask, "accepted", sampleAccepted),
    snapshotted: async () => {
      const copies = await keepSnapshot(deps, { task: sampleTask, accepted: sampleAccepted });
      await journal.append(sampleTask, "snapshotted", { copies });
      await proveSnapshot(deps, sampleTask);
    },
    armed: () => journal.append(sampleTask, "armed", { deadlineMs: 90_000 }),
    applying: async () => {
      await journal.append(sampleTask, "applying", {});
      for (const [operation, one] of sectionOf(sampleAccepted).operations.entries()) {
        host.apply(one);
        await journal.append(sampleTask, "applied-op", { operation });
      }
    },
    checking: async () => {
      await journal.append(sampleTask, "checking", {});
      await journal.append(sampleTask, "probe", sampleData.probe);
    },
    confirmed: () => journal.append(sampleTask, "confirmed", {}),
  };
  for (const step of steps.slice(0, steps.indexOf(upTo) + 1)) await doing[step]();
  return journal;
}

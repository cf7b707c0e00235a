import { expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { endOfSample, RestoredHost, hostAfter, hostBefore, paths } from "../../test/restored-host.ts";
import { playChange } from "../../test/play-change.ts";
import { bootHost } from "./boot-host.ts";
import { endBeforeChange, finishChange } from "./end-change.ts";
import { sampleTask } from "./journal-cases.ts";
import type { JournalSlot } from "./journal-slot.ts";
import { runDeadman } from "./run-deadman.ts";
import { listIn } from "./snapshot-files.ts";

const wholeRuns: Readonly<Record<string, (host: RestoredHost) => Promise<unknown>>> = {
  "is confirmed": async (host) => {
    const journal = await playChange(host, "confirmed");
    await finishChange(host.deps, journal, (await journal.look()) as JournalSlot);
  },
  "is taken back": async (host) => {
    await playChange(host, "checking");
    await runDeadman(host.deps, sampleTask);
  },
  "ends before anything is changed": async (host) => {
    const journal = await playChange(host, "armed");
    const why = { code: "state.stale", detail: "somebody was faster" };
    await endBeforeChange(host.deps, journal, (await journal.look()) as JournalSlot, why);
  },
};

/** What is wrong with a host that was started after its power was cut. */
async function flawsOf(host: RestoredHost, when: string): Promise<string[]> {
  const flaws: string[] = [];
  const need = (isSo: boolean, what: string) => void (isSo || flaws.push(`${when}: ${what}`));
  const report = await bootHost(host.deps);
  need(report.ok, report.lines.join("; "));
  const end = await endOfSample(host);
  const expected = end?.outcome === "applied" ? hostAfter : hostBefore;
  const found = JSON.stringify(host.now(), Object.keys(host.now()).toSorted());
  need(
    found === JSON.stringify(expected, Object.keys(expected).toSorted()),
    `${end?.outcome ?? "no end"}, found ${found}`,
  );
  need((await (await host.openJournal()).look()) === undefined, "a change is open");
  const left = await listIn(host.vfs, paths.snapshots);
  need(left.length === 0, `${left.join(", ")} is left`);
  return flaws;
}

test.each(Object.entries(wholeRuns))(
  "whenever the power is cut, once and again, of a change that %s a boot leaves a host that is wholly old or wholly new",
  async (_, run) => {
    const flaws: string[] = [];
    let cuts = 0;
    const first = new RestoredHost();
    await run(first);
    for (let op = 0; op <= first.vfs.ops; op += 1) {
      const random = new Random(1, op);
      const cut = first.vfs.imageAt(op, random);
      const second = first.rebooted(cut, op);
      flaws.push(...(await flawsOf(second, `after ${op}`)));
      for (let again = random.below(5); again <= second.vfs.ops; again += 1 + random.below(30)) {
        const third = second.rebooted(second.vfs.imageAt(again, random), again);
        flaws.push(...(await flawsOf(third, `after ${op} and ${again}`)));
        cuts += 1;
      }
    }
    expect(flaws).toEqual([]);
    expect(cuts).toBeGreaterThan(60);
  },
);

test("what was said to be confirmed stays, and what was said to be taken back is gone", async () => {
  for (const [name, outcome] of [
    ["is confirmed", "applied"],
    ["is taken back", "rolled_back"],
    ["ends before anything is changed", "failed_before_change"],
  ] as const) {
    const host = new RestoredHost();
    await wholeRuns[name]?.(host);
    expect(await endOfSample(host)).toMatchObject({ outcome });
    expect(host.now()).toEqual(outcome === "applied" ? hostAfter : hostBefore);
  }
});

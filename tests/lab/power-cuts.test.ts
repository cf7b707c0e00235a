import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JournalKind } from "../../apps/agent/src/safety/journal-record.ts";
import { helperUnit } from "./agent-on-host.ts";
import { lastRecordOn, leftOn, tableMadeFrom, tableOn, untilEnded, untilNothingIsLeft } from "./change-on-host.ts";
import { bringDirectly, makeDirectTask } from "./direct-task.ts";
import { askHelperOn } from "./helper-peer.ts";
import { hold, holdable, release, untilHeld } from "./held-programs.ts";
import { firewallWith, labTable } from "./lab-firewalls.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { findOutsideChanges, readOutside } from "./outside-state.ts";

/** Whoever owns the power and the disk, or can end the helper, stops a change at each of its steps. Rows of the table of attacks name these tests. */
let lab: ManagedLab<"alpha" | "beta">;
let alpha: ApprovedHost;
let beta: ApprovedHost;
let port = 9_100;

beforeAll(async () => {
  lab = await openManagedLab(["alpha", "beta"]);
  ({ alpha, beta } = lab.hosts);
  await holdable(alpha.host, "/usr/sbin/nft", "/usr/bin/systemctl");
  await holdable(beta.host, "/usr/sbin/nft");
});
afterAll(() => lab.close());

/** How a change may end, and whether the host is then as the plan says. */
interface Ending {
  readonly step: JournalKind;
  readonly end: string;
  readonly isMade: boolean;
}

const powerCuts: readonly Ending[] = [
  { step: "confirmed", end: "applied", isMade: true },
  { step: "armed", end: "failed_before_change change.interrupted", isMade: false },
  { step: "applying", end: "rolled_back change.interrupted", isMade: false },
  { step: "checking", end: "rolled_back change.interrupted", isMade: false },
];

describe("the power is cut", () => {
  test.for(powerCuts)("after $step: $end", async ({ step, end, isMade }) => {
    const { host } = alpha;
    const [before, start] = [await tableOn(host, labTable), await lastRecordOn(host)];
    const wanted = firewallWith((port += 1));
    const made = isMade ? await tableMadeFrom(host, wanted) : before;
    const task = await makeDirectTask(alpha, wanted);
    await hold(host, step);
    expect(await bringDirectly(host, task)).toMatchObject({ taken: true });
    await untilHeld(host, step, start);
    await host.cutPower();
    expect(await untilEnded(host, start)).toBe(end);
    expect(await tableOn(host, labTable)).toEqual(made);
    await untilNothingIsLeft(host);
    await lab.desk.online(host);
  });
});

const deaths: readonly Ending[] = [
  { step: "accepted", end: "failed_before_change change.interrupted", isMade: false },
  { step: "snapshotted", end: "failed_before_change change.interrupted", isMade: false },
  { step: "armed", end: "rolled_back change.interrupted", isMade: false },
  { step: "applying", end: "rolled_back change.interrupted", isMade: false },
  { step: "checking", end: "applied", isMade: true },
];

describe("the helper is killed", () => {
  test.for(deaths)("after $step: $end", async ({ step, end, isMade }) => {
    const { host } = beta;
    const [before, start] = [await tableOn(host, labTable), await lastRecordOn(host)];
    const outside = await readOutside(host);
    const wanted = firewallWith((port += 1));
    const made = isMade ? await tableMadeFrom(host, wanted) : before;
    const task = await makeDirectTask(beta, wanted);
    await hold(host, step);
    expect(await bringDirectly(host, task)).toMatchObject({ taken: true });
    await untilHeld(host, step, start);
    await host.shell(`systemctl kill --kill-whom=all --signal=KILL ${helperUnit}`);
    await release(host);
    // It is started by being asked, and may be ended by what takes the change back before it has answered.
    await askHelperOn(host, "status", {}).catch(() => undefined);
    expect(await untilEnded(host, start)).toBe(end);
    expect(await tableOn(host, labTable)).toEqual(made);
    await untilNothingIsLeft(host);
    if (!isMade) expect(await findOutsideChanges(host, outside)).toEqual([]);
  });
});

/** The last of them, because each host is of no more use afterwards until root has looked at it. */
describe("what a host remembers", () => {
  test("is too long for its disk: nothing begins", async () => {
    const { host } = alpha;
    const before = await readOutside(host);
    const task = await makeDirectTask(alpha, firewallWith((port += 1)));
    const kept = "/var/lib/gatehouse";
    await host.shell(`systemctl stop ${helperUnit} && cp -a ${kept} /opt/lab/kept`);
    await host.shell(`mount -t tmpfs -o size=256k,mode=700 lab-kept ${kept} && cp -a /opt/lab/kept/. ${kept}/`);
    await host.shell(`dd if=/dev/zero of=${kept}/filler bs=4096 2>/dev/null || true`);
    const answer = await bringDirectly(host, task).catch(() => ({ ok: false, code: "closed" }));
    expect(answer).toMatchObject({ ok: false });
    await host.shell(`systemctl stop ${helperUnit} && umount ${kept}`);
    expect(await findOutsideChanges(host, before)).toEqual([]);
    await untilNothingIsLeft(host);
  });

  test("was damaged: what was open is put back all the same, and no other change is taken", async () => {
    const { host } = beta;
    const before = await tableOn(host, labTable);
    await lab.beginUnproved(beta, [firewallWith((port += 1))], 600);
    const journal = "$(ls /var/lib/gatehouse/journal/[0-9]* | tail -n 1)";
    await host.shell(`printf X | dd of="${journal}" bs=1 seek=80 conv=notrunc 2>/dev/null`);
    await expect(host.cutPower(), "and systemd says so").rejects.toThrow("gatehouse-boot.service");
    expect(await tableOn(host, labTable)).toEqual(before);
    const other = await makeDirectTask(beta, firewallWith((port += 1)));
    expect(await bringDirectly(host, other)).toMatchObject({ ok: false, code: "journal.unsound" });
    // Nobody could write down how it ended: the copy stays, and says that it is not to be put back again.
    const [left = "", ...more] = await leftOn(host);
    expect(more).toEqual([]);
    expect(await host.shell(`ls /var/lib/gatehouse/snapshots/${left}`)).toContain("restored\n");
  });
});

import { once } from "node:events";
import { connect } from "node:net";
import { encodeBase64url } from "@gatehouse/channel";
import type { JsonObject } from "@gatehouse/base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LinkedRecord } from "../../apps/agent/src/safety/journal-format.ts";
import type { MadeTask } from "../support/signed-task.ts";
import { helperUnit } from "./agent-on-host.ts";
import {
  journalOn,
  lastRecordOn,
  tableMadeFrom,
  tableOn,
  untilEnded,
  untilJournal,
  untilNothingIsLeft,
} from "./change-on-host.ts";
import { bringDirectly, makeDirectTask, underAnotherId } from "./direct-task.ts";
import { askHelperOn, runAsNetworkPart } from "./helper-peer.ts";
import { firewallWith, labTable } from "./lab-firewalls.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { findOutsideChanges, readOutside } from "./outside-state.ts";
import { provenOutcome } from "./plan-desk.ts";
import { channelKeyOf, greetInItsName, type Greeting, welcomedByAnother } from "./welcomed.ts";

/**
 * Attacks by whoever has taken over the server and the network part of a host, with changes that are approved as they have to be. Rows
 * of the table of attacks name these tests.
 */
let lab: ManagedLab<"alpha" | "beta">;
let alpha: ApprovedHost;
let beta: ApprovedHost;

beforeAll(async () => {
  lab = await openManagedLab(["alpha", "beta"]);
  ({ alpha, beta } = lab.hosts);
});
afterAll(() => lab.close());

/** Brings it to a helper that has counted nothing yet. */
async function bring({ host }: ApprovedHost, made: MadeTask): Promise<JsonObject> {
  await host.shell(`systemctl stop ${helperUnit}`);
  return bringDirectly(host, made);
}

/** What somebody tries leaves all of the host as it was, and writes nothing into the journal. */
async function changesNothing({ host }: ApprovedHost, attempt: () => Promise<void>): Promise<void> {
  const before = await readOutside(host);
  const last = await lastRecordOn(host);
  await attempt();
  expect(await findOutsideChanges(host, before)).toEqual([]);
  expect(await lastRecordOn(host)).toBe(last);
}

describe("an approval that was used", () => {
  let used: MadeTask;

  beforeAll(async () => {
    used = await makeDirectTask(alpha, firewallWith(9_000));
    expect(await bring(alpha, used)).toMatchObject({ ok: true, taken: true });
    expect(await untilEnded(alpha.host)).toBe("applied");
    await untilNothingIsLeft(alpha.host);
  });

  test("brings back nothing but the word about its end when the same change is sent again", async () => {
    await changesNothing(alpha, async () => {
      const answer = await bring(alpha, used);
      expect(answer).toMatchObject({ ok: true, taken: true });
      const told = provenOutcome(answer["outcome"] as string, alpha.node.id);
      expect(told).toMatchObject({ task: used.task, outcome: "applied" });
    });
  });

  test("is spent under another id of the change", async () => {
    await changesNothing(alpha, async () => {
      expect(await bring(alpha, underAnotherId(used))).toMatchObject({ ok: false, code: "use.spent" });
    });
  });

  test("stays spent when the helper is killed, and when root resets the clock", async () => {
    await changesNothing(alpha, async () => {
      await alpha.host.shell(`systemctl kill --signal=KILL ${helperUnit}`);
      expect(await bringDirectly(alpha.host, underAnotherId(used))).toMatchObject({ ok: false, code: "use.spent" });
      await alpha.host.shell("gatehouse-agent clock reset");
      expect(await bringDirectly(alpha.host, underAnotherId(used))).toMatchObject({ ok: false, code: "use.spent" });
    });
  });
});

test("of one approval on two connections at once, one is taken and the other finds the host busy", async () => {
  const before = await lastRecordOn(alpha.host);
  const made = await makeDirectTask(alpha, firewallWith(9_001));
  const answers = await Promise.all([made, underAnotherId(made)].map((each) => bringDirectly(alpha.host, each)));
  expect(answers.filter(({ taken }) => taken === true)).toHaveLength(1);
  expect(answers.filter(({ ok }) => ok !== true)).toMatchObject([{ code: "slot.busy" }]);
  expect(await untilEnded(alpha.host, before)).toBe("applied");
  const records = (await journalOn(alpha.host)).filter(({ seq }) => seq > before);
  expect(records.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
  await untilNothingIsLeft(alpha.host);
});

describe("the timer that takes a change back", () => {
  test("cannot be doubled, stopped or postponed, and a server that welcomes nobody gains nothing", async () => {
    const { host } = alpha;
    const before = await tableOn(host, labTable);
    const start = await lastRecordOn(host);
    await lab.beginUnproved(alpha, [firewallWith(9_002)], 30);
    const elapses =
      "busctl get-property org.freedesktop.systemd1 /org/freedesktop/systemd1/unit/gatehouse_2ddeadman_2etimer org.freedesktop.systemd1.Timer NextElapseUSecMonotonic";
    const microseconds = async () => Number((await host.shell(elapses)).split(" ")[1]);
    const due = await microseconds();
    const other = await makeDirectTask(alpha, firewallWith(9_003));
    expect(await bringDirectly(host, other)).toMatchObject({ ok: false, code: "slot.busy" });
    const second = await host.run("systemd-run", "--quiet", "--unit=gatehouse-deadman", "--on-active=1h", "true");
    expect(second.code, second.stderr).not.toBe(0);
    const stop = await runAsNetworkPart(host, "systemctl", "--no-ask-password", "stop", "gatehouse-deadman.timer");
    expect(stop.code, stop.stderr).not.toBe(0);
    for (let time = 0; time < 5; time += 1) await host.shell("systemctl daemon-reload");
    // systemd keeps it over a reload to the millisecond.
    expect(Math.abs((await microseconds()) - due)).toBeLessThan(1_000);
    expect(await untilEnded(host, start)).toBe("rolled_back confirm.late");
    expect(await tableOn(host, labTable)).toEqual(before);
    await untilNothingIsLeft(host);
    await lab.reachAgain(alpha);
  });

  test("is not begun without, when the program that takes changes back is damaged", async () => {
    const { host } = alpha;
    const rescue = "/usr/lib/gatehouse/rescue/gatehouse-agent";
    await host.shell(`cp --preserve ${rescue} /opt/lab/rescue && truncate --size=4096 ${rescue}`);
    expect(await endOf(alpha)).toBe("failed_before_change deadman.check");
    await host.shell(`cp --preserve /opt/lab/rescue ${rescue}`);
  });

  test("is not begun without, when somebody holds its name", async () => {
    const { host } = alpha;
    await host.shell("systemd-run --quiet --unit=gatehouse-deadman --remain-after-exit sleep infinity");
    expect(await endOf(alpha)).toBe("failed_before_change deadman.arm");
    await host.shell("systemctl stop gatehouse-deadman.service");
    await untilNothingIsLeft(host);
  });

  /** How a change ends that begins now and must not touch the host. */
  async function endOf(on: ApprovedHost): Promise<string> {
    const [before, start] = [await tableOn(on.host, labTable), await lastRecordOn(on.host)];
    expect(await bring(on, await makeDirectTask(on, firewallWith(9_004)))).toMatchObject({ taken: true });
    const end = await untilEnded(on.host, start);
    expect(await tableOn(on.host, labTable)).toEqual(before);
    return end;
  }
});

describe("the proof that a host reaches its server", () => {
  const prove = ({ host }: ApprovedHost, { hello, welcome }: Greeting) =>
    askHelperOn(host, "probe.proof", { hello, welcome });
  const greet = async ({ host, node }: ApprovedHost, probe: Uint8Array) =>
    greetInItsName({ front: lab.front, nodeId: node.id, channelKey: await channelKeyOf(host) }, probe);
  const refused = { ok: false, code: "confirm.proof" };

  test("is none before there is anything to prove", async () => {
    await changesNothing(alpha, async () => {
      expect(await prove(alpha, await greet(alpha, new Uint8Array(32).fill(1)))).toMatchObject(refused);
    });
  });

  test("is none without frames, of an earlier probe, of another host, or by another key; the server's own word holds the change", async () => {
    const { host } = alpha;
    const earlier = (await journalOn(host)).findLast(({ kind }) => kind === "probe");
    await lab.beginUnproved(alpha, [firewallWith(9_005)], 120);
    const probe = nonceOf(await untilJournal(host, "probe", earlier?.seq));
    const real = await greet(alpha, probe);
    const start = await lastRecordOn(host);
    const empty = encodeBase64url(new Uint8Array(8));
    expect(await prove(alpha, { hello: empty, welcome: empty })).toMatchObject(refused);
    expect(await prove(alpha, await greet(alpha, nonceOf(earlier)))).toMatchObject(refused);
    expect(await prove(alpha, await greet(beta, probe))).toMatchObject(refused);
    expect(await prove(alpha, welcomedByAnother(real))).toMatchObject(refused);
    expect(await lastRecordOn(host)).toBe(start);
    // Whoever has the server's key and the network part can keep what was approved, though the host itself reaches nobody.
    expect(await prove(alpha, real)).toMatchObject({ ok: true });
    expect(await untilEnded(host, start)).toBe("applied");
    expect(await tableOn(host, labTable)).toEqual(await tableMadeFrom(host, firewallWith(9_005)));
    const ssh = connect({ host: host.address, port: 22 });
    await once(ssh, "data");
    ssh.destroy();
    await untilNothingIsLeft(host);
    await lab.reachAgain(alpha);
  });

  function nonceOf(record: LinkedRecord | undefined): Uint8Array {
    if (record?.kind !== "probe") throw new Error("no probe was written down");
    return Uint8Array.fromHex(record.data.nonce);
  }
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Node } from "@gatehouse/contract/routes";
import { until } from "../support/until.ts";
import { agentUnit, connected, helperUnit, statusOf, untilSays } from "./agent-on-host.ts";
import { FleetDesk, fleetSettings, type HostEventEntry, hoursAhead } from "./fleet-desk.ts";
import { type ManagedHost, trustedFile } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";
import { emptySmallDisk, fillSmallDisk, moveToSmallDisk, stateDirectory } from "./small-disk.ts";

/** Hosts that are not as they should be: their clocks are wrong, their disks are full. */
let lab: Lab<"alpha" | "beta" | "gamma"> | undefined;
let desk: FleetDesk;
let alpha: ManagedHost;
let beta: ManagedHost;
let gamma: ManagedHost;
/** Of a host whose clock nobody touches. */
let right: Node;

beforeAll(async () => {
  lab = await openLab(["alpha", "beta", "gamma"], fleetSettings);
  ({ alpha, beta, gamma } = lab.hosts);
  desk = new FleetDesk(lab.front);
  await Promise.all(
    [alpha, beta, gamma].map(async (host) => {
      await host.shell(await desk.line());
      await desk.online(host);
    }),
  );
  right = await desk.until(gamma, ({ clockSkewMs }) => clockSkewMs !== null, "has beaten");
});
afterAll(() => lab?.close());

/** Both parts anew: the helper comes when it is asked. */
const restart = (host: ManagedHost) => host.shell(`systemctl stop ${helperUnit} && systemctl restart ${agentUnit}`);

async function untilSeenAgain(host: ManagedHost): Promise<Node> {
  const { lastSeenAt: before } = await desk.online(host);
  return desk.until(host, ({ state, lastSeenAt }) => state === "online" && lastSeenAt !== before, "is seen again");
}

/** Every start of the agent is on the record, the numbers have no hole, and nothing waits. */
async function expectNothingLost(host: ManagedHost): Promise<void> {
  const { id } = await desk.online(host);
  const starts = (await host.journal(agentUnit)).match(/Started gatehouse-agent\.service/g)?.length ?? 0;
  const told = async () => (await desk.events(id)).filter(({ what }) => what === "agent.started");
  await until(`every start of ${host.name} is told`, async () => (await told()).length >= starts);
  const events = await desk.events(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ what }) => what === "outbox.gap")).toEqual([]);
  await untilSays(host, /"records": ?0/);
}

describe("a clock that is wrong by an hour", () => {
  const shifted = () =>
    [
      { host: alpha, by: "+1h", hours: 1 },
      { host: beta, by: "-1h", hours: -1 },
    ] as const;

  test("ahead or behind: the host is online, beats and loses nothing; the server and its journal say by how much", async () => {
    await Promise.all(
      shifted().map(async ({ host, by, hours }) => {
        await host.shiftClock(by, agentUnit, helperUnit);
        await restart(host);
        await desk.until(host, (node) => hoursAhead(node, right) === hours, `is ${by} off`);
        expect(hoursAhead(await untilSeenAgain(host), await untilSeenAgain(gamma))).toBe(hours);
        await untilSays(host, connected);
        await expectNothingLost(host);
        const [said] =
          (await host.journal(agentUnit)).match(/the server's clock is (-?\d+) seconds from this one/) ?? [];
        expect(Math.round(Number(/-?\d+/.exec(said ?? "")?.[0]) / 3_600)).toBe(-hours);
      }),
    );
  });

  test("ahead: a new code is over before anything is changed", async () => {
    const { code } = await desk.code();
    const before = await identityOf(alpha);
    const there = ["--property=BindReadOnlyPaths=/opt/lab/ld.so.preload:/etc/ld.so.preload", "--setenv=FAKETIME=+1h"];
    const enrol = ["gatehouse-agent", "enrol", code, "--ca", trustedFile];
    const refused = await alpha.run("systemd-run", "--quiet", "--pipe", "--wait", ...there, ...enrol);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("enrol.code_expired")]);
    expect(await identityOf(alpha)).toBe(before);
  });

  test("set right again, nothing of it is left", async () => {
    await Promise.all(
      shifted().map(async ({ host }) => {
        await host.shiftClock(undefined, agentUnit, helperUnit);
        await restart(host);
        await desk.until(host, (node) => hoursAhead(node, right) === 0, "is right");
        await expectNothingLost(host);
      }),
    );
  });
});

describe("a full disk", () => {
  const says = { full: /outbox\.unwritable/, well: /"problems": ?\[\]/ };
  const doctor = async () => (await alpha.run("gatehouse-agent", "doctor", "--json")).stdout;
  let before: { readonly node: Node; readonly identity: string; readonly told: readonly HostEventEntry[] };

  beforeAll(async () => {
    await moveToSmallDisk(alpha);
    const node = await desk.online(alpha);
    await expectNothingLost(alpha);
    before = { node, identity: await identityOf(alpha), told: await desk.events(node.id) };
    await fillSmallDisk(alpha);
  });

  test("under an agent that runs: it stays connected and beats, and it, the doctor and the status say so by name", async () => {
    const pid = () => alpha.shell(`systemctl show ${agentUnit} --property=MainPID --value`);
    const running = await pid();
    expect(await statusOf(alpha)).toMatch(says.full);
    expect(await doctor()).toMatch(says.full);
    await untilSeenAgain(alpha);
    // What is not kept first is told all the same.
    await alpha.shell("mkdir -p /etc/nginx && gatehouse-agent ceiling set managed --allow file.write:/etc/nginx");
    await desk.until(alpha, ({ facts }) => facts?.mode === "managed", "is managed");
    await untilSeenAgain(alpha);
    await untilSays(alpha, connected);
    expect(await pid()).toBe(running);
  });

  test("under an agent that starts: it connects and beats as the same node, and the journal says what was not taken", async () => {
    await restart(alpha);
    await until("the journal says so", async () => says.full.test(await alpha.journal(agentUnit)));
    expect(await desk.online(alpha)).toMatchObject({ id: before.node.id });
    await untilSeenAgain(alpha);
    await untilSays(alpha, connected);
    expect(await statusOf(alpha)).toMatch(says.full);
    expect(await identityOf(alpha)).toBe(before.identity);
  });

  test("with room again: it goes on by itself, the server is told what was not taken, and nothing that was told is lost", async () => {
    await emptySmallDisk(alpha);
    const told = () => desk.events(before.node.id);
    await until("the gap is told", async () => (await told()).some(({ what }) => what === "outbox.gap"));
    await untilSays(alpha, says.well);
    expect(await doctor()).not.toMatch(says.full);
    await untilSays(alpha, /"records": ?0/);
    const events = await told();
    expect(events.slice(0, before.told.length)).toEqual(before.told);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await identityOf(alpha)).toBe(before.identity);
    await restart(alpha);
    await until("the next start is told", async () => (await told()).length > events.length);
  });
});

/** One digest of all that makes a host this node. */
function identityOf(host: ManagedHost): Promise<string> {
  const files = ["/var/lib/gatehouse/host.key", "/etc/gatehouse/server.json", `${stateDirectory}/channel.key`];
  return host.shell(`sha256sum ${files.join(" ")}`);
}

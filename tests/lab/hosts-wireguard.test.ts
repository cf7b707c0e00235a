import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NetworkWireguard } from "@gatehouse/plan";
import { makeRelease } from "../acceptance/official-release.ts";
import { signIn } from "../acceptance/plugin-yard.ts";
import { agentUnit, helperUnit } from "./agent-on-host.ts";
import { lastRecordOn, untilEnded, untilJournal, untilNothingIsLeft } from "./change-on-host.ts";
import { findSecretAround, formsOf } from "./find-secret.ts";
import { hold, holdable, holdStart, untilHeld, untilStartHeld } from "./held-programs.ts";
import {
  bringInterface,
  bringToEnd,
  forgetInterface,
  interfaceOf,
  interfaceOn,
  interfaceSaid,
  keyFile,
  labInterfaceEntry,
  leftOfInterface,
  meshOf,
  peerOf,
  publicKeyOn,
  type TunnelEnd,
  untilInterfaceGone,
} from "./lab-wireguard.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { answeredOnce } from "./ping.ts";
import { openDoor, slowDoor, untilDoorWaits, usualDoor } from "./slow-door.ts";
import { serverAddress, switchIpv6 } from "./wire.ts";

/**
 * Interfaces of WireGuard on real hosts: made with keys that stay where they are, kept, and taken back whatever stops in between.
 * `wg` and `ip` on the hosts are the judges, and so is what comes through the tunnels.
 */
const names = ["alpha", "beta", "gamma"] as const;
let lab: ManagedLab<(typeof names)[number]>;
let alpha: ApprovedHost;
let beta: ApprovedHost;
let gamma: ApprovedHost;
let stranger: string;

beforeAll(async () => {
  const release = await makeRelease(["wireguard"]);
  lab = await openManagedLab(names, { allow: [labInterfaceEntry] }, release.openYard().settings);
  await release.activate(await signIn(lab.front.server), "wireguard");
  ({ alpha, beta, gamma } = lab.hosts);
  stranger = (await alpha.host.shell("wg genkey | wg pubkey")).trim();
  // Whoever is asked for the state of an interface makes its key.
  await Promise.all([alpha, beta, gamma].map(({ node }) => lab.plans.makePlan([interfaceOf(1, [])], node)));
});
afterAll(() => lab.close());

const numberOf = ({ host }: ApprovedHost) => 1 + names.findIndex((name) => name === host.name);

async function endOf(on: ApprovedHost): Promise<TunnelEnd> {
  return { host: on.host, number: numberOf(on), publicKey: await publicKeyOn(on.host) };
}

/** Through the server, from the plan to its end. */
async function apply(on: ApprovedHost, operation: NetworkWireguard): Promise<void> {
  const plan = await lab.plans.begin([operation], on.node, on.approver);
  expect(await lab.plans.outcomesOf(plan)).toEqual({ [on.host.name]: "applied null" });
  expect(await interfaceOn(on.host)).toEqual(interfaceSaid(operation, await publicKeyOn(on.host)));
  await untilNothingIsLeft(on.host);
}

test("a host makes its key when it is asked, and an interface with it when a plan says so", async () => {
  const { host } = alpha;
  expect(await host.shell(`stat --format '%a %u:%g %s' ${keyFile}`)).toBe("600 0:0 45\n");
  const before = await publicKeyOn(host);
  await apply(alpha, interfaceOf(1, []));
  expect(await publicKeyOn(host)).toBe(before);
});

describe("is refused by its name, and nothing is touched:", () => {
  test("an interface that the ceiling does not name", async () => {
    const answer = await bringInterface(beta, interfaceOf(2, [], { interface: "wg1" }));
    expect(answer).toMatchObject({ ok: false, code: "ceiling.interface" });
    expect(await interfaceOn(beta.host, "wg1")).toBeNull();
    expect(await beta.host.shell("ls /var/lib/gatehouse/wireguard")).toBe("wg0.key\n");
  });

  test.for(["wg", "wireguard-go"])("one on a host without %s", async (program) => {
    const { host } = gamma;
    const file = `/usr/bin/${program}`;
    const state = { publicKey: await publicKeyOn(host), interface: null };
    await host.shell(`mv ${file} ${file}.away`);
    const end = await bringToEnd(gamma, interfaceOf(3, []), state);
    await host.shell(`mv ${file}.away ${file}`);
    expect(end).toMatch(/^failed_before_change wireguard.absent: expected /);
    expect(await interfaceOn(host)).toBeNull();
  });

  test("none where the kernel has a module for it, which the bounds of the helper hide", async () => {
    const { host } = gamma;
    const [modprobe, go] = ["/usr/sbin/modprobe", "/usr/bin/wireguard-go"];
    // The kernel of the lab has none: what is asked is a stand-in, and what would make the interface is not there.
    await host.write(modprobe, "#!/bin/sh\nexec test -e /usr/lib/modules/planted\n", "755");
    // What a unit may not see is hidden when it starts.
    await host.shell(`mkdir -p /usr/lib/modules/planted && mv ${go} ${go}.away && systemctl stop ${helperUnit}`);
    const hidden = ["--quiet", "--wait", "--collect", "--property=ProtectKernelModules=yes", "--", modprobe];
    expect((await host.run("systemd-run", ...hidden)).code, "what the helper itself would find").toBe(1);
    const end = await bringToEnd(gamma, interfaceOf(3, []));
    await host.shell(`rm -r ${modprobe} /usr/lib/modules/planted && mv ${go}.away ${go}`);
    expect(end).toMatch(/^rolled_back apply.failed: systemd-run ended with /);
    expect(await interfaceOn(host)).toBeNull();
  });

  test("one with an address of IPv6 where that is off", async () => {
    const { host } = gamma;
    await switchIpv6(host.pid, "off");
    const end = await bringToEnd(gamma, interfaceOf(3, []));
    await switchIpv6(host.pid, "on");
    expect(end).toBe("failed_before_change validate.failed: wg0: expected IPv6, found it off on this host");
    expect(await interfaceOn(host)).toBeNull();
  });

  test("one in the place of an interface that somebody made with another key", async () => {
    const { host } = beta;
    const made = [
      "wireguard-go wg0 > /dev/null 2>&1",
      "wg genkey > /run/own.key",
      "wg set wg0 listen-port 1234 private-key /run/own.key",
      "ip address add 10.1.1.1/24 dev wg0 && ip link set wg0 up",
    ];
    await host.shell(made.join(" && "));
    const before = await interfaceOn(host);
    expect(await bringToEnd(beta, interfaceOf(2, []))).toMatch(
      /^failed_before_change validate.failed: wg0: expected the key/,
    );
    expect(await interfaceOn(host)).toEqual(before);
    await host.shell("ip link delete wg0");
    await untilInterfaceGone(host);
  });

  test("one in the place of an interface with a preshared key", async () => {
    const { host } = alpha;
    const add = `wg set wg0 peer '${stranger}' preshared-key /run/shared.key allowed-ips 10.77.0.9/32`;
    await host.shell(`wg genpsk > /run/shared.key && ${add}`);
    const before = await interfaceOn(host);
    expect(await bringToEnd(alpha, interfaceOf(1, []))).toMatch(
      /^failed_before_change validate.failed: .* preshared key/,
    );
    expect(await interfaceOn(host)).toEqual(before);
    await host.shell(`wg set wg0 peer '${stranger}' remove`);
  });
});

test("no wg looks for a wireguard-go before its socket listens; one that somebody else's wg was too early for is started again", async () => {
  const { host } = gamma;
  await slowDoor(host);
  const [wanted, start] = [interfaceOf(3, []), await lastRecordOn(host)];
  expect(await bringInterface(gamma, wanted)).toMatchObject({ ok: true, taken: true });
  await untilDoorWaits(host);
  expect(await host.shell("pgrep --exact wg || echo none")).toBe("none\n");
  await openDoor(host);
  expect(await untilEnded(host, start)).toBe("applied");
  expect(await interfaceOn(host)).toEqual(interfaceSaid(wanted, await publicKeyOn(host)));
  await untilNothingIsLeft(host);
  await usualDoor(host);
  await forgetInterface(host);
});

test("an interface that cuts the way to the server is taken back: the one from before is there, or none", async () => {
  const cutOff = async (on: ApprovedHost) => {
    const { host } = on;
    const [before, start] = [await interfaceOn(host), await lastRecordOn(host)];
    const way = { label: "server", publicKey: stranger, allowedIps: [`${serverAddress}/32`] };
    const wanted = interfaceOf(numberOf(on), [way], { mtu: 1_400, listenPort: 51_900 });
    expect(await bringInterface(on, wanted, { rollbackWindow: 15 })).toMatchObject({ ok: true, taken: true });
    await untilJournal(host, "probe", start);
    expect(await interfaceOn(host)).toEqual(interfaceSaid(wanted, await publicKeyOn(host)));
    expect(await untilEnded(host, start)).toBe("rolled_back confirm.late");
    expect(await interfaceOn(host)).toEqual(before);
    await untilNothingIsLeft(host);
    if (before === null) await untilInterfaceGone(host);
    // It need not pause before it tries again.
    await host.shell(`systemctl restart ${agentUnit}`);
    await lab.desk.online(host);
    return before;
  };
  const [had, none] = await Promise.all([cutOff(alpha), cutOff(gamma)]);
  expect([had === null, none === null]).toEqual([false, true]);
});

/** Each reaches each other one, over both families. */
async function expectMesh(...all: readonly ApprovedHost[]): Promise<void> {
  const ways = all.flatMap((from) => all.filter((to) => to !== from).map((to) => ({ from, number: numberOf(to) })));
  const ping = async ({ from, number }: (typeof ways)[number]) => {
    for (const address of [`10.77.0.${number}`, `fd77::${number}`])
      expect(await from.host.run("ping", ...answeredOnce(address)), address).toMatchObject({ code: 0 });
  };
  await Promise.all(ways.map(ping));
}

describe("three hosts in a mesh", () => {
  test("that the plugin has drawn up reach each other over both families", async () => {
    const all = [alpha, beta, gamma];
    // Nobody types a key: the plugin is told those that the hosts have signed.
    const nodes = all.map(({ node }) => node);
    const plan = await lab.plans.drawPlan("wireguard", meshOf(all), ...nodes);
    await lab.plans.beginAll(plan, nodes, alpha.approver);
    expect(await lab.plans.outcomesOf(plan)).toEqual(Object.fromEntries(names.map((name) => [name, "applied null"])));
    const ends = await Promise.all(all.map(endOf));
    for (const { host, number, publicKey } of ends) {
      const peers = ends.filter((end) => end.host !== host).map(peerOf);
      expect(await interfaceOn(host)).toEqual(interfaceSaid(interfaceOf(number, peers), publicKey));
    }
    await expectMesh(...all);
  });

  test("do so after a restart of the agent, of a host, and after a power cut", async () => {
    const before = await Promise.all([alpha, beta, gamma].map(({ host }) => interfaceOn(host)));
    await Promise.all([
      alpha.host.shell(`systemctl restart ${agentUnit} gatehouse-helper.socket`),
      beta.host.restart(),
      gamma.host.cutPower(),
    ]);
    expect(await Promise.all([alpha, beta, gamma].map(({ host }) => interfaceOn(host)))).toEqual(before);
    await expectMesh(alpha, beta, gamma);
    await Promise.all([alpha, beta, gamma].map(({ host }) => lab.desk.online(host)));
  });

  test("are two after the next plan, one of them with another address, and know nobody else", async () => {
    const [one, other] = [await endOf(alpha), await endOf(beta)];
    const away = { ...peerOf(other), allowedIps: ["10.88.0.2/32", "fd77::2/128"], keepaliveSeconds: 25 };
    const moved = { addresses: ["10.88.0.2/24", "fd77::2/64"] };
    await Promise.all([apply(alpha, interfaceOf(1, [away])), apply(beta, interfaceOf(2, [peerOf(one)], moved))]);
    for (const address of ["10.88.0.2", "fd77::2"])
      expect(await alpha.host.run("ping", ...answeredOnce(address)), address).toMatchObject({ code: 0 });
    expect(await beta.host.run("ping", ...answeredOnce("10.77.0.1"))).toMatchObject({ code: 0 });
    expect((await alpha.host.shell("wg show wg0 peers")).trim()).toBe(other.publicKey);
  });
});

describe("the private key", () => {
  const keyOf = async ({ host }: ApprovedHost) => Buffer.from((await host.read(keyFile)).trim(), "base64");
  const placesOf = async (on: ApprovedHost) => findSecretAround(on.host, lab.front.server.dataDir, await keyOf(on));

  test.for(names)("of %s is in no file but its own, in no form", async (name) => {
    expect(await placesOf(lab.hosts[name])).toEqual([`${keyFile}: base64`]);
  });

  test("is found in every form where somebody puts it", async () => {
    const { host } = gamma;
    const key = await keyOf(gamma);
    for (const { name, bytes } of formsOf(key)) await host.write(`/etc/planted/${name.replaceAll(" ", "-")}`, bytes);
    await host.shell(
      `mkdir -p /run/planted && cp /etc/planted/raw /run/planted/raw && logger < /etc/planted/base64 && journalctl --sync`,
    );
    const kept = join(lab.front.server.dataDir, "planted");
    writeFileSync(kept, key.toString("hex"));
    const places = (await placesOf(gamma)).filter((place) => !place.startsWith("/var/log/journal/"));
    expect(places).toEqual(
      [
        `${keyFile}: base64`,
        ...formsOf(key).map(({ name }) => `/etc/planted/${name.replaceAll(" ", "-")}: ${name}`),
        "/run/planted/raw: raw",
        "log: base64",
        "server: /planted: hex",
      ].toSorted(),
    );
    rmSync(kept);
    await host.shell("rm -r /etc/planted /run/planted");
  });
});

/** What makes an interface, in its order. */
const making = ["wg setconf wg0", "wg set wg0 private-key", "ip -batch"];
const beginning = [
  "ip link add dev wg0",
  "systemd-run --quiet --collect --unit=gatehouse-wireguard-wg0",
  "wg show wg0 dump",
];

test("a power cut at the start of any program that makes an interface leaves the one from before, or none; one after the proof the new one", async () => {
  const programs = ["ip", "wg", "systemd-run", "systemctl"].map((name) => `/usr/bin/${name}`);
  await Promise.all([alpha, beta, gamma].map(({ host }) => holdable(host, ...programs)));
  await Promise.all([forgetInterface(alpha.host), forgetInterface(gamma.host)]);
  const cutAt = async (on: ApprovedHost, words: string) => {
    const { host } = on;
    const [before, start] = [await interfaceOn(host), await lastRecordOn(host)];
    await holdStart(host, words);
    const wanted = interfaceOf(numberOf(on), [], { listenPort: 51_901 });
    expect(await bringInterface(on, wanted)).toMatchObject({ ok: true, taken: true });
    await untilStartHeld(host, words);
    await host.cutPower();
    expect(await untilEnded(host, start), words).toBe("rolled_back change.interrupted");
    expect(await interfaceOn(host), words).toEqual(before);
    await untilNothingIsLeft(host);
    if (before === null) expect(await leftOfInterface(host)).toEqual([]);
  };
  const cutAfterProof = async (on: ApprovedHost) => {
    const { host } = on;
    const start = await lastRecordOn(host);
    await hold(host, "confirmed");
    const wanted = interfaceOf(numberOf(on), [], { listenPort: 51_902 });
    expect(await bringInterface(on, wanted)).toMatchObject({ ok: true, taken: true });
    await untilHeld(host, "confirmed", start);
    await host.cutPower();
    expect(await untilEnded(host, start)).toBe("applied");
    expect(await interfaceOn(host)).toEqual(interfaceSaid(wanted, await publicKeyOn(host)));
  };
  const inTurn = async (on: ApprovedHost, all: readonly string[]) => {
    for (const words of all) await cutAt(on, words);
    await lab.desk.online(on.host);
  };
  await Promise.all([
    inTurn(alpha, beginning),
    inTurn(gamma, making),
    inTurn(beta, making).then(() => cutAfterProof(beta)),
  ]);
});

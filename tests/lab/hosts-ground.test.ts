import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEchoServer } from "../acceptance/driver/echo-server.ts";
import { addressInLog } from "../acceptance/log-line.ts";
import { until } from "../support/until.ts";
import type { Front } from "./front.ts";
import { sh } from "./lab.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";
import { answeredOnce } from "./ping.ts";
import { serverAddress } from "./wire.ts";

/** The ground that tests of agents, plans and terminals stand on: is each part of the lab what it says it is? */
let lab: Lab<"alpha" | "beta" | "gamma">;
let front: Front;
let hosts: readonly ManagedHost[];
let one: ManagedHost;
let other: ManagedHost;

beforeAll(async () => {
  const began = performance.now();
  lab = await openLab(["alpha", "beta", "gamma"], { SERVICE_ACCESS_LOG: "1" });
  console.log(`three hosts and the front are up after ${Math.round(performance.now() - began)} ms`);
  front = lab.front;
  hosts = Object.values(lab.hosts);
  [one, other] = [lab.hosts.alpha, lab.hosts.beta];
});
afterAll(() => lab.close());

describe("three hosts at once", () => {
  test("each has systemd as its first process, all units up, and an identity of its own", async () => {
    for (const host of hosts) {
      expect(await host.read("/proc/1/comm")).toBe("systemd\n");
      expect((await host.run("systemctl", "is-system-running")).stdout).toBe("running\n");
      expect(await host.shell("hostname")).toBe(`${host.name}\n`);
    }
    for (const file of ["/etc/machine-id", "/proc/sys/kernel/random/boot_id"]) {
      const found = await Promise.all(hosts.map((host) => host.read(file)));
      expect(new Set(found).size, file).toBe(hosts.length);
    }
  });

  test("each reaches the server through nginx with TLS, and the server sees the address of each", async () => {
    for (const host of hosts) {
      const { stdout } = await fetchHealth(host, "--include");
      expect(stdout).toMatch(/^HTTP\/1\.1 200 .*\{"status":"ok"\}$/s);
      const [, id] = /^x-request-id: (\S+)/im.exec(stdout) ?? [];
      expect(await addressInLog(front.server, id)).toBe(host.address);
    }
  });

  test("nothing leads from a host to anywhere but the wire", async () => {
    expect(await one.shell("ip -oneline route")).toBe(
      `192.168.77.0/24 dev eth0 proto kernel scope link src ${one.address} \n`,
    );
  });

  test("a file of bytes comes through both ways", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
    await one.write("/opt/lab/some file", bytes, "700");
    expect(await one.shell("stat --format '%s %a' '/opt/lab/some file'")).toBe("100000 700\n");
    await one.write("/opt/lab/text", "häuser\n");
    expect(await one.read("/opt/lab/text")).toBe("häuser\n");
  });
});

describe("the front", () => {
  test.each(["stranger", "other-name", "expired"] as const)("a host refuses a certificate that is %s", async (flaw) => {
    await front.showCertificate(flaw);
    expect(await fetchHealth(one)).toMatchObject({ code: 60, stdout: "" });
    await front.showCertificate();
    expect(await isServed(one)).toBe(true);
  });

  test("the server restarts with its data, ends without a word, and moves, and the name stays", async () => {
    const [before, data] = [front.server.baseUrl, front.server.dataDir];
    await front.restartServer();
    expect(await isServed(one)).toBe(true);
    await front.restartServer("SIGKILL");
    expect(await isServed(one)).toBe(true);
    expect({ url: front.server.baseUrl, data: front.server.dataDir }).toEqual({ url: before, data });
    await front.moveServer();
    expect(await isServed(one)).toBe(true);
    expect(front.server.baseUrl).not.toBe(before);
    expect((await front.ask("/api/health")).text).toBe('{"status":"ok"}');
  });

  test("the name can lead to somebody else, and back", async () => {
    const rogue = await startEchoServer();
    await front.leadTo(rogue.address);
    expect((await fetchHealth(one)).stdout).toBe("heard");
    await front.leadTo(undefined);
    await rogue.stop();
    expect(await isServed(one)).toBe(true);
  });
});

describe("a restart and a power cut", () => {
  const unit = `
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'echo began $(cat /proc/sys/kernel/random/boot_id)'
ExecStop=/bin/sh -c 'echo ended >> /var/lib/ended'
[Install]
WantedBy=multi-user.target
`;
  beforeAll(async () => {
    await one.write("/etc/systemd/system/lab-life.service", unit);
    await one.shell("systemctl enable --now lab-life");
  });

  test.each([
    { what: "a restart ends every unit in order", act: () => one.restart(), ended: "ended\n" },
    { what: "a power cut ends none", act: () => one.cutPower(), ended: "" },
  ])("$what; then it is another boot of the same host, and on the wire", async ({ act, ended }) => {
    await one.shell("rm -f /var/lib/ended; touch /var/lib/ended /run/lab-here; nft add table inet lab_here");
    const [machine, boot] = [await one.read("/etc/machine-id"), await bootOf(one)];
    const began = performance.now();
    await act();
    console.log(`${one.name} is back after ${Math.round(performance.now() - began)} ms`);
    expect(await one.read("/var/lib/ended")).toBe(ended);
    expect(await one.read("/etc/machine-id")).toBe(machine);
    expect(await bootOf(one)).not.toBe(boot);
    expect((await one.run("ls", "/run/lab-here")).code).toBe(2);
    expect(await one.shell("nft list tables")).toBe("");
    expect(await isServed(one)).toBe(true);
    expect(await one.journal("lab-life")).toMatch(new RegExp(`began ${boot}.*began ${await bootOf(one)}`, "s"));
  });
});

describe("the wire", () => {
  const pings = "type filter hook input priority 0; icmp type echo-request counter;";
  const seen = `table inet seen { chain pings { ${pings} }; }`;
  const once = ["-c", "1", "-W", "1"];
  const heardBy = {
    host: async () => packetsIn(await one.shell("nft list table inet seen")),
    server: async () => packetsIn((await sh("nft", ["list", "table", "inet", "seen"])).stdout),
  };
  beforeAll(async () => {
    await one.run("nft", seen);
    await sh("nft", [seen]);
  });
  afterAll(() => sh("nft", ["delete", "table", "inet", "seen"]));

  test("cut towards the server, the host still hears it and cannot answer", async () => {
    await introduce();
    await one.cut("toServer");
    const [host, server] = [await heardBy.host(), await heardBy.server()];
    await until("the host hears the server", async () => {
      await expect(sh("ping", [...once, one.address])).rejects.toThrow("100% packet loss");
      return (await heardBy.host()) > host;
    });
    expect((await one.run("ping", ...once, serverAddress)).code).toBe(1);
    expect(await heardBy.server()).toBe(server);
  });

  test("cut away from the server, the server still hears it and nothing comes back", async () => {
    await introduce();
    await one.cut("fromServer");
    const [host, server] = [await heardBy.host(), await heardBy.server()];
    await until("the server hears the host", async () => {
      expect((await one.run("ping", ...once, serverAddress)).code).toBe(1);
      return (await heardBy.server()) > server;
    });
    await expect(sh("ping", [...once, one.address])).rejects.toThrow("100% packet loss");
    expect(await heardBy.host()).toBe(host);
  });

  test("cut both ways it stays cut over a power cut; the others have their wires, and mended it is whole", async () => {
    await one.cut("both");
    await one.cutPower();
    expect(await fetchHealth(one, "--max-time", "1")).toMatchObject({ code: 28 });
    expect(await isServed(other)).toBe(true);
    await one.mend();
    expect(await isServed(one)).toBe(true);
    expect((await one.run("ping", ...answeredOnce(other.address))).code).toBe(0);
  });

  /** Who has not met is asked for by broadcast, and that would be cut as well. */
  async function introduce(): Promise<void> {
    await one.mend();
    await sh("ping", answeredOnce(one.address));
    expect((await one.run("ping", ...answeredOnce(serverAddress))).code).toBe(0);
  }
});

describe("units", () => {
  const hardened = `
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'id --user; date +%%s > /var/lib/lab-agent/time'
DynamicUser=yes
StateDirectory=lab-agent
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
CapabilityBoundingSet=
MemoryMax=128M
TasksMax=32
`;
  beforeAll(() => other.write("/etc/systemd/system/lab-agent.service", hardened));

  test("one of a user made for it runs, in a cage", async () => {
    await other.shell("systemctl daemon-reload && systemctl start lab-agent");
    const [, user] = /\]: (\d+)$/m.exec(await other.journal("lab-agent")) ?? [];
    expect(Number(user)).toBeGreaterThanOrEqual(61_184);
    const { stdout } = await other.run("systemd-analyze", "security", "--no-pager", "lab-agent.service");
    expect(stdout).toMatch(/Overall exposure level for lab-agent\.service: \d\.\d (OK|MEDIUM)/);
  });

  test("one can live at another time, and the host does not", async () => {
    const day = 86_400;
    await other.shiftClock("+90d", "lab-agent.service");
    const before = Number(await other.shell("date +%s"));
    await other.shell("systemctl start lab-agent");
    const after = Number(await other.shell("date +%s"));
    const inUnit = Number(await other.read("/var/lib/lab-agent/time"));
    expect(inUnit - 90 * day).toBeGreaterThanOrEqual(before);
    expect(inUnit - 90 * day).toBeLessThanOrEqual(after);
  });
});

function fetchHealth(host: ManagedHost, ...words: readonly string[]) {
  return host.run("curl", "--silent", ...words, `${front.url}/api/health`);
}

async function isServed(host: ManagedHost): Promise<boolean> {
  return (await fetchHealth(host)).stdout === '{"status":"ok"}';
}

async function bootOf(host: ManagedHost): Promise<string> {
  return (await host.read("/proc/sys/kernel/random/boot_id")).trim();
}

function packetsIn(listing: string): number {
  return Number(/packets (\d+)/.exec(listing)?.[1]);
}

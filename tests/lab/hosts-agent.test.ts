import { agentSubprotocol } from "@gatehouse/channel";
import type { NodeMetrics } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processDriver } from "../acceptance/driver/process-driver.ts";
import { until } from "../support/until.ts";
import { startFalseServer } from "../support/false-server.ts";
import { agentUnit as unit, connected, statusOf, untilSays } from "./agent-on-host.ts";
import { FleetDesk, fleetSettings, hoursAhead } from "./fleet-desk.ts";
import type { Front } from "./front.ts";
import { type ManagedHost, trustedFile } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";

/** Real agents on real hosts, behind the real nginx. Beats come every second, so that three missed ones are soon missed. */
let lab: Lab<"alpha" | "beta" | "gamma"> | undefined;
let front: Front;
let desk: FleetDesk;
let alpha: ManagedHost;
let beta: ManagedHost;
let gamma: ManagedHost;

beforeAll(async () => {
  lab = await openLab(["alpha", "beta", "gamma"], fleetSettings);
  ({ front } = lab);
  ({ alpha, beta, gamma } = lab.hosts);
  desk = new FleetDesk(front);
});
afterAll(() => lab?.close());

const pidOf = async (host: ManagedHost) =>
  (await host.shell(`systemctl show ${unit} --property=MainPID --value`)).trim();

describe("the printed line", () => {
  test("downloads, checks, installs and enrols; the host is online, and says so itself", async () => {
    const said = await alpha.shell(await desk.line({ tags: ["web"] }));
    expect(said).toContain("gatehouse-agent: OK");
    const node = await desk.online(alpha);
    expect(node).toMatchObject({ name: "alpha", tags: ["web"], address: alpha.address, state: "online" });
    expect(said).toContain(node.id.slice(-8));
    expect(await statusOf(alpha)).toContain(node.id);
  });

  test("with the code in a file, as machines do it, enrols the others", async () => {
    await Promise.all(
      [beta, gamma].map(async (host) => {
        const line = await desk.line();
        const [, code] = / enrol (ghe1_\S+) /.exec(line) ?? [];
        await host.write("/run/code", `${code}\n`, "600");
        await host.shell(line.replace(` enrol ${code} `, " enrol --code-file /run/code "));
        await desk.online(host);
      }),
    );
    expect((await desk.nodes()).map(({ hostname }) => hostname).toSorted()).toEqual(["alpha", "beta", "gamma"]);
  });

  test("run again with a digest that is not the agent's, runs nothing", async () => {
    const line = (await desk.line()).replace(/[0-9a-f]{64}/, "0".repeat(64));
    const { code, stdout } = await alpha.run("sh", "-euc", `cd "$(mktemp -d)"; ${line}`);
    expect({ code, failed: stdout.includes("gatehouse-agent: FAILED") }).toEqual({ code: 1, failed: true });
  });

  test("with a code that was used enrols nobody, and leaves the host as it was", async () => {
    const { code } = await desk.code();
    const enrol = (host: ManagedHost) => host.run("gatehouse-agent", "enrol", code, "--ca", trustedFile);
    const before = await desk.online(beta);
    expect((await enrol(gamma)).code).toBe(0);
    const second = await enrol(beta);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("enrol.code_used")]);
    await desk.online(gamma);
    expect(await desk.online(beta)).toMatchObject({ id: before.id });
    expect(await desk.nodes()).toHaveLength(3);
  });
});

describe("what a host is", () => {
  test("facts come signed from its helper: system, kernel, agent, ceiling, addresses, units", async () => {
    const node = await desk.until(alpha, ({ facts }) => facts !== null, "has facts");
    const digest = (await alpha.shell("sha256sum /usr/lib/gatehouse/gatehouse-agent")).slice(0, 64);
    expect(node.facts).toMatchObject({
      agentSha256: digest,
      arch: process.arch,
      mode: "monitor",
      kernel: (await alpha.shell("uname -r")).trim(),
      os: expect.stringContaining("Debian"),
      addresses: expect.arrayContaining([alpha.address]),
    });
    // The machine has one clock: whatever it shows, its hosts show the same.
    expect(hoursAhead(node, await desk.online(beta))).toBe(0);
  });

  test("root raises the ceiling on the host, the kernel keeps it, and the server shows it", async () => {
    await alpha.shell("mkdir -p /etc/nginx && gatehouse-agent ceiling set managed --allow file.write:/etc/nginx");
    const node = await desk.until(alpha, ({ facts }) => facts?.mode === "managed", "is managed");
    expect(node.facts?.ceiling).toContain("/etc/nginx");
    const opened = await alpha.shell("systemctl show gatehouse-helper.service --property=ReadWritePaths --value");
    expect(opened).toContain("/etc/nginx");
    await alpha.shell("gatehouse-agent ceiling set monitor");
    await desk.until(alpha, ({ facts }) => facts?.mode === "monitor", "is monitor again");
  });

  test("the network part has no right that it does not need, and nobody else reaches the helper", async () => {
    const { stdout } = await alpha.run("systemd-analyze", "security", "--no-pager", unit, "gatehouse-helper.service");
    console.log(
      stdout
        .split("\n")
        .filter((line) => line.includes("Overall"))
        .join("\n"),
    );
    const [score] =
      (await alpha.run("systemd-analyze", "security", "--no-pager", unit)).stdout.match(/level for \S+: [\d.]+/) ?? [];
    expect(Number(score?.split(" ").at(-1))).toBeLessThanOrEqual(2.5);
    const user = (await alpha.shell(`ps -o user= -p ${await pidOf(alpha)}`)).trim();
    expect(user).not.toBe("root");
    const knock = await alpha.run(
      "setpriv",
      "--reuid=65534",
      "--regid=65534",
      "--clear-groups",
      "test",
      "-w",
      "/run/gatehouse/helper.sock",
    );
    expect(knock.code).not.toBe(0);
  });
});

describe("the control channel behind nginx", () => {
  const path = "/api/agent/control/stream";
  const handshake = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol": agentSubprotocol,
  };

  test("is upgraded for agents, which beat through it from their own addresses and may be silent for longer than a request", async () => {
    for (const host of [alpha, beta, gamma]) {
      const { lastSeenAt: before } = await desk.online(host);
      const seen = await desk.until(host, (node) => node.state === "online" && node.lastSeenAt !== before, "is seen");
      expect(seen).toMatchObject({ address: host.address });
    }
    const ofPaths = /location ~ \^\/api\/\(.*\|agent\/\(terminal\|control\)\/stream\)\$ \{([^}]*)\}/.exec(
      front.config,
    )?.[1];
    for (const directive of ["proxy_read_timeout", "proxy_send_timeout"]) {
      expect(front.config).toContain(`    ${directive} 300s;`);
      expect(ofPaths).toContain(`${directive} 1h;`);
    }
  });

  test("is no page, and nothing beside it is a channel: a plain request is told to upgrade, a handshake elsewhere is a request", async () => {
    const plain = await front.ask(path);
    expect([plain.status, plain.headers["content-type"]]).toEqual([426, "application/problem+json"]);
    expect(plain.json).toMatchObject({ status: 426, code: "request.upgrade_required" });
    for (const [elsewhere, status] of [
      [`${path}/more`, 404],
      ["/api/agent/control", 404],
      ["/api/nodes", 401],
    ] as const) {
      const answer = await front.ask({ path: elsewhere, headers: handshake });
      expect([answer.status, answer.headers["content-type"]]).toEqual([status, "application/problem+json"]);
    }
  });
});

describe("whatever happens to a host", () => {
  test("an agent that is killed is there again, with the same identity", async () => {
    const [{ id }, before] = [await desk.online(alpha), await pidOf(alpha)];
    await alpha.shell(`kill -9 ${before}`);
    await until("another process", async () => !["0", before].includes(await pidOf(alpha)));
    await untilSays(alpha, connected);
    expect(await desk.online(alpha)).toMatchObject({ id });
  });

  test("a host that restarts, and one whose power is cut, are there again with the same identity", async () => {
    const before = await Promise.all([desk.online(alpha), desk.online(beta)]);
    await Promise.all([alpha.restart(), beta.cutPower()]);
    await Promise.all([untilSays(alpha, connected), untilSays(beta, connected)]);
    const after = await Promise.all([desk.online(alpha), desk.online(beta)]);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test("a network that is cut one way, the other way or both is noticed by both ends, and mended", async () => {
    const cuts = [
      [alpha, "both"],
      [beta, "toServer"],
      [gamma, "fromServer"],
    ] as const;
    await Promise.all(cuts.map(([host]) => desk.online(host)));
    await Promise.all(cuts.map(([host, what]) => host.cut(what)));
    await Promise.all(
      cuts.map(async ([host]) => {
        await desk.until(host, ({ state }) => state === "offline", "is offline");
        await untilSays(host, /"state": ?"(waiting|connecting)"/);
      }),
    );
    await Promise.all(cuts.map(([host]) => host.mend()));
    await Promise.all(cuts.map(([host]) => desk.online(host)));
    for (const [host] of cuts) expect(await host.journal(unit)).toContain("channel.silent");
  });
});

describe("what a host tells of itself", () => {
  test("outlives its connection: what happened while it was cut off is on the record when it is back, once", async () => {
    const { id } = await desk.online(beta);
    await beta.cut("both");
    await desk.until(beta, ({ state }) => state === "offline", "is offline");
    await beta.shell(`systemctl restart ${unit}`);
    await beta.mend();
    await desk.online(beta);
    const kept = async () => (await desk.events(id)).filter(({ what }) => what === "agent.started");
    const starts = (await beta.journal(unit)).match(/Started gatehouse-agent\.service/g)?.length ?? 0;
    await until("every start is told", async () => (await kept()).length >= starts);
    const told = (await desk.events(id)).map(({ seq }) => seq);
    expect(told).toEqual([...new Set(told)].toSorted((one, other) => one - other));
    await untilSays(beta, /"records": ?0/);
  });
});

describe("whatever happens to the server", () => {
  test("it restarts, is killed, and moves: every host comes back by itself", async () => {
    for (const act of [() => front.restartServer(), () => front.restartServer("SIGKILL"), () => front.moveServer()]) {
      await act();
      await Promise.all([alpha, beta, gamma].map((host) => desk.online(host)));
    }
  });

  test.each(["stranger", "other-name", "expired"] as const)(
    "a certificate that is %s is refused by name, and nothing is said to whoever shows it",
    async (flaw) => {
      await front.showCertificate(flaw);
      await alpha.shell(`systemctl restart ${unit}`);
      await untilSays(alpha, /hello\.tls/);
      await front.showCertificate();
      await desk.online(alpha);
      await untilSays(alpha, connected);
    },
  );

  test("another server under the same name is refused by its key, and ours is taken again", async () => {
    const rogue = await processDriver.start({
      settings: { SERVICE_PUBLIC_URL: front.url, SERVICE_TRUST_PROXY: "1", SERVICE_LISTEN: "127.0.0.1:0" },
    });
    try {
      await front.leadTo(new URL(rogue.baseUrl).host);
      await alpha.shell(`systemctl restart ${unit}`);
      await untilSays(alpha, /hello\.server_key/);
    } finally {
      await front.leadTo(undefined);
      await rogue.stop();
    }
    await desk.online(alpha);
    await untilSays(alpha, connected);
  });

  test("a server without a common version is refused by name; one that also speaks a later one is answered in ours", async () => {
    const node = await desk.online(beta);
    const later = await startFalseServer({ key: await desk.serverKey(), versions: { min: 2, max: 2 } });
    const both = await startFalseServer({ key: await desk.serverKey(), versions: { min: 1, max: 2 } });
    try {
      await front.leadTo(later.place);
      await beta.shell(`systemctl restart ${unit}`);
      await untilSays(beta, /hello\.version/);
      expect(later.hellos).toEqual([]);
      await front.leadTo(both.place);
      await beta.shell(`systemctl restart ${unit}`);
      await until("a hello came", () => both.hellos.length > 0);
      expect(both.hellos[0]).toMatchObject({ chosen: 1, versions: { min: 1, max: 2 }, nodeId: node.id });
    } finally {
      await front.leadTo(undefined);
      await Promise.all([later.stop(), both.stop()]);
    }
    await desk.online(beta);
  });
});

describe("what a host measures", () => {
  test("is with the server a minute later, as its own kernel says it, whatever the unit hides", async () => {
    const { id } = await desk.online(gamma);
    let told: NodeMetrics | undefined;
    // It has been running for minutes by now: only one that has come up just now is waited for.
    await until(
      "a whole minute is with the server",
      async () => {
        const { status, json } = await desk.owner.send("GET", `/api/nodes/${id}/metrics`);
        told = status === 200 ? (json as unknown as NodeMetrics) : undefined;
        return told !== undefined && told.minutes >= 1 && told.latest !== null;
      },
      500,
    );
    const cores = Number(await gamma.shell("grep -c '^cpu[0-9]' /proc/stat"));
    const memory = 1_024 * Number(await gamma.shell("awk '/^MemTotal:/ { print $2 }' /proc/meminfo"));
    expect(cores).toBeGreaterThan(0);
    expect(told?.latest).toMatchObject({ cores, disk: expect.any(Number), diskTotal: expect.any(Number) });
    // The server keeps sizes in steps.
    expect(Math.abs((told?.latest?.memoryTotal ?? 0) - memory)).toBeLessThan(2 * 1024 * 1024);
    for (const name of ["load", "memory", "uptime"] as const) expect(told?.latest?.[name], name).not.toBeNull();
  });
});

describe("the end of a node", () => {
  test("a revoked host is cut off and says so; a fresh code lets the same host back in", async () => {
    const { id } = await desk.online(gamma);
    await desk.revoke(id);
    await untilSays(gamma, /hello\.revoked/);
    expect(await desk.node(gamma)).toMatchObject({ state: "revoked" });
    await gamma.shell(`gatehouse-agent enrol ${(await desk.code()).code} --ca ${trustedFile}`);
    expect(await desk.online(gamma)).toMatchObject({ id });
  });

  test("uninstall says what it leaves and removes it only when told", async () => {
    expect(await gamma.shell("gatehouse-agent uninstall --dry-run")).toContain("/var/lib/gatehouse");
    await gamma.shell("gatehouse-agent uninstall");
    await gamma.shell("test -e /var/lib/gatehouse/host.key && test ! -e /usr/lib/gatehouse/gatehouse-agent");
    await desk.until(gamma, ({ state }) => state === "offline", "is offline");
  });
});

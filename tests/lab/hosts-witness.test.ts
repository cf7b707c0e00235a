import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { auditWitnessesRoute } from "@gatehouse/contract/routes";
import { openFileStore } from "@gatehouse/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDirectory } from "../acceptance/driver/directories.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { until } from "../support/until.ts";
import { agentUnit, statusOf } from "./agent-on-host.ts";
import { FleetDesk, fleetSettings } from "./fleet-desk.ts";
import type { Front } from "./front.ts";
import { repository } from "./image.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";

/** The witness against a rewritten and a cut log: whoever has the disk of the server, key and all, is named by its hosts. */
let lab: Lab<"alpha" | "beta"> | undefined;
let front: Front;
let desk: FleetDesk;
let hosts: readonly ManagedHost[];
const copies = freshDirectory();

beforeAll(async () => {
  lab = await openLab(["alpha", "beta"], fleetSettings);
  ({ front } = lab);
  const { alpha, beta } = lab.hosts;
  hosts = [alpha, beta];
  desk = new FleetDesk(front);
  for (const host of hosts) {
    await host.shell(await desk.line());
    await desk.online(host);
  }
});
afterAll(() => lab?.close());

async function witnesses() {
  const { status, json } = await desk.owner.send("GET", "/api/audit/witnesses");
  expect(status).toBe(200);
  return auditWitnessesRoute.responses[200].parse(json);
}

/** A head is signed at the start of a server: nobody has to wait a minute for one. */
const restart = (meanwhile?: (dataDir: string) => Promise<void>) => front.restartServer(undefined, meanwhile);

async function untilAgreed(position: number): Promise<void> {
  await until(
    `both hosts hold a head at ${position} or later`,
    async () => {
      const { items } = await witnesses();
      return items.every((one) => one.state === "agrees" && (one.position ?? 0) >= position);
    },
    500,
  );
}

/** Moves the log, and has both hosts hold a head of it. */
async function moveLog(entries: number): Promise<number> {
  for (let n = 0; n < entries; n += 1) await desk.code();
  const { json } = await desk.owner.send("GET", "/api/audit/witness");
  const position = json["position"] as number;
  await restart();
  await untilAgreed(position);
  return position;
}

const place = (name: string) => join(copies, name);
const copyTo = (name: string) => async (dataDir: string) => cpSync(dataDir, place(name), { recursive: true });
const restore = (name: string) => async (dataDir: string) => {
  rmSync(dataDir, { recursive: true });
  mkdirSync(dataDir, { mode: 0o700 });
  cpSync(place(name), dataDir, { recursive: true });
};

async function untilRefused(code: RegExp): Promise<Awaited<ReturnType<typeof witnesses>>> {
  await until("both hosts refuse", async () => (await witnesses()).summary.refuse === 2, 500);
  for (const host of hosts) await until(`${host.name} says ${code}`, async () => code.test(await statusOf(host)), 500);
  return witnesses();
}

async function fileOf(host: ManagedHost): Promise<string> {
  const path = place(`${host.name}.json`);
  writeFileSync(path, (await host.run("gatehouse-agent", "witness", "show", "--json")).stdout);
  return path;
}

function verify(dataDir: string, witness: string) {
  const words = ["audit", "verify", "--data-dir", dataDir, "--witness", witness];
  const program = join(repository, "apps/cli/src/main.ts");
  return spawnSync(process.execPath, [program, ...words], { encoding: "utf8", env: childEnvironment() });
}

async function acceptAll(): Promise<void> {
  for (const host of hosts) {
    await host.shell("gatehouse-agent witness accept --yes");
    await host.shell(`systemctl restart ${agentUnit}`);
  }
  await until("both hosts agree", async () => (await witnesses()).summary.agree === 2, 500);
}

test("every host holds the newest signed head, and says so", async () => {
  await moveLog(3);
  for (const host of hosts) expect(await statusOf(host)).toMatch(/"witness": ?\{\s*"held": ?\{/);
  expect((await witnesses()).summary).toMatchObject({ agree: 2, refuse: 0, first: null });
});

test("a log that was cut off is refused by every host, named by the server, and by the file of a host", async () => {
  await restart(copyTo("before"));
  const position = await moveLog(5);
  const file = await fileOf(hosts[0] as ManagedHost);
  await restart(restore("before"));
  const { summary } = await untilRefused(/witness\.regressed/);
  expect(summary.first).toMatchObject({ state: "refuses", code: "witness.regressed" });
  expect(summary.first?.position ?? 0).toBeGreaterThanOrEqual(position);
  expect(summary.first?.detail).toMatch(/this host saw it at \d+: shorter by \d+ entr/);
  const found = verify(place("before"), file);
  expect([found.status, found.stdout]).toEqual([
    1,
    expect.stringMatching(/its end was cut off[^]*node_\w+ knows better/),
  ]);
  expect(await (hosts[0] as ManagedHost).journal("gatehouse-helper.service")).toMatch(
    /is not believed: witness\.regressed/,
  );
  await acceptAll();
});

test("a log that was written anew, with the key and as long, is refused by every host and named where it begins to differ", async () => {
  await restart(copyTo("fresh"));
  await moveLog(4);
  const file = await fileOf(hosts[1] as ManagedHost);
  const forged = async (dataDir: string) => {
    await restore("fresh")(dataDir);
    const store = await openFileStore({ directory: dataDir });
    for (let n = 0; n < 60; n += 1) {
      await store.commit(
        inventedEntry({ at: Date.now(), actor: "system", action: "settings.changed", subject: "settings/server" }),
      );
    }
    await store.close();
    await copyTo("forged")(dataDir);
  };
  await restart(forged);
  const { summary } = await untilRefused(/witness\.(fork|regressed)/);
  expect(summary.first).toMatchObject({ code: "witness.fork", detail: expect.stringMatching(/saw another entry/) });
  const found = verify(place("forged"), file);
  expect([found.status, found.stdout]).toEqual([1, expect.stringMatching(/expected link[^]*node_\w+ knows better/)]);
  await acceptAll();
});

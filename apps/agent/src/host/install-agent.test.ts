import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordedHost, shownUnit } from "../../test/recorded-host.ts";
import { writeDropIn } from "../ceiling/set-ceiling.ts";
import { type AgentPaths, agentPaths } from "../config.ts";
import { needFitHost } from "./check-host.ts";
import { installAgent, startAgent } from "./install-agent.ts";
import { planUninstall, uninstallAgent } from "./uninstall-agent.ts";
import { uninstallReport } from "./uninstall-report.ts";
import { unitFiles } from "./unit-files.ts";

const needNoOpenChange = async () => undefined;
const openChange = () => Promise.reject(fault("slot.busy", "a change is open"));
let paths: AgentPaths;
let self: string;

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-install-"));
  paths = agentPaths(root);
  self = join(root, "downloaded");
  await writeFile(self, "program one");
  await mkdir(join(root, "usr/lib"), { recursive: true });
});

afterEach(() => rm(paths.root, { recursive: true, force: true }));

const mode = async (path: string) => (await stat(path)).mode & 0o777;

test("program, name, group and units are in their places with their rights, and the door is opened last", async () => {
  const { run, lines } = recordedHost({ "systemctl show gatehouse-helper": shownUnit("inactive") });
  await installAgent({ paths, run, self, needNoOpenChange });
  expect(await readFile(paths.binary, "utf8")).toBe("program one");
  expect(await mode(paths.binary)).toBe(0o755);
  expect(await readFile(paths.rescue, "utf8")).toBe("program one");
  expect(await mode(paths.rescue)).toBe(0o755);
  expect(await readlink(paths.link)).toBe("../lib/gatehouse/gatehouse-agent");
  for (const [name, text] of Object.entries(unitFiles)) {
    expect(await readFile(join(paths.units, name), "utf8")).toBe(text);
    expect(await mode(join(paths.units, name))).toBe(0o644);
  }
  expect(await mode(paths.helperState)).toBe(0o700);
  expect(lines.filter((line) => !line.startsWith("systemctl show"))).toEqual([
    `systemd-sysusers ${paths.groupFile}`,
    "systemctl daemon-reload",
    "systemctl enable gatehouse-boot.service",
    "systemctl enable --now gatehouse-helper.socket",
  ]);
});

test("a second run replaces the program, ends the old helper, and keeps identity, ceiling and outbox", async () => {
  const { run, lines } = recordedHost({ "systemctl show gatehouse-helper": shownUnit("active") });
  await installAgent({ paths, run, self, needNoOpenChange });
  await mkdir(paths.networkState, { recursive: true });
  const kept = [paths.hostKey, paths.ceiling, paths.server, join(paths.networkState, "outbox")];
  for (const path of kept) await writeFile(path, "kept");
  await writeFile(self, "program two");
  lines.length = 0;
  await installAgent({ paths, run, self, needNoOpenChange });
  expect(await readFile(paths.binary, "utf8")).toBe("program two");
  expect(await readFile(paths.rescue, "utf8")).toBe("program two");
  for (const path of kept) expect(await readFile(path, "utf8")).toBe("kept");
  expect(lines).toContain("systemctl stop gatehouse-helper.service");
  expect(await readdir(join(paths.binary, ".."))).toEqual(["gatehouse-agent", "rescue"]);
  expect(await readdir(join(paths.rescue, ".."))).toEqual(["gatehouse-agent"]);
});

test("the installed program may install itself again", async () => {
  const { run } = recordedHost();
  await installAgent({ paths, run, self, needNoOpenChange });
  await installAgent({ paths, run, self: paths.binary, needNoOpenChange });
  expect(await readFile(paths.binary, "utf8")).toBe("program one");
});

test("a program of somebody else that has our name in /usr/bin stays, and is told", async () => {
  await mkdir(join(paths.link, ".."), { recursive: true });
  await writeFile(paths.link, "another");
  expect((await installAgent({ paths, run: recordedHost().run, self, needNoOpenChange })).join()).toContain(
    "was left as it is",
  );
  expect(await readFile(paths.link, "utf8")).toBe("another");
  expect(planUninstall(paths, true).removes).not.toContain(paths.link);
});

test("without systemd-sysusers the group is made by groupadd, and one that is there is good", async () => {
  const { run, lines } = recordedHost({ "systemd-sysusers": undefined, groupadd: { code: 9 } });
  await installAgent({ paths, run, self, needNoOpenChange });
  expect(lines).toContain("groupadd --system gatehouse");
});

test("a failing systemctl is told with what it said", async () => {
  const { run } = recordedHost({ "systemctl daemon-reload": { code: 1, stderr: "Access denied\n" } });
  await expect(installAgent({ paths, run, self, needNoOpenChange })).rejects.toThrowError(
    /agent\.command_failed.*daemon-reload.*Access denied/,
  );
});

test("after enrolment the agent starts now and after every boot", async () => {
  const { run, lines } = recordedHost();
  await startAgent(run);
  expect(lines).toEqual(["systemctl enable gatehouse-agent.service", "systemctl restart gatehouse-agent.service"]);
});

test.each([
  ["systemctl --version", undefined, /host\.unsuitable: systemd was not found/],
  ["systemctl --version", { stdout: "systemd 245 (245.4)\n" }, /systemd 245 is too old, expected 247/],
  ["getconf GNU_LIBC_VERSION", { stdout: "glibc 2.9\n" }, /glibc 2\.9 is too old/],
  ["nft --version", { stdout: "nftables v0.9.3 (Topsy)\n" }, /nft 0\.9\.3 is too old/],
])("a host whose `%s` answers %j is refused by name", async (command, answer, problem) => {
  await expect(needFitHost(recordedHost({ [command]: answer }).run)).rejects.toThrowError(problem);
});

test("a host without nft is taken, and the word for it is kept", async () => {
  const checks = await needFitHost(recordedHost({ "nft --version": undefined }).run);
  expect(checks.filter(({ verdict }) => verdict === "missing").map(({ name }) => name)).toEqual(["nft"]);
});

test("removing leaves identity, state and decisions, and says so", async () => {
  const { run, lines } = recordedHost({ "systemctl show": shownUnit("active") });
  await installAgent({ paths, run, self, needNoOpenChange });
  await writeFile(paths.hostKey, "kept");
  const plan = planUninstall(paths, false);
  expect(plan.leaves.map(({ path }) => path)).toEqual([paths.helperState, paths.settings]);
  lines.length = 0;
  await uninstallAgent(plan, { paths, run, needNoOpenChange });
  expect(await readFile(paths.hostKey, "utf8")).toBe("kept");
  expect(planUninstall(paths, false).removes).toEqual([]);
  expect(lines.filter((line) => !line.startsWith("systemctl show"))).toEqual([
    "systemctl disable --now gatehouse-agent.service",
    "systemctl disable --now gatehouse-helper.socket",
    "systemctl disable --now gatehouse-boot.service",
    "systemctl stop gatehouse-helper.service",
    "systemctl stop gatehouse-deadman.timer",
    "systemctl stop gatehouse-deadman.service",
    "systemctl daemon-reload",
    "groupdel gatehouse",
  ]);
});

test("removing takes along what the kernel keeps of a ceiling, beside each unit that has it", async () => {
  const { run } = recordedHost({ "systemctl show": shownUnit("inactive", "not-found") });
  await installAgent({ paths, run, self, needNoOpenChange });
  const kept = ["gatehouse-helper.service.d", "gatehouse-boot.service.d"].map((name) =>
    join(paths.root, "etc/systemd/system", name),
  );
  await writeDropIn(paths, { schema: 1, level: "managed", allow: ["file.write:/etc/nginx"] });
  const plan = planUninstall(paths, false);
  expect(plan.removes).toEqual(expect.arrayContaining(kept));
  for (const path of kept) expect(await readdir(path)).toEqual(["50-ceiling.conf"]);
  await uninstallAgent(plan, { paths, run, needNoOpenChange });
  expect(await readdir(join(paths.root, "etc/systemd/system"))).toEqual([]);
});

test("with --purge nothing of it is left, and units that are not there are not stopped", async () => {
  const { run, lines } = recordedHost({ "systemctl show": shownUnit("inactive", "not-found") });
  await installAgent({ paths, run, self, needNoOpenChange });
  lines.length = 0;
  await uninstallAgent(planUninstall(paths, true), { paths, run, needNoOpenChange });
  expect(planUninstall(paths, true)).toEqual({ removes: [], leaves: [], tables: [], interfaces: [] });
  expect(lines.filter((line) => !line.startsWith("systemctl show"))).toEqual([
    "systemctl daemon-reload",
    "groupdel gatehouse",
  ]);
});

test("while a change is open nothing is installed and nothing removed", async () => {
  const { run, lines } = recordedHost();
  const busy = { paths, run, self, needNoOpenChange: openChange };
  await expect(installAgent(busy)).rejects.toThrowError(/^slot\.busy/);
  expect(await readdir(join(paths.root, "usr/lib"))).toEqual([]);
  await installAgent({ ...busy, needNoOpenChange });
  lines.length = 0;
  await expect(uninstallAgent(planUninstall(paths, true), busy)).rejects.toThrowError(/^slot\.busy/);
  expect(await readFile(paths.rescue, "utf8")).toBe("program one");
  expect(lines).toEqual([]);
});

test("removing tells of interfaces that stay until the next boot, and of none where there are none", async () => {
  await installAgent({ paths, run: recordedHost().run, self, needNoOpenChange });
  await mkdir(paths.wireguard, { recursive: true });
  await writeFile(join(paths.wireguard, "wg1.key"), "");
  expect(uninstallReport(planUninstall(paths, true), true).lines.join("\n")).not.toContain("WireGuard");
  for (const name of ["wg1.conf", "wg1.ip", "wg0.conf", "wg0.ip"]) await writeFile(join(paths.wireguard, name), "");
  const { lines, json } = uninstallReport(planUninstall(paths, true), false);
  expect(lines.at(-1)).toMatch(/stay until the next boot, and are not set up then: wg0, wg1\.$/);
  expect(json).toMatchObject({ interfaces: ["wg0", "wg1"] });
});

test("removing tells of firewall tables that stay until the next boot, and of none where there are none", async () => {
  await installAgent({ paths, run: recordedHost().run, self, needNoOpenChange });
  expect(uninstallReport(planUninstall(paths, true), true).lines.join("\n")).not.toContain("Firewall");
  await mkdir(paths.tables, { recursive: true });
  for (const name of ["web.nft", "admin.nft", "half.tmp"]) await writeFile(join(paths.tables, name), "");
  const { lines, json } = uninstallReport(planUninstall(paths, true), false);
  expect(lines.at(-1)).toMatch(/stay in the kernel until the next boot, and are not loaded then: admin, web\.$/);
  expect(json).toMatchObject({ tables: ["admin", "web"] });
  await rm(paths.tables, { recursive: true });
  await symlink(paths.tables, paths.tables);
  expect(() => planUninstall(paths, true)).toThrowError(/ELOOP/);
});

import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { firstTrust } from "@gatehouse/approval/verify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeApproverKey } from "../../test/approver-keys.ts";
import { recordedHost, shownUnit } from "../../test/recorded-host.ts";
import { type AgentPaths, agentPaths } from "../config.ts";
import { testBuildWords } from "../commands/agent-version.ts";
import { installAgent } from "../host/install-agent.ts";
import { rootOwner } from "../host/need-root.ts";
import { findUnitStates } from "../host/systemd.ts";
import { unitNames } from "../host/unit-files.ts";
import type { ChangeStatus } from "./change-status.ts";
import { type ConnectionStatus, connectionStatusText, parseConnectionStatus } from "./connection-status.ts";
import { doctorReport } from "./doctor-report.ts";
import { examineHost } from "./examine-host.ts";
import { examineRescue } from "./examine-rescue.ts";
import { readLocalState } from "./read-local.ts";
import { statusReport } from "./status-report.ts";

let paths: AgentPaths;
const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const connected: ConnectionStatus = {
  schema: 1,
  at,
  server: "https://gh.example",
  state: "connected",
  connectedAt: at,
  lastClose: { at, code: "frame.rate", detail: "too many" },
  nextTryAt: null,
  outbox: { records: 3, bytes: 120, dropped: 0 },
};

beforeEach(async () => {
  paths = agentPaths(await mkdtemp(join(tmpdir(), "gatehouse-status-")));
});

afterEach(() => rm(paths.root, { recursive: true, force: true }));

async function put(path: string, text: string, mode = 0o600): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
}

const untouched: ChangeStatus = { t: "told", open: undefined, last: undefined };
const status = async (active = "active", change = untouched, isTestBuild = false) => {
  const { run } = recordedHost({ "systemctl show": shownUnit(active) });
  const units = await findUnitStates(run, Object.values(unitNames));
  return statusReport({
    version: "1.2.3",
    isTestBuild,
    local: readLocalState(paths, rootOwner(paths.root)),
    units,
    change,
  });
};
const enrolled = () => put(paths.server, JSON.stringify({ url: "https://gh.example", nodeId: "node_1" }), 0o644);

test("a host that is not enrolled says so, with its own exit code", async () => {
  expect(await status()).toMatchObject({
    ok: false,
    exit: 5,
    json: { enrolled: false, ceilingDigest: expect.any(String) },
  });
});

test("a connected host tells since when, with whom and what waits", async () => {
  await enrolled();
  await put(paths.status, connectionStatusText(connected));
  const { ok, exit, lines } = await status();
  expect({ ok, exit }).toEqual({ ok: true, exit: 0 });
  expect(lines[0]).toBe("This host is connected since 2026-01-02T03:04:05Z.");
  for (const part of [
    "Server: https://gh.example",
    "Node: node_1",
    "frame.rate: too many",
    "3 (120 bytes)",
    "restarted 2 times",
  ]) {
    expect(lines.join("\n")).toContain(part);
  }
});

test("an enrolled host whose key is gone is told", async () => {
  await enrolled();
  expect(await status()).toMatchObject({
    json: { hasHostKey: false },
    lines: expect.arrayContaining([expect.stringContaining("key of this host is missing")]),
  });
  await put(paths.hostKey, "key");
  expect(await status()).toMatchObject({ json: { hasHostKey: true } });
});

test("what an agent wrote that no longer runs is not taken for now", async () => {
  await enrolled();
  await put(paths.status, connectionStatusText(connected));
  expect(await status("failed")).toMatchObject({
    ok: false,
    exit: 1,
    lines: expect.arrayContaining(["This host is enrolled, and its agent does not run."]),
  });
});

test("a file that is not sound is a problem that is told, and nothing else is hidden by it", async () => {
  await enrolled();
  await put(paths.ceiling, "{}");
  await put(paths.status, "not json");
  const { json } = await status();
  expect(json).toMatchObject({
    enrolled: true,
    ceiling: null,
    problems: [expect.stringMatching(/^ceiling\.malformed/), expect.stringMatching(/^agent\.file_unusable/)],
  });
});

const trustBytes = () => firstTrust([{ name: "ada", keys: [{ blob: makeApproverKey(1).blob }] }]);
const putCeiling = (accepts?: "signed" | "server") =>
  put(paths.ceiling, JSON.stringify({ schema: 1, level: "managed", allow: ["agent.update"], accepts }));

test("a host says whose word counts, with the approvers, and what it keeps open", async () => {
  await enrolled();
  await putCeiling("signed");
  await put(paths.trust, new TextDecoder().decode(trustBytes()), 0o644);
  const { lines, json } = await status();
  for (const part of ["Only approvers of the trust file count", makeApproverKey(1).fingerprint, "tcp/22:::/0"]) {
    expect(lines.join("\n")).toContain(part);
  }
  expect(json).toMatchObject({ accepts: "signed", keep: ["tcp/22:0.0.0.0/0", "tcp/22:::/0"], trust: { epoch: 1 } });
  await put(paths.ceiling, "{}");
  expect(await status()).toMatchObject({ json: { accepts: null, keep: null, trust: { epoch: 1 } } });
});

test("the doctor says whose word counts, and finds a host that asks approvers whom it cannot tell", async () => {
  const { run } = recordedHost({ "systemctl show ": shownUnit("active") });
  const found = async () => {
    const findings = await examineHost({
      paths,
      owner: rootOwner(paths.root),
      run,
      version: "1.2.3",
      isTestBuild: false,
    });
    const { verdict, found: said, todo } = findings.find(({ name }) => name === "trust") ?? {};
    return `${verdict}: ${said} ${todo}`;
  };
  expect(await found()).toMatch(/^good: nobody is named/);
  await putCeiling("signed");
  expect(await found()).toMatch(/^bad: trust\.none: .*--approver/);
  await put(paths.trust, new TextDecoder().decode(trustBytes()), 0o644);
  expect(await found()).toMatch(/^good: the trust file of epoch 1 names 1 approver $/);
  await putCeiling();
  expect(await found()).toMatch(/^good: .*the ceiling does not ask for it/);
  await chmod(paths.trust, 0o666);
  expect(await found()).toMatch(/^bad: trust\.unsound: .*trust reset/);
  await putCeiling("server");
  expect(await found()).toMatch(/^note: The server's word counts.*--approver/);
});

test("a server file that others may write is not believed", async () => {
  await put(paths.server, JSON.stringify({ url: "https://evil.example" }), 0o666);
  const { lines } = await status();
  expect(lines.join()).not.toContain("evil");
  expect(lines.join()).toContain("agent.file_unusable");
});

test("the status of a connection is read as it was written, and nothing else is", () => {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  expect(parseConnectionStatus(bytes(connected))).toEqual(connected);
  for (const change of [{ state: "fine" }, { outbox: {} }, { more: 1 }]) {
    expect(() => parseConnectionStatus(bytes({ ...connected, ...change }))).toThrowError(/agent\.file_unusable/);
  }
});

test("a build for tests is told as one by the status and the doctor, and keeps nothing from working", async () => {
  expect((await status()).json).toMatchObject({ testBuild: false });
  const { lines, json } = await status("active", untouched, true);
  expect(lines).toContain(testBuildWords);
  expect(json).toMatchObject({ testBuild: true });
  const { run } = recordedHost();
  const deps = { paths, owner: rootOwner(paths.root), run, version: "1.2.3", isTestBuild: true };
  const found = (await examineHost(deps)).find(({ name }) => name === "build");
  expect(found).toMatchObject({ verdict: "note", found: testBuildWords });
});

test("the doctor finds nothing on a host in order", async () => {
  const binary = { [`${paths.binary} --version`]: { stdout: "gatehouse-agent 1.2.3\n" } };
  const { run } = recordedHost({ "systemctl show ": shownUnit("active"), ...binary });
  const self = join(paths.root, "self");
  await put(self, "program");
  await installAgent({ paths, run, self, needNoOpenChange: async () => undefined });
  await enrolled();
  for (const key of [paths.hostKey, paths.channelKey]) await put(key, "key");
  const deps = { paths, owner: rootOwner(paths.root), run, version: "1.2.3", isTestBuild: false };
  const checkReach = async () => [{ name: "way", ok: true, found: "answers", todo: "" }];
  const findings = await examineHost({ ...deps, checkReach });
  expect(findings.filter(({ verdict }) => verdict !== "good")).toEqual([]);
  expect(doctorReport(findings)).toMatchObject({ ok: true });
});

test("the doctor names what is missing, changed, readable by others or handed over by systemd", async () => {
  await put(join(paths.units, unitNames.agent), "[Service]\nExecStart=/bin/sh\n", 0o644);
  await put(paths.hostKey, "key", 0o644);
  const { run } = recordedHost({
    "systemctl show ": shownUnit("failed"),
    "systemctl show-environment": { stdout: "PATH=/bin\nBUN_OPTIONS=--preload x\n" },
    "timedatectl show --property=NTPSynchronized --value": { stdout: "no\n" },
  });
  const findings = await examineHost({
    paths,
    owner: rootOwner(paths.root),
    run,
    version: "1.2.3",
    isTestBuild: false,
  });
  const verdicts = Object.fromEntries(findings.map(({ name, verdict, found }) => [name, `${verdict}: ${found}`]));
  expect(verdicts["program"]).toMatch(/^bad: .*is not there/);
  expect(verdicts["rescue program"]).toMatch(/^bad: .*is not there/);
  expect(verdicts[unitNames.boot]).toMatch(/^bad: .*failed/);
  expect(verdicts[unitNames.agent]).toMatch(/^bad: .*failed/);
  expect(findings.find(({ found }) => found.includes("not as this version writes it"))?.verdict).toBe("bad");
  expect(verdicts["host key"]).toMatch(/^bad: .*read by others/);
  expect(verdicts["environment"]).toMatch(/^note: .*BUN_OPTIONS/);
  expect(verdicts["clock"]).toMatch(/^note/);
  expect(doctorReport(findings)).toMatchObject({ ok: false });
});

test("the doctor looks at what takes changes back: whose it is, and whether it is the installed one", async () => {
  const owner = rootOwner(paths.root);
  const examined = async () => {
    const { verdict, found } = await examineRescue(paths, owner);
    return `${verdict}: ${found}`;
  };
  await put(paths.rescue, "one", 0o755);
  expect(await examined()).toMatch(/^note: .*another program/);
  await put(paths.binary, "two", 0o755);
  expect(await examined()).toMatch(/^note: .*another program/);
  await put(paths.binary, "one", 0o755);
  expect(await examined()).toMatch(/^good/);
  await put(paths.rescue, "one", 0o775);
  expect(await examined()).toMatch(/^bad: .*others than root/);
});

test("the doctor finds a boot unit that will not run", async () => {
  const disabled = { stdout: shownUnit("inactive").stdout.replace("UnitFileState=enabled", "UnitFileState=") };
  const { run } = recordedHost({ [`systemctl show ${unitNames.boot}`]: disabled });
  const findings = await examineHost({
    paths,
    owner: rootOwner(paths.root),
    run,
    version: "1.2.3",
    isTestBuild: false,
  });
  const unit = findings.filter(({ name }) => name === unitNames.boot).at(-1);
  expect(unit).toMatchObject({ verdict: "bad", found: expect.stringContaining("not enabled") });
});

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordedHost } from "../../test/recorded-host.ts";
import { type AgentPaths, agentPaths } from "../config.ts";
import { rootOwner } from "../host/need-root.ts";
import { examineWireguard } from "./examine-wireguard.ts";

let paths: AgentPaths;

beforeEach(async () => {
  paths = agentPaths(await mkdtemp(join(tmpdir(), "gatehouse-wireguard-")));
});

afterEach(() => rm(paths.root, { recursive: true, force: true }));

async function putCeiling(...allow: readonly string[]): Promise<void> {
  await mkdir(dirname(paths.ceiling), { recursive: true });
  await writeFile(paths.ceiling, JSON.stringify({ schema: 1, level: "managed", allow }), { mode: 0o600 });
}

const absent = { code: null, stderr: "there is no such program" };
/** What is found on a host without these programs. */
async function foundWithout(...programs: readonly string[]): Promise<readonly string[]> {
  const { run } = recordedHost(Object.fromEntries(programs.map((program) => [program, absent])));
  const findings = await examineWireguard({ paths, owner: rootOwner(paths.root), run });
  return findings.map(({ verdict, found, todo }) => `${verdict}: ${found}. ${todo}`);
}

test("nothing is said of a host whose ceiling names no interface, or is not sound", async () => {
  expect(await foundWithout("wg")).toEqual([]);
  await putCeiling("file.write:/etc/nginx");
  expect(await foundWithout("wg")).toEqual([]);
  await writeFile(paths.ceiling, "{}");
  expect(await foundWithout("wg")).toEqual([]);
});

test("a host that could make one is told by what it would", async () => {
  await putCeiling("network.wireguard:wg0");
  expect(await foundWithout()).toEqual([expect.stringMatching(/^good: .*the kernel knows WireGuard/)]);
  expect(await foundWithout("modprobe")).toEqual([
    expect.stringMatching(/^good: .*wireguard-go in place of the kernel/),
  ]);
  await mkdir(join(paths.root, "sys/module/wireguard"), { recursive: true });
  expect(await foundWithout("modprobe", "wireguard-go")).toEqual([expect.stringMatching(/^good: .*the kernel knows/)]);
});

test("one that could not is told what to install", async () => {
  await putCeiling("network.wireguard:wg0");
  expect(await foundWithout("wg")).toEqual([
    expect.stringMatching(/^bad: .*wg is not there\. Install wireguard-tools\.$/),
  ]);
  expect(await foundWithout("modprobe", "wireguard-go")).toEqual([
    expect.stringMatching(/^bad: .*neither the kernel nor wireguard-go.*Install wireguard-go, or/),
  ]);
});

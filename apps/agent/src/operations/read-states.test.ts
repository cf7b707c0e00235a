import { manualClock } from "@gatehouse/base";
import { chmodSync, readFileSync } from "node:fs";
import { firstTrust } from "@gatehouse/approval/verify";
import { agentState, trustState, trustSubject } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeApproverKey } from "../../test/approver-keys.ts";
import { hostileStrings } from "@gatehouse/plan/hostile-cases";
import { makeStateGround } from "../../test/state-ground.ts";
import type { Ceiling } from "../ceiling/ceiling.ts";
import { agentVersion } from "../commands/agent-version.ts";
import { readStates } from "./read-states.ts";

const managed: Ceiling = {
  schema: 1,
  level: "managed",
  allow: [
    "firewall.apply:gatehouse_web",
    "file.write:/etc/web",
    "file.write:/etc/motd",
    "service.restart:web.service",
    "network.wireguard:wg0",
    "binary.replace:/opt/tool",
    "agent.update",
  ],
};

function makeReader(ceiling: Ceiling = managed, answers: Parameters<typeof makeStateGround>[0] = {}) {
  const { ground, lines, write, host } = makeStateGround(answers);
  const clock = manualClock();
  const deps = { root: ground.root, run: ground.run, clock, readCeiling: () => ceiling };
  const read = (...subjects: string[]) => readStates(deps, { subjects, privateKey: ground.privateKey });
  return { read, lines, write, host, clock, deps };
}

test("what the ceiling allows is told in the order of the question, each part once", async () => {
  const { read, write } = makeReader(managed, {
    "nft -j -s list table inet gatehouse_web": { code: 1, stderr: "Error: No such file or directory" },
    "systemctl show web.service": { stdout: "LoadState=not-found\nFragmentPath=\nUnitFileState=\n" },
  });
  write("/etc/web/site", "x");
  write("/etc/motd", "x");
  const subjects = [
    "service:web.service",
    "file:/etc/motd",
    "firewall:gatehouse_web",
    "file:/etc/web/site",
    "host:ssh",
  ];
  const states = await read(...subjects, "file:/etc/motd");
  expect(states.map(({ subject }) => subject)).toEqual(subjects);
  expect(states.map(({ state }) => state === null)).toEqual([true, false, true, false, false]);
});

test("every managed host tells whose word it takes, with its trust file where that can be believed", async () => {
  const { read, write, host } = makeReader({ ...managed, accepts: "signed" });
  expect(await read("host:trust")).toEqual([{ subject: trustSubject, state: { accepts: "signed", trust: null } }]);
  const bytes = firstTrust([{ name: "ada", keys: [{ blob: makeApproverKey(1).blob }] }]);
  write("/etc/gatehouse/trust.json", bytes);
  const [told] = await read("host:trust");
  expect(trustState.parse(told?.state)).toEqual({ accepts: "signed", trust: bytes.toBase64() });
  chmodSync(host.paths.trust, 0o666);
  expect(await read("host:trust")).toMatchObject([{ state: { accepts: "signed", trust: null } }]);
  expect(await makeReader().read("host:trust")).toMatchObject([{ state: { accepts: "none", trust: null } }]);
});

test.each([
  "firewall:gatehouse_other",
  "firewall:filter",
  "file:/etc/shadow",
  "file:/etc",
  "file:/etc/web-evil",
  "file:/etc/web/../shadow",
  "file:/etc/web/",
  "service:ssh.service",
  "service:web.socket",
  "host:telnet",
  "host:",
])("%s is not in the ceiling, and nothing is read", async (subject) => {
  const { read, lines } = makeReader();
  await expect(read("file:/etc/motd", subject)).rejects.toThrow(new RegExp(`^read\\.ceiling: ${subject}`));
  expect(lines).toEqual([]);
});

test.each(["log:/etc/motd", "nothing", "", ":x", "__proto__:x"])(
  "%j is no part that a host tells of, whatever its ceiling allows",
  async (subject) => {
    const { read, lines } = makeReader();
    await expect(read(subject)).rejects.toThrow(/^plan\.kind_unknown/);
    expect(lines).toEqual([]);
  },
);

test("the agent is told where the ceiling lets it be updated, and nowhere else", async () => {
  const program = readFileSync(process.execPath);
  const { read, write } = makeReader();
  write("/usr/lib/gatehouse/gatehouse-agent", program);
  const [told] = await read("agent:self");
  expect(agentState.safeParse(told?.state)).toMatchObject({ success: true, data: { version: agentVersion } });
  await expect(read("agent:other")).rejects.toThrow(/^read\.ceiling/);
  const narrow = makeReader({ schema: 1, level: "managed", allow: ["file.write:/usr/lib"] });
  await expect(narrow.read("agent:self")).rejects.toThrow(/^read\.ceiling/);
});

test("a monitored host tells nothing, not even how it is reached", async () => {
  const { read, lines } = makeReader({ schema: 1, level: "monitor" });
  for (const subject of ["host:ssh", "host:trust", "file:/etc/motd", "wireguard:wg0"]) {
    await expect(read(subject)).rejects.toThrow(/^read\.ceiling/);
  }
  expect(lines).toEqual([]);
});

test("what is protected is not told, even below a directory that the ceiling allows", async () => {
  const { read } = makeReader({ schema: 1, level: "managed", allow: ["file.write:/etc", "file.write:/var"] });
  for (const path of ["/etc/gatehouse/ceiling.json", "/var/lib/gatehouse/host.key", "/var/run/secret"]) {
    await expect(read(`file:${path}`)).rejects.toThrow(/^read\.ceiling/);
  }
});

test("hostile strings behind a known word start no program and read no file", async () => {
  const { read, lines } = makeReader();
  const good = { firewall: "gatehouse_web", file: "/etc/web/site", service: "web.service", host: "ssh" };
  for (const [prefix, target] of Object.entries(good)) {
    for (const evil of hostileStrings(target)) {
      await expect(read(`${prefix}:${evil}`), evil).rejects.toThrow(/^read\.ceiling/);
    }
  }
  expect(lines).toEqual([]);
});

test("a refusal repeats the subject without what a terminal or a log would take for its own", async () => {
  const { read } = makeReader();
  const refused = read(`file:\u001b[31m\n\u202e${"x".repeat(500)}`);
  await expect(refused).rejects.toThrow(/^read\.ceiling: file:\?\[31m\?\?x{180,} is not/);
});

test("the first part that cannot be read ends the question, by its name", async () => {
  const { read, write } = makeReader(managed, { "nft -j -s list table inet gatehouse_web": undefined });
  write("/etc/motd", "x");
  await expect(read("file:/etc/motd", "firewall:gatehouse_web", "file:/etc/web/none")).rejects.toThrow(
    /^state\.unreadable: firewall:gatehouse_web: nft/,
  );
});

test("each program has its own time, and the whole question ends when it has had enough", async () => {
  const { deps, clock } = makeReader();
  const limits: (number | undefined)[] = [];
  const run: typeof deps.run = async (_, __, mostMs) => {
    limits.push(mostMs);
    clock.advance(10_000);
    return { code: 1, stdout: "", stderr: "Error: No such file or directory" };
  };
  const allow = ["firewall.apply:gatehouse_a", "firewall.apply:gatehouse_b", "firewall.apply:gatehouse_c"];
  const question = {
    subjects: allow.map((entry) => `firewall:${entry.split(":")[1]}`),
    privateKey: new Uint8Array(32),
  };
  const slow = { ...deps, run, readCeiling: (): Ceiling => ({ schema: 1, level: "managed", allow }) };
  await expect(readStates(slow, question)).rejects.toThrow(/^read\.limit/);
  expect(limits).toEqual([5_000, 5_000]);
});

test("a program is told as a file is, and may be larger", async () => {
  const { read, write } = makeReader();
  write("/opt/tool", "x".repeat(65 * 1024 * 1024));
  const [told] = await read("binary:/opt/tool");
  expect(told?.state).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), mode: "0644" });
  write("/etc/motd", "x".repeat(65 * 1024 * 1024));
  await expect(read("file:/etc/motd")).rejects.toMatchObject({ code: "read.limit" });
});

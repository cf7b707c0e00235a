import type { SubjectState } from "@gatehouse/channel";
import {
  type FileState,
  findFirewallOf,
  firewallState,
  interfaceLinkOf,
  type NetworkWireguard,
  type Operation,
  planLimits,
  stateDigest,
  subjectOf,
  subjectsOf,
  type WireguardState,
} from "@gatehouse/plan";
import { describe, expect, test } from "vitest";
import { hashBytes } from "./hash-bytes.ts";
import { type ProgramFacts, undoOperations } from "./undo-operations.ts";

const sha256Of = (text: string) => hashBytes(Buffer.from(text)).toString("hex");
const rights = { mode: "0644", owner: "root", group: "root" } as const;
const write = (path: string, text: string, more: object = {}) =>
  ({ kind: "file.write", path, text, ...rights, ...more }) as const satisfies Operation;
const fileOf = (text: string, more: Partial<FileState> = {}): FileState => ({
  sha256: sha256Of(text),
  ...rights,
  ...more,
});
const restart = (unit: string) => ({ kind: "service.restart", unit }) as const;
const service = { fragmentSha256: "a".repeat(64), enabled: "enabled" };
const readLog = { kind: "log.tail", source: { from: "file", path: "/var/log/app" }, lines: 5 } as const;

const facts: ProgramFacts = {
  name: "tool",
  version: "1.2.3",
  architecture: "x64",
  sha256: sha256Of("tool 1.2.3"),
  size: 10,
  publisher: "acme",
  signature: { keyId: "0".repeat(32), ed25519: `${"A".repeat(86)}==` },
};
const replace = (path: string, more: Partial<ProgramFacts> = {}) =>
  ({ kind: "binary.replace", path, ...facts, version: "2.0.0", sha256: sha256Of("tool 2.0.0"), ...more }) as const;
const update: Operation = {
  kind: "agent.update",
  version: "2.0.0",
  architecture: "x64",
  sha256: sha256Of("agent"),
  size: 5,
  signature: facts.signature,
};

const table = (policy: "accept" | "drop"): Operation => ({
  kind: "firewall.apply",
  table: "gatehouse_web",
  input: { policy, rules: [{ label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }] }] },
});
const tableState = (policy: string, ...more: object[]) => {
  const at = { family: "inet", table: "gatehouse_web" };
  const port = { op: "==", left: { payload: { protocol: "tcp", field: "dport" } }, right: 22 };
  return {
    nftables: [
      { table: { family: "inet", name: "gatehouse_web" } },
      { chain: { ...at, name: "input", type: "filter", hook: "input", prio: 0, policy } },
      { rule: { ...at, chain: "input", comment: "ssh", expr: [{ match: port }, { accept: null }] } },
      ...more,
    ],
  };
};

const key = (letter: string) => `${letter.repeat(42)}A=`;
const tunnel = (more: Partial<NetworkWireguard> = {}): NetworkWireguard => ({
  kind: "network.wireguard",
  interface: "wg0",
  publicKey: null,
  listenPort: 51_820,
  addresses: ["10.9.0.1/24"],
  peers: [
    {
      label: "office",
      publicKey: key("c"),
      allowedIps: ["10.9.0.2/32"],
      endpoint: { host: "203.0.113.7", port: 51_820 },
    },
  ],
  ...more,
});
const tunnelState = (one: NetworkWireguard): WireguardState => ({
  publicKey: key("a"),
  interface: interfaceLinkOf(one, key("a")),
});

/** What a host signed of these parts; the plan was made from it. */
type Told = Readonly<Record<string, object | null>>;
interface Kept {
  readonly texts?: Readonly<Record<string, string>>;
  readonly programs?: readonly ProgramFacts[];
  readonly interfaces?: readonly NetworkWireguard[];
}

function undo(operations: readonly Operation[], told: Told, kept: Kept = {}) {
  const states = Object.entries(told).map(([subject, state]) => ({ subject, state }) as SubjectState);
  const preconditions = subjectsOf(operations).map((subject) => {
    const state = told[subject];
    return {
      subject,
      state: state === null || state === undefined ? ("absent" as const) : stateDigest(hashBytes, subject, state),
    };
  });
  return undoWith(operations, { states, preconditions }, kept);
}

function undoWith(
  operations: readonly Operation[],
  { states, preconditions }: { states: readonly SubjectState[]; preconditions: { subject: string; state: string }[] },
  { texts = {}, programs = [], interfaces = [] }: Kept = {},
) {
  return undoOperations({ operations: [...operations], preconditions }, states, {
    tableOf: (name, state) => findFirewallOf(name, firewallState.parse(state)),
    findText: (path, sha256) =>
      texts[path] !== undefined && sha256Of(texts[path]) === sha256 ? texts[path] : undefined,
    findProgram: (sha256) => programs.find((one) => one.sha256 === sha256),
    interfacesOf: (name) => interfaces.filter((one) => one.interface === name),
  });
}

describe("what puts a part back", () => {
  test("is for a firewall the table that the host signed", () => {
    expect(undo([table("drop")], { "firewall:gatehouse_web": tableState("accept") })).toEqual({
      operations: [table("accept")],
    });
  });

  test("is for an interface the operation of the plan that set it up so, with the places of its peers", () => {
    const moved = tunnel({ listenPort: 51_821 });
    const kept = { interfaces: [tunnel({ mtu: 1_400 }), tunnel(), tunnel({ listenPort: 51_999 })] };
    expect(undo([moved], { "wireguard:wg0": tunnelState(tunnel()) }, kept)).toEqual({ operations: [tunnel()] });
  });

  test("is of two operations that give the same interface the one that the host was given last", () => {
    const at = (host: string) =>
      tunnel({ peers: tunnel().peers.map((peer) => ({ ...peer, endpoint: { host, port: 51_820 } })) });
    const kept = { interfaces: [at("203.0.113.9"), at("203.0.113.7")] };
    expect(undo([tunnel({ mtu: 1_400 })], { "wireguard:wg0": tunnelState(tunnel()) }, kept)).toEqual({
      operations: [at("203.0.113.9")],
    });
  });

  test("is for a file the text with the digest that the host signed, with its mode and owner of then", () => {
    const before = fileOf("Hello\n", { mode: "0600", owner: "app", group: "app" });
    expect(
      undo([write("/etc/motd", "Bye\n")], { "file:/etc/motd": before }, { texts: { "/etc/motd": "Hello\n" } }),
    ).toEqual({ operations: [write("/etc/motd", "Hello\n", { mode: "0600", owner: "app", group: "app" })] });
  });

  test("is for a program the artifact with the digest that the host signed", () => {
    const before = fileOf("tool 1.2.3", { mode: "0755" });
    expect(undo([replace("/opt/tool")], { "binary:/opt/tool": before }, { programs: [facts] })).toEqual({
      operations: [{ kind: "binary.replace", path: "/opt/tool", ...facts }],
    });
  });
});

test("parts come back in reverse order, restarts stand behind them in their own order, and what only reads is left out", () => {
  const told = {
    "file:/etc/a": fileOf("a"),
    "service:a.service": service,
    "file:/etc/b": fileOf("b"),
    "service:b.service": service,
  };
  const operations = [
    write("/etc/a", "1"),
    restart("a.service"),
    readLog,
    write("/etc/b", "2"),
    restart("b.service"),
    readLog,
  ];
  expect(undo(operations, told, { texts: { "/etc/a": "a", "/etc/b": "b" } })).toEqual({
    operations: [write("/etc/b", "b"), write("/etc/a", "a"), restart("a.service"), restart("b.service")],
  });
});

test("a part that was changed twice comes back once, and a service that was restarted twice is restarted once", () => {
  const told = { "file:/etc/a": fileOf("a"), "service:a.service": service };
  const operations = [write("/etc/a", "1"), restart("a.service"), write("/etc/a", "2"), restart("a.service")];
  expect(undo(operations, told, { texts: { "/etc/a": "a" } })).toEqual({
    operations: [write("/etc/a", "a"), restart("a.service")],
  });
});

describe("there is no way back", () => {
  const absent = (operation: Operation): [string, Operation, object | null] => [operation.kind, operation, null];
  test.each([
    absent(table("drop")),
    absent(write("/etc/motd", "")),
    absent(replace("/opt/tool")),
    ["network.wireguard", tunnel(), { publicKey: key("a"), interface: null }] as const,
  ])("for %s where nothing was there before: no plan removes a part", (kind, operation, before) => {
    const { why } = undo([operation], { [subjectOf(operation) ?? ""]: before }) as { why: string[] };
    expect(why).toEqual([expect.stringContaining(`operation 1, ${kind} `)]);
    expect(why[0]).toContain("before: no plan removes one");
  });

  test.each<[string, Operation, object, string]>([
    [
      "to a table that somebody else wrote",
      table("drop"),
      tableState("accept", {
        rule: { family: "inet", table: "gatehouse_web", chain: "input", expr: [{ drop: null }] },
      }),
      "found others",
    ],
    ["to a state of another form", write("/etc/motd", ""), { sha256: "none" }, "found nothing that is kept"],
    ["to a text that no plan wrote", write("/etc/motd", ""), fileOf("by hand"), `sha256 ${sha256Of("by hand")}`],
    [
      "to a text that others may not read",
      write("/etc/key", ""),
      { hmac: "b".repeat(64), ...rights, mode: "0600" },
      "tells no digest",
    ],
    ["to rights that no plan writes", write("/etc/motd", ""), fileOf("Hello\n", { mode: "4755" }), "mode 4755"],
    ["to an owner without a name", write("/etc/motd", ""), fileOf("Hello\n", { owner: "1234" }), "1234:root"],
    ["to a program that no artifact is", replace("/opt/tool"), fileOf("by hand"), "found none"],
    ["to an interface that no plan set up", tunnel(), tunnelState(tunnel({ mtu: 1_300 })), "where its peers are found"],
    [
      "to an interface with the key of somebody else",
      tunnel(),
      { ...tunnelState(tunnel()), publicKey: key("b") },
      "where its peers are found",
    ],
    [
      "from an update of the agent",
      update,
      { sha256: "c".repeat(64), version: "1.0.0", architecture: "x64" },
      "artifact.downgrade",
    ],
  ])("%s", (_, operation, before, reason) => {
    const kept = { texts: { "/etc/motd": "Hello\n" }, interfaces: [tunnel()], programs: [facts] };
    const { why } = undo([operation], { [subjectOf(operation) ?? ""]: before }, kept) as { why: string[] };
    expect(why).toHaveLength(1);
    expect(why[0]).toContain(reason);
  });

  test.each([
    ["logs were read", [readLog]],
    ["a service was restarted", [restart("a.service"), readLog]],
  ])("where only %s", (_, operations) => {
    expect(undo(operations, { "service:a.service": service })).toEqual({
      why: [expect.stringContaining("nothing to undo")],
    });
  });

  test("from programs that are more together than one plan brings", () => {
    const size = planLimits.artifactBytes;
    const programs = [
      { ...facts, size },
      { ...facts, sha256: sha256Of("other"), size: 1 },
    ];
    const told = { "binary:/opt/a": fileOf("tool 1.2.3"), "binary:/opt/b": fileOf("other") };
    expect(undo([replace("/opt/a"), replace("/opt/b")], told, { programs })).toEqual({
      why: [expect.stringContaining(`found ${size + 1}`)],
    });
  });
});

test("every operation that has no way back is named, in the plan's order, and none of the others is undone without it", () => {
  const told = { "file:/etc/a": fileOf("a"), "file:/etc/b": null, "file:/etc/c": fileOf("by hand") };
  const operations = [write("/etc/a", "1"), write("/etc/b", "2"), write("/etc/c", "3")];
  const { why, operations: none } = undo(operations, told, { texts: { "/etc/a": "a" } }) as {
    why: string[];
    operations?: unknown;
  };
  expect(none).toBeUndefined();
  expect(why.map((text) => text.split(":")[0])).toEqual([
    "operation 2, file.write /etc/b",
    "operation 3, file.write /etc/c",
  ]);
});

test("what is kept of a part counts only when the plan's own precondition has its hash", () => {
  const states = [{ subject: "file:/etc/a", state: fileOf("planted") }] as SubjectState[];
  const approved = { subject: "file:/etc/a", state: stateDigest(hashBytes, "file:/etc/a", fileOf("a")) };
  const texts = { "/etc/a": "planted" };
  for (const kept of [states, [], [{ subject: "file:/etc/a", state: null }]]) {
    expect(undoWith([write("/etc/a", "1")], { states: kept, preconditions: [approved] }, { texts })).toEqual({
      why: [expect.stringContaining("found nothing that is kept")],
    });
  }
});

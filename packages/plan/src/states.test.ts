import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { stateDigest } from "./digest.ts";
import { operationKinds, operations } from "./operations/table.ts";
import { wireguardKeyOf, wireguardLink as link } from "./operations/wireguard/wireguard-cases.ts";
import { agentState, fileState, firewallState, serviceState, sshState, sshSubject, wireguardState } from "./states.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const hash = "c0".repeat(32);
const kept = wireguardKeyOf("a");
const evil = "\u001b[2J10.9.0.1/24";
const heard = { ...link.peers[0], latestHandshake: 1 };
const foreign = {
  ...link,
  publicKey: null,
  listenPort: 0,
  firewallMark: 0xffff_ffff,
  isUp: false,
  routes: ["0.0.0.0/0", "::ffff:10.0.0.1/128"],
};
const root = { mode: "0644", owner: "root", group: "root" };

describe("what a host says of a part", () => {
  test("has a form for each kind that changes a host, and none for what only reads", () => {
    const withForm = operationKinds.filter((kind) => operations[kind].state !== null);
    expect(withForm).toEqual(operationKinds.filter((kind) => kind !== "log.tail"));
    expect(withForm).toEqual([
      "firewall.apply",
      "network.wireguard",
      "service.restart",
      "file.write",
      "binary.replace",
      "agent.update",
    ]);
    expect(withForm.map((kind) => operations[kind].state)).toEqual([
      firewallState,
      wireguardState,
      serviceState,
      fileState,
      fileState,
      agentState,
    ]);
  });

  test.each([
    ["a table of nftables", firewallState, { nftables: [{ table: { family: "inet", name: "gatehouse_a" } }] }],
    ["a file that anybody may read", fileState, { sha256: hash, ...root }],
    ["a file that few may read", fileState, { hmac: hash, ...root, mode: "0600" }],
    ["a file of somebody without a name", fileState, { sha256: hash, mode: "4755", owner: "1000", group: "65534" }],
    ["an agent", agentState, { sha256: hash, version: "0.2.1-alpha.2", architecture: "arm64" }],
    ["a service", serviceState, { fragmentSha256: hash, enabled: "enabled-runtime" }],
    ["an interface that is not there yet", wireguardState, { publicKey: kept, interface: null }],
    ["an interface of somebody else", wireguardState, { publicKey: kept, interface: foreign }],
    ["the SSH server", sshState, { ports: [22, 2222], peers: ["192.0.2.1", "2001:db8::1"] }],
  ])("of %s is taken, and with a field more it is not", (_, schema, state) => {
    expect(schema.safeParse(state).success).toBe(true);
    expect(schema.safeParse({ ...state, extra: 1 }).success).toBe(false);
  });

  test.each([
    ["a file by two names of its content", fileState, { sha256: hash, hmac: hash, ...root }],
    ["a file without its content", fileState, root],
    ["a file with the content itself", fileState, { text: "secret", ...root }],
    ["a file with a mode of another spelling", fileState, { sha256: hash, ...root, mode: "644" }],
    ["an agent without a version", agentState, { sha256: hash, version: "newest", architecture: "x64" }],
    ["an agent for another processor", agentState, { sha256: hash, version: "0.2.1", architecture: "riscv" }],
    ["a service in words", serviceState, { fragmentSha256: hash, enabled: "Enabled\n" }],
    ["a service that runs", serviceState, { fragmentSha256: hash, enabled: "enabled", active: "running" }],
    ["an interface without a key of the host", wireguardState, { publicKey: null, interface: null }],
    ["an interface with another field", wireguardState, { publicKey: kept, interface: { ...link, privateKey: kept } }],
    [
      "an address that a terminal obeys",
      wireguardState,
      { publicKey: kept, interface: { ...link, addresses: [evil] } },
    ],
    ["a route in words", wireguardState, { publicKey: kept, interface: { ...link, routes: ["default"] } }],
    ["a peer that was heard from", wireguardState, { publicKey: kept, interface: { ...link, peers: [heard] } }],
    ["a port that is none", sshState, { ports: [0], peers: [] }],
    ["a peer that is no address", sshState, { ports: [22], peers: ["office"] }],
    ["more of a firewall than fits", firewallState, { nftables: Array.from({ length: 4_097 }, () => ({ rule: {} })) }],
  ])("is not taken where it is %s", (_, schema, state) => {
    expect(schema.safeParse(state).success).toBe(false);
  });

  test("is the same state however it was written down, and another one when anything in it is another", () => {
    const digest = (state: object) => stateDigest(sha256, "file:/etc/motd", state);
    const { mode, owner, group } = root;
    expect(digest({ group, owner, mode, sha256: hash })).toBe(digest({ sha256: hash, ...root }));
    const others = [
      { sha256: "d0".repeat(32), ...root },
      { hmac: hash, ...root },
      { sha256: hash, ...root, mode: "0600" },
      { sha256: hash, ...root, owner: "daemon" },
      { sha256: hash, ...root, group: "0" },
    ];
    expect(new Set([{ sha256: hash, ...root }, ...others].map(digest)).size).toBe(others.length + 1);
  });
});

test("no operation replaces what is read for the lint alone", () => {
  const kinds = operationKinds.map((kind) => operations[kind]);
  expect(kinds.some(({ state }) => state === (sshState as unknown))).toBe(false);
  expect(sshSubject).toBe("host:ssh");
});

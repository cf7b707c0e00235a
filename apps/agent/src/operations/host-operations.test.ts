import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type OperationKind, operationKinds, operations, stateDigest, subjectOf } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeStateGround } from "../../test/state-ground.ts";
import { ceilingKindNames } from "../ceiling/kinds.ts";
import type { HostOperation, HostReader } from "./host-operation.ts";
import { changingRows, findHostChange, findHostReading, hostOperations } from "./host-operations.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const rows: Readonly<Record<OperationKind, HostOperation | HostReader>> = hostOperations;

test("there is a row for every kind, and for no other", () => {
  expect(Object.keys(rows).toSorted()).toEqual(operationKinds.toSorted());
});

test("what this version can read it can change, and take back; what only reads has no change", () => {
  const changing = new Map(changingRows);
  for (const kind of operationKinds) {
    const row = rows[kind];
    const isReader = "reading" in row;
    expect(findHostChange(kind), kind).toBe(changing.get(kind)?.change);
    expect(findHostReading(kind), kind).toBe(isReader ? row.reading : undefined);
    expect(changing.has(kind), kind).toBe(!isReader);
    expect(isReader, kind).toBe(operations[kind].state === null);
  }
});

const samples = [
  {
    operation: { kind: "firewall.apply", table: "gatehouse_web", input: { policy: "drop", rules: [] } },
    target: "gatehouse_web",
  },
  {
    operation: {
      kind: "network.wireguard",
      interface: "wg0",
      publicKey: null,
      listenPort: 51_820,
      addresses: ["10.9.0.1/24"],
      peers: [],
    },
    target: "wg0",
  },
  { operation: { kind: "service.restart", unit: "web.service" }, target: "web.service" },
  {
    operation: { kind: "file.write", path: "/etc/web", text: "", mode: "0644", owner: "root", group: "root" },
    target: "/etc/web",
  },
  {
    operation: {
      kind: "binary.replace",
      path: "/opt/web",
      name: "web",
      version: "1.2.3",
      architecture: "x64",
      sha256: "a".repeat(64),
      size: 1,
      publisher: "acme",
      signature: { keyId: "0".repeat(32), ed25519: "" },
    },
    target: "/opt/web",
  },
  {
    operation: {
      kind: "agent.update",
      version: "1.2.3",
      architecture: "x64",
      sha256: "a".repeat(64),
      size: 1,
      signature: { keyId: "0".repeat(32), ed25519: "" },
    },
    target: "self",
  },
] as const;

test.each(samples)(
  "$operation.kind names its subjects as plans do, and a ceiling can allow it",
  ({ operation, target }) => {
    const { prefix, target: form } = hostOperations[operation.kind];
    expect(subjectOf(operation as never)).toBe(`${prefix}:${target}`);
    expect(form.safeParse(target).success).toBe(true);
    expect(ceilingKindNames).toContain(operation.kind);
  },
);

test.each(samples)(
  "what a host says for $operation.kind has the form that plans expect",
  async ({ operation, target }) => {
    const { ground, write } = makeStateGround({
      "nft -j -s list table inet gatehouse_web": {
        stdout:
          '{"nftables": [{"metainfo": {"version": "1.1.3"}}, {"table": {"family": "inet", "name": "gatehouse_web", "handle": 7}}]}',
      },
      "ip -json -details link show dev wg0": {
        stdout: '[{"mtu": 1420, "flags": ["UP"], "linkinfo": {"info_kind": "wireguard"}}]',
      },
      "ip -json address show dev wg0": { stdout: '[{"addr_info": [{"local": "10.9.0.1", "prefixlen": 24}]}]' },
      "wg show wg0 dump": { stdout: "(none)\t(none)\t51820\toff\n" },
      "systemctl show web.service": {
        stdout: "LoadState=loaded\nFragmentPath=/etc/systemd/system/web.service\nUnitFileState=enabled\n",
      },
    });
    write("/etc/systemd/system/web.service", "[Service]\n");
    write("/etc/web", "web\n");
    write("/opt/web", "a program");
    // The program that answers is what runs this test.
    write("/usr/lib/gatehouse/gatehouse-agent", readFileSync(process.execPath));
    write("/var/lib/gatehouse/none", "");
    const state = await hostOperations[operation.kind].readState(ground, target);
    if (state === null) throw new Error("it is there");
    expect(operations[operation.kind].state?.safeParse(state)).toMatchObject({ success: true, data: state });
    expect(stateDigest(sha256, target, state)).toMatch(/^[0-9a-f]{64}$/);
  },
);

test("every kind has a sample here that a host can change now", () => {
  const now = changingRows.map(([kind]) => kind);
  expect(samples.map(({ operation }) => operation.kind).toSorted()).toEqual(now.toSorted());
});

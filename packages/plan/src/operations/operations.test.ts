import { capabilityNames, isHostRisk } from "@gatehouse/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileStrings } from "../hostile-cases.ts";
import { anyOperation } from "../plan-cases.ts";
import { precondition } from "../plan-document.ts";
import { capabilityOfOperation, type Operation, operation, operationKinds, operations, subjectOf } from "./table.ts";

const sha256 = "a".repeat(64);
const signature = { keyId: "b".repeat(32), ed25519: `${"A".repeat(86)}==` };
const key = `${"A".repeat(42)}A=`;

/** One good operation of each kind, with every field it can have. */
const samples: readonly Operation[] = [
  {
    kind: "firewall.apply",
    table: "gatehouse_netguard",
    input: {
      policy: "drop",
      rules: [
        {
          label: "web from office",
          verdict: "accept",
          interfaces: ["eth0"],
          sources: ["10.0.0.0/8"],
          states: ["new"],
          protocol: "tcp",
          ports: [{ from: 80, to: 443 }],
        },
        { label: "pings", verdict: "accept", protocol: "icmpv6", types: ["echo-request"] },
      ],
    },
    forward: { policy: "accept", rules: [] },
  },
  {
    kind: "network.wireguard",
    interface: "wg0",
    publicKey: key,
    listenPort: 51_820,
    mtu: 1_420,
    addresses: ["10.9.0.1/24"],
    peers: [
      {
        label: "office",
        publicKey: key,
        endpoint: { host: "203.0.113.7", port: 51_820 },
        allowedIps: ["10.9.0.2/32"],
        keepaliveSeconds: 25,
      },
    ],
  },
  { kind: "service.restart", unit: "nginx.service" },
  { kind: "file.write", path: "/etc/motd", text: "hello\n", mode: "0644", owner: "root", group: "root" },
  {
    kind: "binary.replace",
    path: "/usr/local/bin/tool",
    name: "tool",
    version: "1.2.3",
    architecture: "x64",
    sha256,
    size: 10,
    publisher: "acme",
    signature,
  },
  { kind: "agent.update", version: "1.2.3", architecture: "x64", sha256, size: 10, signature },
  { kind: "log.tail", source: { from: "journal", unit: "ssh.service" }, lines: 100 },
];

describe("the table of operations", () => {
  test("has a row for each kind, and a union that knows the same kinds", () => {
    expect(samples.map(({ kind }) => kind)).toEqual(operationKinds);
    for (const kind of operationKinds) expect(operations[kind].kind).toBe(kind);
    for (const sample of samples) expect(operation.parse(sample)).toEqual(sample);
  });

  test("says which capability each kind needs; what a plugin may plan is always a host risk", () => {
    expect(capabilityOfOperation).toEqual({
      "firewall.apply": "host:firewall",
      "network.wireguard": "host:network",
      "service.restart": "host:service",
      "file.write": "host:file",
      "binary.replace": "host:binary",
      "agent.update": null,
      "log.tail": null,
    });
    const used = Object.values(capabilityOfOperation).flatMap((capability) => capability ?? []);
    expect(used.every(isHostRisk)).toBe(true);
    // No inert label: each host-risk capability allows something.
    expect(capabilityNames.filter(isHostRisk).filter((name) => !used.includes(name))).toEqual([]);
  });

  test("names a subject for everything that changes a host, in a form that preconditions have", () => {
    const subjects = samples.map(subjectOf);
    expect(subjects.filter((subject) => subject === null)).toHaveLength(1);
    for (const subject of subjects.flatMap((one) => one ?? [])) {
      expect(precondition.safeParse({ subject, state: "absent" }).success).toBe(true);
    }
    fc.assert(
      fc.property(anyOperation, (one) => {
        const subject = subjectOf(operation.parse(one));
        expect(subject === null || precondition.safeParse({ subject, state: "absent" }).success).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("lets no private key in: no field is named like one, and none can be added", () => {
    const wireguard = samples[1] as Operation;
    for (const name of ["privateKey", "presharedKey", "PrivateKey", "postUp"]) {
      expect(operation.safeParse({ ...wireguard, [name]: key }).success).toBe(false);
    }
    expect(JSON.stringify(samples)).not.toMatch(/private|preshared/i);
  });
});

describe.each(samples)("$kind", (sample) => {
  const fields = stringFields(sample);

  test.each(fields)("refuses a thousand hostile strings in $name", ({ path, name, good }) => {
    const accepted = hostileStrings(good).filter((evil) => operation.safeParse(replaced(sample, path, evil)).success);
    // The text of a file is the one field that is data and never an argument or a line of ours; hidden characters stay out.
    if (name === "text")
      expect(accepted.filter((evil) => /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/u.test(evil))).toEqual([]);
    else expect(accepted).toEqual([]);
  });

  test.each(fields)("refuses an option or a file reference in $name", ({ path, name, good }) => {
    if (name === "text") return;
    for (const prefix of ["-", "--", "@", "+", " ", ".", "/.."]) {
      expect(operation.safeParse(replaced(sample, path, `${prefix}${good}`)).success).toBe(false);
    }
  });

  test("refuses a field it does not know, at every depth", () => {
    for (const path of objectPaths(sample)) {
      expect(operation.safeParse(replaced(sample, [...path, "extra"], "x")).success).toBe(false);
    }
  });
});

interface Field {
  readonly path: readonly (string | number)[];
  readonly name: string;
  readonly good: string;
}

function stringFields(value: unknown, path: readonly (string | number)[] = []): Field[] {
  if (typeof value === "string") {
    const name = path.filter((part) => typeof part === "string").join(".");
    return [{ path, name, good: value }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    stringFields(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function objectPaths(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    objectPaths(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? inner : [path, ...inner];
}

function replaced(value: unknown, path: readonly (string | number)[], leaf: string): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return leaf;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[head] = replaced(copy[head], rest, leaf);
  return copy;
}

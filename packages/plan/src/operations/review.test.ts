import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usualPlaces } from "../host-work.ts";
import { type LintAround, lintCodes } from "../lint-finding.ts";
import { anyOperation } from "../plan-cases.ts";
import { foreignState } from "./firewall/nft-cases.ts";
import { diffOperation, lintOperation, operationTitle, wordsOf, workOfOperation } from "./review.ts";
import type { Operation } from "./table.ts";

const hash = "a".repeat(64);
const sha256 = () => new Uint8Array(32).fill(0xaa);
const signature = { keyId: "b".repeat(32), ed25519: `${"A".repeat(86)}==` };
const key = `${"A".repeat(42)}A=`;
const nothing = { ssh: null, management: [], controlPorts: [] };
const marks = { same: " ", added: "+", removed: "-" } as const;

const file = {
  kind: "file.write",
  path: "/etc/nginx/nginx.conf",
  text: `${"ä".repeat(601)}\n\n`,
  mode: "0644",
  owner: "root",
  group: "www-data",
} as const;
const motd: Operation = { ...file, path: "/etc/motd", text: "one\ntwo\n" };
const restart: Operation = { kind: "service.restart", unit: "nginx.service" };

describe("in words", () => {
  test("a firewall says what becomes of the rest, then each rule", () => {
    const firewall: Operation = {
      kind: "firewall.apply",
      table: "gatehouse_netguard",
      input: {
        policy: "drop",
        rules: [
          {
            label: "ssh from office",
            verdict: "accept",
            sources: ["10.0.0.0/8"],
            protocol: "tcp",
            ports: [{ from: 22, to: 22 }],
          },
          {
            label: "web",
            verdict: "accept",
            sources: ["192.0.2.0/24", "2001:db8::/32"],
            interfaces: ["eth0", "wg0"],
            states: ["new"],
            protocol: "tcp",
            ports: [
              { from: 80, to: 80 },
              { from: 8000, to: 8080 },
            ],
          },
          { label: "answers", verdict: "accept", states: ["established", "related"] },
          { label: "pings", verdict: "reject", protocol: "icmp", types: ["echo-request"] },
          { label: "rest", verdict: "drop", protocol: "udp" },
        ],
      },
    };
    expect(wordsOf(firewall)).toEqual([
      "Replaces the firewall table gatehouse_netguard: 5 rules for incoming traffic, everything else is dropped.",
      "Accepts tcp 22 from 10.0.0.0/8: ssh from office.",
      "Accepts tcp 80, 8000-8080 from 192.0.2.0/24 or 2001:db8::/32 on eth0 or wg0 (new connections): web.",
      "Accepts everything (open connections and related connections): answers.",
      "Rejects icmp echo-request: pings.",
      "Drops all udp: rest.",
      "Forwarded and outgoing traffic is not filtered by this table.",
    ]);
    const forward = { policy: "accept" as const, rules: [{ label: "x", verdict: "drop" as const }] };
    expect(wordsOf({ ...firewall, input: { policy: "accept", rules: [] }, forward })).toEqual([
      "Replaces the firewall table gatehouse_netguard: no rules for incoming traffic, everything is accepted.",
      "Forwarded traffic: 1 rule, everything else is accepted.",
      "Drops everything: x.",
      "Outgoing traffic is not filtered by this table.",
    ]);
  });

  test("a file is its path, its bytes and whose it is", () => {
    expect(wordsOf(file)).toEqual(["Writes /etc/nginx/nginx.conf: 1,204 bytes, mode 0644, root:www-data."]);
  });

  test("above each stands its number, its kind and the part that it replaces", () => {
    expect(operationTitle({ kind: "service.restart", unit: "web.service" }, 0)).toBe(
      "1. service.restart  service:web.service",
    );
    const reading: Operation = { kind: "log.tail", source: { from: "file", path: "/var/log/web" }, lines: 1 };
    expect(operationTitle(reading, 11)).toBe("12. log.tail");
  });

  test("a restart says that it cannot be undone", () => {
    expect(wordsOf(restart)).toEqual(["Restarts nginx.service. A restart cannot be undone."]);
  });

  test("a WireGuard interface is its addresses, its port and whom it lets in", () => {
    const wireguard: Operation = {
      kind: "network.wireguard",
      interface: "wg0",
      publicKey: null,
      listenPort: 51_820,
      addresses: ["10.9.0.1/24", "fd00::1/64"],
      peers: [
        {
          label: "office",
          publicKey: key,
          endpoint: { host: "203.0.113.7", port: 51_820 },
          allowedIps: ["10.9.0.2/32", "10.20.0.0/16"],
        },
        { label: "laptop", publicKey: `B${key.slice(1)}`, allowedIps: ["10.9.0.3/32"] },
      ],
    };
    expect(wordsOf(wireguard)).toEqual([
      "Sets up the WireGuard interface wg0: addresses 10.9.0.1/24 and fd00::1/64, listens on udp 51820, 2 peers.",
      `Peer office at 203.0.113.7 port 51820: 10.9.0.2/32 and 10.20.0.0/16, key ${key}.`,
      `Peer laptop: 10.9.0.3/32, key B${key.slice(1)}.`,
    ]);
    expect(operationTitle(wireguard, 0)).toBe("1. network.wireguard  wireguard:wg0");
    expect(lintOperation(wireguard, nothing)).toEqual([]);
  });
});

describe("a program", () => {
  const replace: Operation = {
    kind: "binary.replace",
    path: "/usr/local/bin/tool",
    name: "tool",
    version: "1.2.3",
    architecture: "arm64",
    sha256: hash,
    size: 1_234_567,
    publisher: "acme",
    signature,
  };
  const comes = { mark: "added", text: `tool 1.2.3 for arm64, sha256 ${hash}` };
  const rights = { mode: "0755", owner: "root", group: "root" };

  test("is told by its name, its publisher and its digest, and what stays of the one that is there", () => {
    expect(wordsOf(replace)).toEqual([
      "Replaces the program /usr/local/bin/tool by tool 1.2.3 for arm64.",
      `Its 1,234,567 bytes have the sha256 ${hash}.`,
      `It says that acme has signed it with the key ${replace.signature.keyId}: each host checks that, and nothing before it does.`,
      "A program that is there keeps its mode and owner; a new one has mode 0755, root:root. Nothing is restarted by it.",
    ]);
    expect(operationTitle(replace, 0)).toBe("1. binary.replace  binary:/usr/local/bin/tool");
    expect(lintOperation(replace, nothing)).toEqual([]);
  });

  test("is compared by its digest, where others may read it", () => {
    const old = "f".repeat(64);
    expect(diffOperation(replace, undefined, sha256)).toEqual([comes]);
    expect(diffOperation(replace, null, sha256)).toEqual([comes]);
    expect(diffOperation(replace, { sha256: old, ...rights }, sha256)).toEqual([
      { mark: "removed", text: `sha256 ${old}` },
      comes,
    ]);
    expect(diffOperation(replace, { hmac: old, ...rights }, sha256)).toEqual([
      { mark: "removed", text: "a program that others may not read" },
      comes,
    ]);
    expect(diffOperation(replace, { sha256: hash, ...rights }, sha256)).toEqual([{ ...comes, mark: "same" }]);
  });
});

describe("an update of the agent", () => {
  const update: Operation = {
    kind: "agent.update",
    version: "0.3.0",
    architecture: "x64",
    sha256: hash,
    size: 1,
    signature,
  };
  const agent = { sha256: "f".repeat(64), version: "0.2.1", architecture: "x64" } as const;
  const comes = { mark: "added", text: `agent 0.3.0 for x64, sha256 ${hash}` };

  test("is told by its version and its digest, and when the one before it comes back", () => {
    expect(wordsOf(update)).toEqual([
      `Updates the agent to 0.3.0 for x64: 1 byte, sha256 ${hash}.`,
      "That version has to start, and to reach the server, before the change is over: otherwise the one that is there now comes back.",
      "From then on changes are taken back by that version too.",
    ]);
    expect(operationTitle(update, 0)).toBe("1. agent.update  agent:self");
  });

  test("is compared with the agent that the host has", () => {
    expect(diffOperation(update, undefined, sha256)).toEqual([comes]);
    expect(diffOperation(update, null, sha256)).toEqual([comes]);
    expect(diffOperation(update, agent, sha256)).toEqual([
      { mark: "removed", text: `agent 0.2.1 for x64, sha256 ${agent.sha256}` },
      comes,
    ]);
    expect(diffOperation(update, { ...agent, sha256: hash }, sha256)).toEqual([{ ...comes, mark: "same" }]);
  });

  test("is refused where the host told that it has a version as late, or another processor", () => {
    const codes = (more: Partial<LintAround["agent"]>) =>
      lintOperation(update, { ...nothing, agent: { ...agent, ...more } }).map(({ code }) => code);
    expect(lintOperation(update, nothing), "nobody knows").toEqual([]);
    expect(codes({})).toEqual([]);
    expect(codes({ version: "0.3.0-alpha.9" })).toEqual([]);
    for (const version of ["0.3.0", "0.3.1", "0.10.0"]) expect(codes({ version })).toEqual(["agent.not_later"]);
    expect(codes({ architecture: "arm64", version: "1.0.0" })).toEqual(["agent.architecture", "agent.not_later"]);
  });

  test("starts its helper anew, and to be taken back everything that may run of it", () => {
    const { files, programs } = workOfOperation(update, usualPlaces) ?? { files: [""], programs: [] };
    expect(files).toEqual([]);
    expect(programs.map(({ step, argv }) => `${step}: ${argv.join(" ")}`)).toEqual([
      "check: systemctl restart --no-block gatehouse-helper.service",
      "restore: systemctl kill --signal=KILL gatehouse-helper.service",
      "restore: systemctl kill --signal=KILL gatehouse-agent.service",
      "restore: systemctl reset-failed gatehouse-agent.service",
      "restore: systemctl reset-failed gatehouse-helper.service",
      "restore: systemctl reset-failed gatehouse-helper.socket",
      "restore: systemctl start --no-block gatehouse-helper.socket",
      "restore: systemctl restart --no-block gatehouse-agent.service",
    ]);
  });
});

describe("a log that is read", () => {
  const journal: Operation = { kind: "log.tail", source: { from: "journal", unit: "ssh.service" }, lines: 100 };
  const logFile: Operation = { kind: "log.tail", source: { from: "file", path: "/var/log/web.log" }, lines: 1 };

  test("is told by its name, and that its lines leave the host", () => {
    expect(wordsOf(journal)).toEqual(["Reads the last 100 lines of the journal of ssh.service. Changes nothing."]);
    expect(wordsOf(logFile)).toEqual(["Reads the last 1 line of /var/log/web.log. Changes nothing."]);
    expect(lintOperation(logFile, nothing)).toEqual([
      {
        severity: "note",
        code: "log.leaves",
        says: "What /var/log/web.log says last leaves the host: it comes back with the result, and the server keeps it.",
      },
    ]);
    expect(diffOperation(journal, undefined, sha256)).toEqual([]);
  });

  test("starts one program for a journal, and none for a file", () => {
    const argv = "journalctl --unit ssh.service --lines 100 --output short-iso --no-pager --quiet".split(" ");
    expect(workOfOperation(journal, usualPlaces)).toEqual({ files: [], programs: [{ step: "read", argv }] });
    expect(workOfOperation(logFile, usualPlaces)).toEqual({ files: [], programs: [] });
  });
});

describe("the lint", () => {
  test("warns of a file that can make its writer root", () => {
    const codes = (path: string) => lintOperation({ ...file, path }, nothing).map(({ code }) => code);
    for (const path of ["/etc/cron.d/x", "/etc/systemd/system/x.service", "/lib/x", "/srv/app/.ssh/config"]) {
      expect(codes(path)).toEqual(["file.equals_root"]);
    }
    for (const path of ["/etc/motd", "/etc/nginx/nginx.conf", "/srv/www/index.html"]) expect(codes(path)).toEqual([]);
  });

  test("notes that a restart cannot be undone", () => {
    expect(lintOperation(restart, nothing)).toMatchObject([{ severity: "note", code: "service.not_undone" }]);
  });
});

describe("the change", () => {
  const shown = (one: Operation, before: unknown) =>
    diffOperation(one, before, sha256).map(({ mark, text }) => `${marks[mark]}${text}`);
  const attributes = { mode: "0644", owner: "root", group: "www-data" };
  const other = "c".repeat(64);

  test("of a file that was not there, or that nobody knows, is its text", () => {
    for (const before of [null, undefined]) {
      expect(shown(motd, before)).toEqual([`+sha256 ${hash}, mode 0644, root:www-data`, "+one", "+two"]);
    }
    expect(shown({ ...file, text: "" }, null)).toEqual([`+sha256 ${hash}, mode 0644, root:www-data`]);
  });

  test("of a file that was there names the old by its hash: nobody has its text", () => {
    expect(shown(motd, { sha256: other, ...attributes, mode: "0600" })).toEqual([
      `-sha256 ${other}, mode 0600, root:www-data`,
      `+sha256 ${hash}, mode 0644, root:www-data`,
      "+one",
      "+two",
    ]);
    expect(shown(motd, { hmac: other, ...attributes, mode: "0600" })[0]).toBe(
      "-a text that others may not read, mode 0600, root:www-data",
    );
  });

  test("of a file whose text stays says so", () => {
    expect(shown(motd, { sha256: hash, ...attributes })).toEqual([
      ` sha256 ${hash}, mode 0644, root:www-data`,
      " one",
      " two",
    ]);
    expect(shown(motd, { sha256: hash, ...attributes, owner: "1000" })).toEqual([
      "-mode 0644, 1000:www-data",
      "+mode 0644, root:www-data",
      ` the text is not changed: sha256 ${hash}`,
      " one",
      " two",
    ]);
  });

  test("of a restart is none: the unit and its file stay", () => {
    expect(shown(restart, { fragmentSha256: other, enabled: "enabled" })).toEqual([
      " nginx.service",
      ` its unit file is not changed: sha256 ${other}, enabled`,
    ]);
    expect(shown(restart, null)).toEqual([" nginx.service", " the host has no such unit"]);
    expect(shown(restart, undefined)[1]).toContain("not known");
  });

  test("from a state of another form is one from a state that is not known", () => {
    for (const before of [{}, 7, "x", { sha256: "short", ...attributes }]) {
      expect(shown(motd, before)).toEqual(shown(motd, undefined));
    }
  });
});

test("words, lint and change are there for every operation, and the same each time", () => {
  const around = { ssh: { ports: [22], peers: ["192.0.2.1", "::1"] }, management: ["10.0.0.0/8"], controlPorts: [443] };
  fc.assert(
    fc.property(anyOperation, fc.constantFrom(null, undefined, foreignState, { sha256: hash }), (one, before) => {
      const told = () => ({
        words: wordsOf(one),
        lint: lintOperation(one, around),
        diff: diffOperation(one, before, sha256),
      });
      const { words, lint } = told();
      expect(told()).toEqual(told());
      expect(words.length).toBeGreaterThan(0);
      for (const sentence of [...words, ...lint.map(({ says }) => says)]) expect(sentence).toMatch(/^[^\n]+\.$/);
      for (const { code, severity } of lint) expect(lintCodes[code].severity).toBe(severity);
    }),
    { numRuns: 300, seed: 9 },
  );
});

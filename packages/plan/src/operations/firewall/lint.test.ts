import { describe, expect, test } from "vitest";
import type { LintAround } from "../../lint-finding.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { lintFirewall } from "./lint.ts";
import type { FirewallRule } from "./rule.ts";

const peer = "198.51.100.7";
const around: LintAround = { ssh: { ports: [22], peers: [peer] }, management: [], controlPorts: [] };

const loopback: FirewallRule = { label: "loopback", verdict: "accept", interfaces: ["lo"] };
const answers: FirewallRule = { label: "answers", verdict: "accept", states: ["established", "related"] };
const neighbours: FirewallRule = { label: "neighbours", verdict: "accept", protocol: "icmpv6" };
const ground = [loopback, neighbours, answers];
const ssh: FirewallRule = {
  label: "ssh",
  verdict: "accept",
  states: ["new"],
  protocol: "tcp",
  ports: [{ from: 22, to: 22 }],
};
const from = (label: string, ...sources: string[]): FirewallRule => ({ ...ssh, label, sources });
const drop = (label: string, fields: Partial<FirewallRule> = {}): FirewallRule => ({
  label,
  verdict: "drop",
  ...fields,
});

const table = (rules: FirewallRule[], policy: "accept" | "drop" = "drop"): FirewallApply => ({
  kind: "firewall.apply",
  table: "gatehouse_t",
  input: { policy, rules },
});
/** Without the note that is always there. */
const findings = (rules: FirewallRule[], known: Partial<LintAround> = {}, policy: "accept" | "drop" = "drop") =>
  lintFirewall(table(rules, policy), { ...around, ...known }).filter(({ code }) => code !== "firewall.other_tables");
const codes = (...asked: Parameters<typeof findings>) => findings(...asked).map(({ code }) => code);
const says = (...asked: Parameters<typeof findings>) => findings(...asked).map((finding) => finding.says);

test("a table that keeps answers, loopback, neighbours and SSH has one note: other tables are not judged", () => {
  expect(lintFirewall(table([...ground, ssh]), around)).toEqual([
    {
      severity: "note",
      code: "firewall.other_tables",
      says: "Other tables of the host, and forwarded traffic, are not judged.",
    },
  ]);
  expect(codes([], {}, "accept")).toEqual([]);
});

describe("SSH", () => {
  test("that nobody accepts any more is refused, with the packet", () => {
    expect(findings(ground)).toEqual([
      {
        severity: "refuse",
        code: "firewall.ssh_cut",
        says: "tcp from 198.51.100.7 to port 22 (new connection) would be dropped: no rule accepts it.",
        packet: { protocol: "tcp", source: "198.51.100.7/32", port: 22, state: "new", interface: "outside" },
      },
    ]);
  });

  test("is judged by the first rule that matches", () => {
    expect(codes([...ground, ssh, drop("too late", { protocol: "tcp" })])).toEqual([]);
    expect(says([...ground, drop("all tcp", { protocol: "tcp" }), ssh])).toEqual([
      'tcp from 198.51.100.7 to port 22 (new connection) would be dropped by the rule "all tcp".',
    ]);
    expect(says([...ground, { label: "no thanks", verdict: "reject" }, ssh])[0]).toContain(
      'would be rejected by the rule "no thanks"',
    );
    expect(codes([...ground, drop("other port", { protocol: "tcp", ports: [{ from: 23, to: 23 }] }), ssh])).toEqual([]);
    expect(codes([...ground, drop("other state", { states: ["invalid"] }), ssh])).toEqual([]);
  });

  test("stays open for a network only when all of it is accepted", () => {
    const known = { management: ["10.0.0.0/8"] };
    const mine = from("mine", `${peer}/32`);
    expect(codes([...ground, mine, from("office", "10.0.0.0/8")], known)).toEqual([]);
    expect(codes([...ground, mine, from("low", "10.0.0.0/9"), from("high", "10.128.0.0/9")], known)).toEqual([]);
    expect(says([...ground, mine, from("low", "10.0.0.0/9"), from("high", "10.128.0.0/10")], known)).toEqual([
      "A part (10.192.0.0/10) of tcp from 10.0.0.0/8 to port 22 (new connection) would be dropped: no rule accepts it.",
    ]);
  });

  test("is cut by a rule that drops any part of the network", () => {
    const rules = [...ground, drop("bad host", { sources: ["10.9.9.9/32"] }), ssh];
    expect(says(rules, { management: ["10.0.0.0/8"] })).toEqual([
      'A part (10.9.9.9/32) of tcp from 10.0.0.0/8 to port 22 (new connection) would be dropped by the rule "bad host".',
    ]);
    expect(codes(rules)).toEqual([]);
  });

  test("on an interface counts for nobody: where a packet comes in is not known", () => {
    expect(says([...ground, { ...ssh, label: "inside", interfaces: ["wg0"] }])).toEqual([
      'tcp from 198.51.100.7 to port 22 (new connection) would be dropped: no rule accepts it. The rule "inside" accepts it on wg0 only, and on which interface such a packet comes in is not known.',
    ]);
    expect(says([...ground, drop("not here", { interfaces: ["eth1"] }), ssh])).toEqual([
      'tcp from 198.51.100.7 to port 22 (new connection) would be dropped by the rule "not here". That rule is for eth1, and on which interface such a packet comes in is not known.',
    ]);
    expect(codes([...ground, drop("inner", { interfaces: ["lo"] }), ssh])).toEqual([]);
  });

  test("that opens and then hears nothing more is cut too", () => {
    const own = { ...answers, protocol: "tcp" as const, ports: [{ from: 1024, to: 65535 }] };
    const rules = [loopback, neighbours, own, { ...own, protocol: "udp" as const }, ssh];
    expect(says(rules)).toEqual([
      "tcp from 198.51.100.7 to port 22 (open connection) would be dropped: no rule accepts it.",
    ]);
  });

  test("is judged for every port, every family and every spelling of a peer", () => {
    const known = { ssh: { ports: [22, 2222], peers: ["::ffff:198.51.100.7", "2001:DB8::1"] } };
    expect(findings([...ground, ssh], known).map(({ packet }) => [packet?.source, packet?.port])).toEqual([
      ["198.51.100.7/32", 2222],
    ]);
    expect(says([...ground, from("v4", "0.0.0.0/0")], { ssh: { ports: [22], peers: ["2001:DB8::1"] } })).toEqual([
      "tcp from 2001:db8::1 to port 22 (new connection) would be dropped: no rule accepts it.",
    ]);
  });

  test("of a hundred people behind one cause is one finding", () => {
    const peers = Array.from({ length: 100 }, (_, index) => `203.0.113.${index}`);
    const found = findings(ground, { ssh: { ports: [22], peers } });
    expect(found).toHaveLength(1);
    expect(found[0]?.says).toContain(
      "tcp from 203.0.113.0 to port 22 (new connection), and 99 other packets of its kind,",
    );
  });

  test("through a tunnel of the host itself is loopback traffic", () => {
    expect(codes([...ground, ssh], { ssh: { ports: [22], peers: ["127.0.0.1", "::1"] } })).toEqual([
      "firewall.ssh_unjudged",
    ]);
  });
});

describe("SSH from nowhere known", () => {
  const nobody = { ssh: { ports: [22, 2222], peers: [] } };

  test("is a warning, and refused when nobody at all could come in", () => {
    expect(codes([...ground, ssh], nobody)).toEqual(["firewall.ssh_unjudged"]);
    expect(codes([...ground, { ...ssh, interfaces: ["wg0"] }], nobody)).toEqual(["firewall.ssh_unjudged"]);
    expect(codes([], nobody, "accept")).toEqual(["firewall.ssh_unjudged"]);
    expect(codes(ground, nobody)).toEqual(["firewall.ssh_closed", "firewall.ssh_unjudged"]);
    expect(codes([...ground, { ...ssh, interfaces: ["lo"] }], nobody)[0]).toBe("firewall.ssh_closed");
    expect(codes([...ground, drop("nobody", { protocol: "tcp" }), ssh], nobody)[0]).toBe("firewall.ssh_closed");
    expect(codes([...ground, { ...ssh, states: ["established"] }], nobody)[0]).toBe("firewall.ssh_closed");
  });

  test("is taken for port 22 when the host did not tell, also beside management networks", () => {
    expect(says([...ground, ssh], { ssh: null })).toEqual([
      "The host did not tell where its SSH server listens; port 22 is taken for it. Whether SSH stays reachable for you was not judged.",
    ]);
    expect(codes(ground, { ssh: null, management: ["10.0.0.0/8"] })).toEqual([
      "firewall.ssh_closed",
      "firewall.ssh_unjudged",
    ]);
  });

  test("is nothing where no SSH server listens", () => {
    expect(codes(ground, { ssh: { ports: [], peers: [] } })).toEqual([]);
  });

  test("is judged by the management networks that can be read, and the others are named", () => {
    const known = { ...nobody, management: ["office", "10.0.0.1/8", "192.0.2.1"] };
    const found = findings([...ground, { ...ssh, ports: [{ from: 22, to: 2222 }] }], known);
    expect(found.map(({ says: said }) => said)).toEqual([
      "The management network office is not a network, and was not judged.",
      "The management network 10.0.0.1/8 is not a network, and was not judged.",
    ]);
  });
});

describe("answers to the host's own connections", () => {
  test("must come in, over both families and protocols", () => {
    expect(findings([loopback, neighbours, ssh]).map(({ code, packet }) => [code, packet?.port])).toEqual([
      ["firewall.answers_cut", null],
      ["firewall.ssh_cut", 22],
    ]);
    expect(codes([loopback, neighbours, ssh, { ...answers, protocol: "tcp" }])).toEqual(["firewall.answers_cut"]);
    expect(codes([loopback, neighbours, ssh, { ...answers, sources: ["0.0.0.0/0"] }])).toEqual([
      "firewall.answers_cut",
    ]);
  });

  test("from networks that a rule shuts out on purpose are a warning; from everywhere they are not", () => {
    const blocked = drop("blocked", { sources: ["203.0.113.0/24"] });
    expect(findings([blocked, ...ground, ssh])).toMatchObject([
      {
        severity: "warn",
        code: "firewall.answers_partly",
        says: 'A part (203.0.113.0/24) of tcp from 0.0.0.0/0 (open connection), and 1 other packet of its kind, would be dropped by the rule "blocked".',
      },
    ]);
    const everywhere = drop("all", { states: ["established"], sources: ["0.0.0.0/1", "128.0.0.0/1"] });
    expect(codes([loopback, neighbours, everywhere, ...ground, ssh])).toContain("firewall.answers_cut");
  });

  test("go to ports that the system chooses, so that a closed service beside them is no finding", () => {
    expect(
      codes([loopback, drop("telnet", { protocol: "tcp", ports: [{ from: 23, to: 23 }] }), ...ground, ssh]),
    ).toEqual([]);
    const high = drop("high", { protocol: "tcp", ports: [{ from: 40_000, to: 40_000 }] });
    expect(codes([loopback, high, ...ground, ssh])).toEqual(["firewall.answers_cut"]);
  });
});

test("a host that carries the Gatehouse server must be reached there from everywhere", () => {
  const web: FirewallRule = { ...ssh, label: "web", ports: [{ from: 443, to: 443 }] };
  const known = { controlPorts: [443] };
  expect(codes([...ground, ssh, web], known)).toEqual([]);
  expect(codes([...ground, ssh], known)).toEqual(["firewall.control_cut"]);
  expect(codes([...ground, ssh, { ...web, sources: ["0.0.0.0/0"] }], known)).toEqual(["firewall.control_cut"]);
  const blocked = drop("blocked", { sources: ["203.0.113.0/24"], states: ["new"] });
  expect(codes([...ground, blocked, ssh, web], known)).toEqual(["firewall.control_partly"]);
});

test("loopback traffic that is not accepted is a warning", () => {
  expect(says([neighbours, answers, ssh])).toEqual([
    "tcp from 127.0.0.0/8 over the interface lo (new connection), and 3 other packets of its kind, would be dropped: no rule accepts it.",
  ]);
  const database = drop("database", { protocol: "tcp", ports: [{ from: 5432, to: 5432 }] });
  expect(codes([database], {}, "accept")).toEqual(["firewall.loopback_cut"]);
  expect(codes([loopback, database], {}, "accept")).toEqual([]);
});

test("neighbour discovery needs a rule of its own: connection tracking does not see it", () => {
  expect(codes([loopback, answers, ssh])).toEqual(["firewall.neighbours_cut"]);
  expect(codes([loopback, answers, ssh, { ...neighbours, states: ["new"] }])).toEqual(["firewall.neighbours_cut"]);
  expect(
    codes([loopback, answers, ssh, { ...neighbours, types: ["nd-neighbor-advert", "nd-neighbor-solicit"] }]),
  ).toEqual([]);
});

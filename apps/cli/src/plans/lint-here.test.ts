import type { PlanSectionView } from "@gatehouse/contract/routes";
import type { Operation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { hosts, samplePlan } from "../../test/sample-plan.ts";
import type { CheckedSection } from "./check-section.ts";
import { lintHere, type PlanAround } from "./lint-here.ts";

const view = samplePlan().views[0] as PlanSectionView;
const node = hosts[0]?.id ?? "";
const closed: Operation = { kind: "firewall.apply", table: "gatehouse_a", input: { policy: "drop", rules: [] } };
const ssh = { subject: "host:ssh", state: { ports: [22], peers: ["192.0.2.7"] } };
/** No networks are named, and no host has a key. */
const nobody: PlanAround = { management: [], hostKeys: new Map() };

const section = (operation: Operation, findings: PlanSectionView["findings"] = []): CheckedSection => ({
  view: { ...view, findings },
  section: { node, operations: [operation], preconditions: [] },
  host: { at: "2026-11-17T04:00:00.000Z", states: [ssh] },
});

test("what a server hides is found here, of what the host signed, refusals first", () => {
  const found = lintHere(section(closed), nobody);
  expect(found[0]).toMatchObject({ severity: "refuse", by: "here" });
  expect(found.map(({ packet }) => packet ?? "").join()).toContain("192.0.2.7");
  expect(found.every(({ by }) => by === "here")).toBe(true);
});

test("what both found is told once; what the server alone found is its word", () => {
  const [first] = lintHere(section(closed), nobody);
  const control = {
    severity: "refuse",
    code: "firewall.control_cut",
    says: "The server could not be reached.",
    operation: 0,
    packet: "tcp from 0.0.0.0/0 to port 443 (new connection)",
  } as const;
  const { by: _, ...same } = first ?? { ...control, by: "server" };
  const found = lintHere(section(closed, [same, control]), nobody);
  expect(found.filter(({ code, packet }) => code === same.code && packet === same.packet)).toHaveLength(1);
  expect(found.filter(({ by }) => by === "server")).toEqual([{ ...control, by: "server" }]);
});

test("the networks from which people reach the hosts are judged too", () => {
  const port = { from: 22, to: 22 };
  const office: Operation = {
    ...closed,
    input: {
      policy: "drop",
      rules: [
        { label: "answers", verdict: "accept", states: ["established", "related"] },
        { label: "ssh", verdict: "accept", protocol: "tcp", ports: [port], sources: ["192.0.2.0/24"] },
      ],
    },
  };
  const refused = (management: readonly string[]) =>
    lintHere(section(office), { ...nobody, management }).flatMap(({ severity, packet }) =>
      severity === "refuse" ? [packet] : [],
    );
  expect(refused([])).toEqual([]);
  expect(refused(["198.51.100.0/24"])).toEqual([expect.stringContaining("198.51.100.0/24 to port 22")]);
});

test("how the host lets changes be approved is judged of what it signed, not of what the server shows", () => {
  const restart: Operation = { kind: "service.restart", unit: "nginx.service" };
  const codes = (accepts: string) => {
    const states = [{ subject: "host:trust", state: { accepts, trust: null } }];
    const host = { at: "2026-11-17T04:00:00.000Z", states };
    return lintHere({ ...section(restart), host }, nobody).map(({ code }) => code);
  };
  expect(codes("none")).toContain("host.takes_none");
  expect(codes("server")).toContain("host.server_trusted");
  expect(codes("signed")).toEqual(["service.not_undone"]);
});

test("the key of a peer is held against those that hosts of the plan signed, and the host's own against its state", () => {
  const key = (letter: string) => `${letter.repeat(42)}A=`;
  const joined = (own: string): Operation => ({
    kind: "network.wireguard",
    interface: "wg0",
    publicKey: key(own),
    listenPort: 51_820,
    addresses: ["10.9.0.1/24"],
    peers: [{ label: "web-2", publicKey: key("b"), allowedIps: ["10.9.0.2/32"] }],
  });
  const states = [{ subject: "wireguard:wg0", state: { publicKey: key("a"), interface: null } }];
  const host = { at: "2026-11-17T04:00:00.000Z", states };
  const codes = (own: string, ...keys: string[]) =>
    lintHere(
      { ...section(joined(own)), host },
      { ...nobody, hostKeys: new Map(keys.map((one) => [key(one), []])) },
    ).map(({ code, severity }) => [code, severity]);
  expect(codes("a", "a", "b")).toEqual([]);
  expect(codes("a", "a")).toEqual([["wireguard.peer_unknown", "warn"]]);
  expect(codes("m", "a", "b")).toEqual([["wireguard.key", "refuse"]]);
});

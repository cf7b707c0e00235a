import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { type FirewallState, firewallState } from "../../states.ts";
import { diffFirewall } from "./diff.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { foreignState, recordedOperation, recordedState } from "./nft-cases.ts";
import { renderNftTable } from "./nft-table.ts";
import { renderFirewall } from "./render.ts";

const texts = (mark: string, ...asked: Parameters<typeof diffFirewall>) =>
  diffFirewall(...asked)
    .filter((line) => line.mark === mark)
    .map(({ text }) => text.trim());

describe("the change of a firewall", () => {
  test("is none when the host has the table already, whatever order nft keeps its sets in", () => {
    const lines = diffFirewall(recordedOperation, recordedState);
    expect(new Set(lines.map(({ mark }) => mark))).toEqual(new Set(["same"]));
    // What a reviewer reads is the very text that nft loads.
    expect(renderFirewall(recordedOperation)).toBe(
      `add table inet gatehouse_netguard\ndelete table inet gatehouse_netguard\n${lines.map(({ text }) => `${text}\n`).join("")}`,
    );
  });

  test("shows the rules that go and come, and leaves the others", () => {
    const { policy, rules } = recordedOperation.input;
    const changed: FirewallApply = {
      ...recordedOperation,
      input: {
        policy,
        rules: rules.map((rule) => (rule.label === "pings" ? { ...rule, verdict: "drop" as const } : rule)),
      },
    };
    const lines = diffFirewall(changed, recordedState).filter(({ mark }) => mark !== "same");
    expect(lines).toEqual([
      { mark: "removed", text: '    icmp type { destination-unreachable, echo-request } accept comment "pings"' },
      { mark: "added", text: '    icmp type { echo-request, destination-unreachable } drop comment "pings"' },
    ]);
  });

  test("is all new where there was no table, and where nobody knows", () => {
    for (const before of [null, undefined]) {
      expect(new Set(diffFirewall(recordedOperation, before).map(({ mark }) => mark))).toEqual(new Set(["added"]));
    }
  });

  test("leaves nothing out that somebody wrote by hand: what our rules never say stands there as JSON", () => {
    const gone = texts("removed", recordedOperation, foreignState);
    expect(gone).toContain("type filter hook input priority 10; policy accept;");
    expect(gone).toContain(
      '{"match":{"op":"!=","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":22}} counter drop comment "not ssh"',
    );
    expect(gone).toContain(
      'ip saddr { 10.0.0.1/32, 10.0.0.2/31, 10.0.0.4/31, 10.0.0.6/32 } tcp dport { 22, 2222 } {"reject":{"type":"tcp reset"}}',
    );
    expect(gone).toContain("chain extra {");
    expect(gone.filter((line) => line.startsWith('{"set":'))).toHaveLength(1);
    expect(gone.filter((line) => line.startsWith('{"counter":'))).toHaveLength(1);
  });

  test("tells a rule from one that only looks alike", () => {
    const one = { chain: { family: "inet", table: "t", name: "input" } };
    const rule = (expr: unknown, comment?: string): FirewallState =>
      firewallState.parse({
        nftables: [
          one,
          { rule: { family: "inet", table: "t", chain: "input", expr, ...(comment === undefined ? {} : { comment }) } },
        ],
      });
    const line = (...asked: Parameters<typeof rule>) => renderNftTable(rule(...asked))[1]?.trim();
    expect(line([{ accept: null }], 'x" drop')).toBe('accept comment "x\\" drop"');
    expect(line([{ accept: null }], "up\u202edown\n")).toBe('accept comment "up\\u{202e}down\\n"');
    const state = (right: unknown, op = "==") => line([{ match: { op, left: { ct: { key: "state" } }, right } }]);
    expect(state("new", "in")).toBe("ct state { new }");
    expect(state(["new", "established"], "in")).toBe("ct state { established, new }");
    expect(state(["new", "established"])).toContain('{"match"');
    expect(state("new", "!=")).toContain('{"match"');
    expect(line([{ accept: null, drop: null }])).toBe('{"accept":null,"drop":null}');
    expect(line([{ toString: null }])).toBe('{"toString":null}');
  });

  test("is drawn up for whatever a host sends", () => {
    const entry = fc.oneof(
      fc.dictionary(fc.constantFrom("table", "chain", "rule", "set", "__proto__"), fc.jsonValue()),
      fc.constantFrom(...recordedState.nftables, ...foreignState.nftables),
      fc
        .tuple(fc.constantFrom("match", "reject", "accept", "counter"), fc.jsonValue())
        .map(([name, value]) => ({ rule: { family: "inet", table: "t", chain: "input", expr: [{ [name]: value }] } })),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), (nftables) => {
        const state = { nftables } as FirewallState;
        const lines = diffFirewall(recordedOperation, state);
        expect(lines.every(({ text }) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text))).toBe(true);
        expect(lines.filter(({ mark }) => mark !== "removed")).toHaveLength(
          renderFirewall(recordedOperation).split("\n").length - 3,
        );
      }),
      { numRuns: 500, seed: 21 },
    );
  });
});

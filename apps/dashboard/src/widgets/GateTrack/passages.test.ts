import type { AuditEntryView, Plugin } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { nextMoveOf, passagesOf } from "./passages.ts";

const at = "2026-11-15T02:41:00.000Z";

function plugin(more: Partial<Plugin>): Plugin {
  return {
    id: "edge-firewall",
    name: "Edge Firewall",
    publisher: "northgate",
    version: "2.4.0",
    status: "verified",
    capabilities: [],
    egressHosts: [],
    artifactSha256: "c".repeat(64),
    artifactSize: 10,
    payloadSha256: "d".repeat(64),
    signers: ["0123456789abcdef0123456789abcdef"],
    expiresAt: null,
    available: true,
    runtime: {
      state: "absent",
      runner: "system",
      sandbox: null,
      message: null,
      breaker: null,
      failuresInARow: 0,
      actions: 0,
      capabilityUse: [],
      lastErrors: [],
    },
    contributions: [],
    history: [],
    moves: ["installed"],
    verifiedAt: at,
    installedAt: null,
    activatedAt: null,
    disabledAt: null,
    createdAt: at,
    updatedAt: at,
    ...more,
  };
}

const entry = (action: string, actor: string, payload: string, position = 1): AuditEntryView => ({
  position,
  at,
  actor,
  action,
  subject: "plugin/edge-firewall",
  outcome: "done",
  requestId: null,
  address: null,
  detail: { payloadSha256: payload },
});

const leaves = (one: Plugin, entries: AuditEntryView[] = []) =>
  passagesOf(one, entries, undefined).map(({ gates }) => gates.map(({ leaf }) => leaf).join(" "));

describe("the passage of a digest", () => {
  test("stops at the gate that is to be decided, and no plan gate opens by activation", () => {
    expect(leaves(plugin({}))).toEqual(["open open next shut"]);
    expect(leaves(plugin({ status: "installed", moves: ["active", "disabled"] }))).toEqual(["open open next shut"]);
    expect(leaves(plugin({ status: "active", moves: ["disabled"] }))).toEqual(["open open open shut"]);
  });

  test("is not open behind bytes that were not loaded", () => {
    expect(leaves(plugin({ available: false, moves: [] }))).toEqual(["open again shut shut"]);
    expect(leaves(plugin({ available: false, status: "active", moves: ["disabled"] }))).toEqual([
      "open again again shut",
    ]);
  });

  test("of closed bytes shows which gates were shut again, the newest first", () => {
    const old: Plugin["history"][number] = {
      version: "2.3.1",
      artifactSha256: "e".repeat(64),
      payloadSha256: "f".repeat(64),
      publisher: "northgate",
      capabilities: [],
      status: "active",
      verifiedAt: at,
      installedAt: at,
      closedAt: at,
      reason: "other bytes",
    };
    const never = { ...old, version: "2.3.0", status: "verified" as const, installedAt: null };
    const shown = passagesOf(plugin({ history: [never, old] }), [], undefined);
    expect(shown.map(({ version, isOld }) => [version, isOld])).toEqual([
      ["2.4.0", false],
      ["2.3.1", true],
      ["2.3.0", true],
    ]);
    expect(leaves(plugin({ history: [never, old] }))).toEqual([
      "open open next shut",
      "open open again again",
      "open open shut shut",
    ]);
  });

  test("names who opened a gate from the entries of the same bytes only", () => {
    const one = plugin({ status: "active", installedAt: at, activatedAt: at, moves: ["disabled"] });
    const entries = [
      entry("plugin.activated", "usr_ruth", one.payloadSha256, 3),
      entry("plugin.installed", "usr_other", "0".repeat(64), 2),
      entry("plugin.installed", "usr_ines", one.payloadSha256, 1),
    ];
    const gate = passagesOf(one, entries, 2)[0]?.gates.find(({ name }) => name === "activate");
    expect(gate?.lines.map(({ actor }) => actor)).toEqual(["usr_ines", "usr_ruth"]);
  });
});

test("the next move carries its object and says what does not happen", () => {
  expect(nextMoveOf(plugin({}))).toMatchObject({ to: "installed", label: "Accept 2.4.0…" });
  expect(nextMoveOf(plugin({}))?.sentence).toContain("Nothing runs yet");
  expect(nextMoveOf(plugin({ status: "disabled", moves: ["active"] }))).toMatchObject({ to: "active" });
  expect(nextMoveOf(plugin({ status: "active", moves: ["disabled"] }))).toBeNull();
  expect(nextMoveOf(plugin({ available: false, moves: [] }))).toBeNull();
});

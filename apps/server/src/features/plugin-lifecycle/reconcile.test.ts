import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { type LifecycleState, lifecycleStates } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import { closeRecord, openRecord } from "./open-record.ts";
import { type Found, reconcile } from "./reconcile.ts";
import type { PluginRecord } from "./records.ts";

function bundle(
  version: string,
  capabilities: VerifiedBundle["manifest"]["capabilities"] = ["kv:read"],
): VerifiedBundle {
  const sha256 = version.replaceAll(/\D/g, "").padEnd(64, "a");
  return {
    manifest: {
      schema: 1,
      id: "netguard",
      name: "Netguard",
      version,
      publisher: "gatehouse",
      runner: "system",
      capabilities,
      artifact: { sha256, size: 10 },
      contributions: { nav: [], enhancements: [] },
      signatures: [],
    },
    payloadSha256: sha256.replaceAll("a", "b"),
    artifactSha256: sha256,
    signers: ["0".repeat(32)],
  };
}

const at = (status: LifecycleState, more: Partial<PluginRecord> = {}): PluginRecord => ({
  ...openRecord(bundle("1.0.0"), 1),
  status,
  ...more,
});

const same: Found = { kind: "accepted", bundle: bundle("1.0.0") };
const other: Found = { kind: "accepted", bundle: bundle("1.1.0") };
const rejected: Found = { kind: "rejected", reason: "artifact digest mismatch" };
const absent: Found = { kind: "absent" };

describe("at a start", () => {
  test("a bundle without a record gets one, and what is not accepted gets none", () => {
    expect(reconcile(undefined, same)).toMatchObject({ kind: "open" });
    for (const found of [rejected, absent]) expect(reconcile(undefined, found)).toEqual({ kind: "nothing" });
  });

  test.each(lifecycleStates)("of a record at %s: only an active one is armed or disabled", (status) => {
    const isActive = status === "active";
    expect(reconcile(at(status), same).kind).toBe(isActive ? "rearm" : "nothing");
    expect(reconcile(at(status), other).kind).toBe("supersede");
    expect(reconcile(at(status), rejected).kind).toBe(isActive ? "disable" : "nothing");
    expect(reconcile(at(status), absent).kind).toBe("nothing");
  });

  test.each(lifecycleStates)("a closed record that stood at %s is followed by a new one and never armed", (status) => {
    const closed = closeRecord(at(status), "test", 2);
    for (const found of [same, other]) expect(reconcile(closed, found).kind).toBe("open");
    for (const found of [rejected, absent]) expect(reconcile(closed, found).kind).toBe("nothing");
  });
});

describe("a new record", () => {
  test("remembers what was accepted and takes nothing from it", () => {
    const accepted = { version: "1.0.0", artifactSha256: "x", payloadSha256: "y", capabilities: ["kv:read"] as const };
    const before = at("active", { installedAt: 2, activatedAt: 3, lastAccepted: accepted, highestAccepted: "3.0.0" });
    const next = openRecord(bundle("2.0.0", ["kv:read", "kv:write"]), 9, before);
    expect(next).toMatchObject({
      status: "verified",
      installedAt: null,
      activatedAt: null,
      createdAt: 1,
      verifiedAt: 9,
      highestAccepted: "3.0.0",
      lastAccepted: accepted,
      change: { from: { version: "1.0.0", artifactSha256: "x" }, addedCapabilities: ["kv:write"], downgrade: true },
    });
  });

  test("of the bytes that were accepted last is compared with what stood in between", () => {
    const [one, two] = [bundle("1.0.0"), bundle("1.1.0")];
    const { payloadSha256, artifactSha256 } = one;
    const lastAccepted = { version: "1.0.0", artifactSha256, payloadSha256, capabilities: [] };
    const between = { ...openRecord(two, 2, at("installed")), lastAccepted };
    expect(openRecord(one, 3, between).change?.from.version).toBe("1.1.0");
  });

  test("keeps a bounded history", () => {
    let record = at("verified");
    for (let i = 0; i < 80; i += 1) record = { ...closeRecord(record, `the ${i}th`, i), closedAt: null };
    expect(record.history).toHaveLength(50);
    expect(record.history.at(-1)?.reason).toBe("the 79th");
  });
});

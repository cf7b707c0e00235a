import { describe, expect, test, vi } from "vitest";
import { fault } from "@gatehouse/contract";
import { signManifest } from "../sign/index.ts";
import { judgeBundle, type OpenBundle, serialiseManifest, verifyBundle } from "./index.ts";
import { bundleLimits } from "./limits.ts";
import { openSample, sampleKey, sampleManifest, sampleNow, samplePolicy } from "./sample-cases.ts";
import { emptyTrustPolicy } from "./trust-policy.ts";
import { accept, checkNames, refuseUnopened } from "./verify-bundle.ts";

const policy = samplePolicy();
const good = openSample();

const judge = (changes: Partial<OpenBundle> = {}) =>
  verifyBundle({ bundle: { ...good, ...changes }, policy, now: sampleNow });

const codeOf = async (changes: Partial<OpenBundle>) => {
  const verdict = await judge(changes);
  return verdict.accepted ? "accepted" : verdict.refusal.code;
};

describe("a good bundle", () => {
  test("it passes every check there is, once and in order", async () => {
    const verdict = await judge();
    expect(verdict.accepted).toBe(true);
    expect(verdict.checks.map((check) => check.name)).toEqual(checkNames);
    expect(verdict.checks.filter((check) => check.outcome !== "passed")).toEqual([]);
    expect(verdict.checks.filter((check) => check.expected === "" || check.found === "")).toEqual([]);
  });

  test("the verdict says what was signed, by whom, and which bytes it is about", async () => {
    const verdict = await judge();
    expect(verdict.accepted && verdict.bundle).toMatchObject({
      manifest: sampleManifest(),
      artifactSha256: sampleManifest().artifact.sha256,
      signers: [sampleKey.keyId],
    });
    expect(verdict.accepted && verdict.bundle.payloadSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test("what was signed is what changes the payload's digest; another signature is not", async () => {
    const digestOf = async (manifest: Uint8Array) => {
      const verdict = await judge({ manifest });
      return verdict.accepted ? verdict.bundle.payloadSha256 : undefined;
    };
    const one = await digestOf(serialiseManifest(sampleManifest()));
    expect(await digestOf(serialiseManifest(signManifest(sampleManifest(), sampleKey)))).toBe(one);
    expect(await digestOf(serialiseManifest(sampleManifest({ name: "Other" })))).not.toBe(one);
  });
});

describe("a bundle that is refused", () => {
  test("the checks before the failed one have passed, and those after it were skipped", async () => {
    const verdict = await verifyBundle({ bundle: openSample(), policy: emptyTrustPolicy, now: sampleNow });
    const outcomes = verdict.checks.map((check) => check.outcome);
    const failed = checkNames.indexOf("publisher");
    expect(verdict.checks.map((check) => check.name)).toEqual(checkNames);
    expect(outcomes).toEqual(checkNames.map((_, i) => (i < failed ? "passed" : i > failed ? "skipped" : "failed")));
    expect(verdict).toMatchObject({ accepted: false, manifest: { id: "acme-lines" } });
  });

  test("the artifact of a bundle that nobody trusted is never read", async () => {
    const hashArtifact = vi.fn(() => Promise.resolve(""));
    await verifyBundle({ bundle: openSample({ hashArtifact }), policy: emptyTrustPolicy, now: sampleNow });
    await judge({ hashArtifact, artifactSize: 1 });
    expect(hashArtifact).not.toHaveBeenCalled();
  });

  test("a bundle from elsewhere than the file reader is held to the same bounds", async () => {
    expect(await codeOf({ id: "../x" })).toBe("bundle.name_invalid");
    expect(await codeOf({ artifactSize: bundleLimits.artifactBytes + 1 })).toBe("bundle.artifact_too_large");
    expect(await codeOf({ manifest: new Uint8Array(65_537) })).toBe("bundle.manifest_too_large");
  });

  test("no runner enabled, no capability and no prefix allowed: each is said in words", async () => {
    const acme = policy.publishers.get("acme");
    if (acme === undefined) throw new Error("the sample policy names acme");
    const withAcme = (changes: object) => ({ ...policy, publishers: new Map([["acme", { ...acme, ...changes }]]) });
    const input = { bundle: openSample(), policy, now: sampleNow };
    const details = [
      await verifyBundle({ ...input, enabledRunners: new Set() }),
      await verifyBundle({ ...input, policy: withAcme({ capabilities: new Set() }) }),
      await verifyBundle({ ...input, policy: withAcme({ idPrefixes: [] }) }),
    ].map((verdict) => (verdict.accepted ? "" : verdict.refusal.detail));
    expect(details).toEqual([
      "expected one of no runner, found system",
      "expected at most no capability, found kv:read",
      "expected an id under no prefix at all, found acme-lines",
    ]);
  });

  test("every bit of a manifest counts: not one flip is accepted", async () => {
    const codes = new Map<string, number>();
    for (let bit = 0; bit < good.manifest.byteLength * 8; bit += 1) {
      const manifest = Uint8Array.from(good.manifest);
      manifest[bit >> 3] = (manifest[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const code = await codeOf({ manifest });
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(codes.get("accepted")).toBeUndefined();
    expect(codes.get("bundle.verifier_failed")).toBeUndefined();
    expect(codes.get("bundle.invalid_signature")).toBeGreaterThan(100);
  });

  test("not one shorter and not one longer manifest is accepted", async () => {
    for (let length = 0; length < good.manifest.byteLength; length += 1) {
      expect(await codeOf({ manifest: good.manifest.subarray(0, length) })).not.toBe("accepted");
    }
    for (const more of [0x00, 0x0a, 0x20, 0x7d]) {
      expect(await codeOf({ manifest: Uint8Array.from([...good.manifest, more]) })).not.toBe("accepted");
    }
  });
});

describe("what cannot be judged is refused", () => {
  test("a refusal of the file reader keeps its code and its words", async () => {
    const error = fault("bundle.changed_while_read", "expected it to stay, found it changed");
    const verdict = await judge({ hashArtifact: () => Promise.reject(error) });
    expect(verdict).toMatchObject({
      accepted: false,
      refusal: { code: "bundle.changed_while_read", detail: "expected it to stay, found it changed" },
    });
  });

  test.each([
    [
      "an error",
      new TypeError("x is not a function"),
      "expected to be able to judge it, found TypeError: x is not a function",
    ],
    ["a refusal that is not about bundles", fault("server.busy", "later"), /found Fault: server.busy: later$/],
    ["something that is no error", "text", "expected to be able to judge it, found an unknown error"],
  ])("%s is bundle.verifier_failed", async (_, error, detail) => {
    const verdict = await judge({ hashArtifact: () => Promise.reject(error) });
    expect(verdict).toMatchObject({ accepted: false, refusal: { code: "bundle.verifier_failed" } });
    if (!verdict.accepted) expect(verdict.refusal.detail).toMatch(detail);
  });

  test("an error that cannot even be described is refused too", async () => {
    class Nasty extends Error {
      override get message(): string {
        throw new Error("no");
      }
    }
    const nasty = {
      get directory(): string {
        throw new Nasty();
      },
    };
    const verdicts = [
      await judge({ hashArtifact: () => Promise.reject(new Nasty()) }),
      await judgeBundle(nasty as never),
    ];
    for (const verdict of verdicts) {
      expect(verdict).toMatchObject({ accepted: false, refusal: { code: "bundle.verifier_failed" } });
      expect(verdict.checks.map((check) => check.outcome)).toEqual(checkNames.map(() => "skipped"));
    }
  });

  test("nothing at all is refused", async () => {
    expect(await verifyBundle(undefined as never)).toMatchObject({ accepted: false });
    expect(await judgeBundle(undefined as never)).toMatchObject({ accepted: false });
    expect(await verifyBundle({ bundle: openSample(), policy: samplePolicy(), now: Number.NaN })).toMatchObject({
      accepted: false,
      refusal: { code: "bundle.verifier_failed" },
    });
  });

  test("a verdict is not accepted while a check is missing, failed or out of order, or found nothing", async () => {
    const { checks } = await judge();
    expect(() => accept([], {})).toThrow("a check is missing");
    expect(() => accept(checks.slice(1), {})).toThrow("a check is missing");
    expect(() => accept(checks.toReversed(), {})).toThrow("a check is missing");
    expect(() =>
      accept(
        checks.map((check) => ({ ...check, outcome: "skipped" as const })),
        {},
      ),
    ).toThrow();
    expect(() => accept(checks, {})).toThrow("no check has found manifest");
  });

  test("a bundle that was not opened is refused with every check named", () => {
    const large = refuseUnopened(fault("bundle.manifest_too_large", "expected less, found more"));
    expect(large.checks.slice(0, 3).map((check) => check.outcome)).toEqual(["passed", "failed", "skipped"]);
    const other = refuseUnopened(new Error("no"));
    expect(other.refusal.code).toBe("bundle.verifier_failed");
    expect(other.checks.map((check) => check.name)).toEqual(checkNames);
    expect(other.checks[0]?.outcome).toBe("failed");
  });
});

import { isHostRisk, type RunnerName } from "@gatehouse/contract";
import { type CheckStep, fail, known, pass } from "./judgement.ts";
import { writeTime } from "./time.ts";

const systemOnly: ReadonlySet<RunnerName> = new Set(["system"]);
const mismatch = "artifact digest mismatch";

/** The checks of what the publisher may do, and last of the artifact, which is only hashed when all else is in order. */
export const permissionChecks = [
  {
    name: "id-prefixes",
    judge: (_, findings) => {
      const { idPrefixes } = known(findings, "publisher");
      const { id } = known(findings, "manifest");
      const owns = idPrefixes.some((prefix) => (prefix.endsWith("-") ? id.startsWith(prefix) : id === prefix));
      const expected = `an id under ${idPrefixes.join(", ") || "no prefix at all"}`;
      return owns ? pass(expected, id) : fail("bundle.id_outside_prefixes", expected, id);
    },
  },
  {
    name: "capability-ceiling",
    judge: (_, findings) => {
      const allowed = known(findings, "publisher").capabilities;
      const declared = known(findings, "manifest").capabilities;
      const beyond = declared.filter((capability) => !allowed.has(capability));
      const expected = `at most ${[...allowed].join(", ") || "no capability"}`;
      if (beyond.length > 0) return fail("bundle.capability_beyond_ceiling", expected, beyond.join(", "));
      return pass(expected, declared.join(", ") || "no capability");
    },
  },
  {
    name: "runner",
    judge: ({ enabledRunners = systemOnly }, findings) => {
      const { runner } = known(findings, "manifest");
      const expected = `one of ${[...enabledRunners].join(", ") || "no runner"}`;
      return enabledRunners.has(runner) ? pass(expected, runner) : fail("bundle.runner_not_enabled", expected, runner);
    },
  },
  {
    name: "host-risk",
    judge: (_, findings) => {
      const { capabilities, runner } = known(findings, "manifest");
      const risky = capabilities.filter((capability) => isHostRisk(capability));
      if (risky.length === 0) return pass("no host-risk capability, or the runner system", "no host-risk capability");
      const found = `${risky.join(", ")} with the runner ${runner}`;
      return runner === "system"
        ? pass("the runner system", found)
        : fail("bundle.host_risk_refused", "the runner system", found);
    },
  },
  {
    name: "expiry",
    judge: ({ now }, findings) => {
      const { expiresAt } = known(findings, "manifest");
      if (expiresAt === undefined) return pass("not expired", "no expiry");
      const isCurrent = now < Date.parse(expiresAt);
      const expected = `an expiry after ${writeTime(now)}`;
      return isCurrent ? pass(expected, expiresAt) : fail("bundle.expired", expected, expiresAt);
    },
  },
  {
    name: "artifact-size",
    judge: ({ bundle }, findings) => {
      const expected = `${known(findings, "manifest").artifact.size} bytes`;
      const found = `${bundle.artifactSize} bytes`;
      return expected === found
        ? pass(expected, found)
        : fail("bundle.artifact_digest_mismatch", expected, found, mismatch);
    },
  },
  {
    name: "artifact-digest",
    judge: async ({ bundle }, findings) => {
      const { sha256 } = known(findings, "manifest").artifact;
      const found = await bundle.hashArtifact();
      if (found !== sha256) return fail("bundle.artifact_digest_mismatch", sha256, found, mismatch);
      findings.artifactSha256 = found;
      return pass(sha256, found);
    },
  },
  {
    name: "revoked-digest",
    judge: ({ policy }, findings) => {
      const digest = known(findings, "artifactSha256");
      const isRevoked = policy.revoked.digests.has(digest);
      const expected = "a digest that is not revoked";
      return isRevoked ? fail("bundle.digest_revoked", expected, digest) : pass(expected, digest);
    },
  },
] as const satisfies readonly CheckStep[];

import type { Judged } from "../plugin-bundles/index.ts";
import { lifecycleLimits } from "./limits.ts";
import type { PluginRecord } from "./records.ts";

/**
 * Says why what is on disk now is not what the record is about; undefined when it is. Contract 7: bytes that changed after
 * they were signed or loaded are an artifact digest mismatch.
 */
export function findBytesFlaw(
  record: Pick<PluginRecord, "artifactSha256" | "payloadSha256">,
  judged: Exclude<Judged, { kind: "absent" }>,
): string | undefined {
  if (judged.kind === "rejected") return judged.refusal.detail.slice(0, lifecycleLimits.reasonChars);
  const { artifactSha256, payloadSha256 } = judged.bundle;
  if (payloadSha256 === record.payloadSha256) return undefined;
  if (artifactSha256 !== record.artifactSha256) {
    return `artifact digest mismatch: expected ${record.artifactSha256}, which was loaded, found ${artifactSha256}`;
  }
  return `the manifest changed after it was loaded: expected the payload ${record.payloadSha256}, found ${payloadSha256}`;
}

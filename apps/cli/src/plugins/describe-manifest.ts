import type { Manifest } from "@gatehouse/bundle/verify";
import { count } from "@gatehouse/command-line";
import { isComponentKey } from "@gatehouse/contract";
import { capabilityLines, withRisk } from "./describe-capabilities.ts";
import { fieldLine } from "./field-lines.ts";

/** What a manifest says, in words. `signed` holds the keys whose signatures are known to be good: no word of it says so. */
export function manifestLines(manifest: Manifest, signed: readonly string[] = []): string[] {
  const { artifact, contributions, egress, expiresAt, signatures } = manifest;
  return [
    fieldLine("name", manifest.name),
    fieldLine("publisher", manifest.publisher),
    fieldLine("runner", manifest.runner),
    fieldLine("artifact", `sha256 ${artifact.sha256}, ${count(artifact.size, "byte")}`),
    ...capabilityLines(withRisk(manifest.capabilities)),
    ...(egress === undefined ? [] : [fieldLine("hosts", egress.hosts.join(" "))]),
    ...contributions.nav.map(({ title, path, component, scope }) =>
      fieldLine("page", `${JSON.stringify(title)} at ${path}, ${keyWords(component)}${scope ? `, for ${scope}` : ""}`),
    ),
    ...contributions.enhancements.map(({ surface, component }) =>
      fieldLine("enhances", `${surface}, ${keyWords(component)}`),
    ),
    fieldLine("expires", expiresAt ?? "never"),
    ...(signatures.length === 0 ? [fieldLine("signature", "none: nothing unsigned is ever accepted")] : []),
    ...signatures.map(({ keyId }) =>
      fieldLine(
        "signature",
        signed.includes(keyId) ? `by ${keyId}` : `claims to be by ${keyId}, which was not checked`,
      ),
    ),
  ];
}

/** Only components the dashboard has are ever shown (contract 3.2). */
function keyWords(component: string): string {
  return isComponentKey(component) ? component : `${component} (which this version does not have, so it is not shown)`;
}

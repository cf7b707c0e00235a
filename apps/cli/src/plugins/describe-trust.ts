import { count, shortTime } from "@gatehouse/command-line";
import type { trustedPublisher, trustRoute } from "@gatehouse/contract/routes";
import { capabilityLines } from "./describe-capabilities.ts";
import { fieldLine, listOr } from "./field-lines.ts";

export type Publisher = (typeof trustedPublisher)["_output"];
export type Revoked = (typeof trustRoute)["responses"][200]["_output"]["revoked"];

/** Who may publish what: for each publisher its keys, the ids it may use and the most its plugins may ask for. */
export function trustLines(publishers: readonly Publisher[], revoked: Revoked): string[] {
  return [
    ...publishers.flatMap(publisherLines),
    ...(revoked.keys.length === 0 ? [] : [fieldLine("revoked", `keys ${revoked.keys.join(" ")}`)]),
    ...(revoked.digests.length === 0 ? [] : [fieldLine("revoked", `digests ${revoked.digests.join(" ")}`)]),
  ];
}

function publisherLines({ id, keys, idPrefixes, capabilities, threshold, firstParty }: Publisher): string[] {
  return [
    `  ${id}`,
    fieldLine("  signatures", `${threshold} of ${count(keys.length, "key")} must sign`),
    ...keys.map((key) => {
      const until = key.notAfter === null ? "without an end" : `until ${shortTime(key.notAfter)}`;
      return fieldLine("  key", `${key.id}  ${key.status}, ${until}  ${key.publicKey}`);
    }),
    fieldLine("  plugins", listOr(idPrefixes.map(whichIds), "none")),
    ...(capabilities.length === 0
      ? [fieldLine("  at most", "no capability at all")]
      : capabilityLines(capabilities, "  at most")),
    ...(firstParty ? [fieldLine("  first-party", "its plugins may enhance what the dashboard has of its own")] : []),
  ];
}

/** A prefix ends in a hyphen; everything else is one id. */
function whichIds(prefix: string): string {
  return prefix.endsWith("-") ? `${prefix}*` : prefix;
}

import type { JsonObject } from "@gatehouse/base";
import { readSshKey } from "@gatehouse/approval";
import { type TrustedPublisherKey, sshFingerprint, type Trust } from "@gatehouse/approval/verify";
import type { FoundTrust } from "./read-trust.ts";

/** The trust file in words. */
export function describeTrust(found: FoundTrust): string[] {
  if (found.t === "none") return ["This host has no trust file: it names nobody who approves."];
  if (found.t === "unsound") return [`The trust file is not believed, and so nobody approves: ${found.why}`];
  const { persons, publishers, thresholds, notAfter, epoch, digest } = found.trust;
  return [
    "The trust file names these approvers:",
    ...persons.flatMap(({ name, keys }) =>
      keys.map((key) => `  - ${name}: ${readSshKey(key.blob).type} ${sshFingerprint(key.blob)}`),
    ),
    ...(publishers.size === 0
      ? ["It names no publisher: no plan may bring a program."]
      : ["It names these publishers of programs:", ...[...publishers].flatMap(publisherLines)]),
    `Persons it takes: ${thresholdWords(thresholds)}.`,
    notAfter === undefined ? "The trust file has no end." : `From ${isoSeconds(notAfter)} on it approves nothing.`,
    `Epoch of the trust file: ${epoch}`,
    `Digest of the trust file: ${digest}`,
  ];
}

function publisherLines([publisher, keys]: readonly [string, readonly TrustedPublisherKey[]]): string[] {
  return keys.map(({ id, key }) => `  - ${publisher}: ${key.toBase64()}, key id ${id}`);
}

export function trustJson(found: FoundTrust): JsonObject | null {
  if (found.t !== "sound") return null;
  const { persons, publishers, thresholds, notAfter, epoch, digest, prev, networkConfirmation } = found.trust;
  return {
    epoch,
    digest,
    prev,
    persons: persons.map(({ name, keys }) => ({
      name,
      keys: keys.map(({ id, blob, needsVerification }) => {
        const { type, application } = readSshKey(blob);
        const pin = application.byteLength === 0 ? {} : { pin: needsVerification };
        return { id, type, fingerprint: sshFingerprint(blob), ...pin };
      }),
    })),
    publishers: Object.fromEntries(
      [...publishers].map(([publisher, keys]) => [publisher, keys.map(({ id, key }) => ({ id, key: key.toBase64() }))]),
    ),
    thresholds: { ...thresholds },
    notAfter: notAfter === undefined ? null : isoSeconds(notAfter),
    networkConfirmation,
  };
}

const thresholdNames = {
  change: "a change",
  network: "a change of the network",
  update: "an update",
  terminal: "a terminal",
  trust: "the next trust file",
} as const satisfies Record<keyof Trust["thresholds"], string>;

function thresholdWords(thresholds: Trust["thresholds"]): string {
  const names = Object.keys(thresholdNames) as (keyof typeof thresholdNames)[];
  return names.map((name) => `${thresholds[name]} for ${thresholdNames[name]}`).join(", ");
}

function isoSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

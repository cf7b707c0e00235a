import { approverKeyId, firstTrust } from "@gatehouse/approval/verify";
import { byteForm } from "@gatehouse/base";
import { importPrivateKey, keyIdOf, publicKeyBytes } from "@gatehouse/keys";
import { makeKey } from "../../../packages/approval/src/verify/ssh-key-cases.ts";

/** Ada has two keys and one that was taken from her, Bob and Cleo one each; nobody knows the stranger. */
export const approvers = {
  ada: makeKey("ssh-ed25519", 11),
  adaToken: makeKey("sk-ssh-ed25519@openssh.com", 12),
  bob: makeKey("ecdsa-sha2-nistp256", 13),
  cleo: makeKey("sk-ecdsa-sha2-nistp256@openssh.com", 14),
  former: makeKey("ssh-ed25519", 15),
  stranger: makeKey("ssh-ed25519", 16),
} as const;

export const persons = [
  { name: "ada", keys: [{ blob: approvers.ada.blob }, { blob: approvers.adaToken.blob }] },
  { name: "bob", keys: [{ blob: approvers.bob.blob }] },
  { name: "cleo", keys: [{ blob: approvers.cleo.blob, uv: true }] },
];

/** Whose programs hosts take, and somebody whose they do not. */
export const publisherKeys = {
  acme: importPrivateKey(new Uint8Array(32).fill(21)),
  globex: importPrivateKey(new Uint8Array(32).fill(22)),
  unknown: importPrivateKey(new Uint8Array(32).fill(23)),
} as const;

const publisherOf = (key: (typeof publisherKeys)["acme"]) => {
  const raw = publicKeyBytes(key);
  return { keys: [{ id: keyIdOf(raw), key: raw.toBase64() }] };
};
export const usualTrust = firstTrust(persons, {
  publishers: { acme: publisherOf(publisherKeys.acme), globex: publisherOf(publisherKeys.globex) },
});
/** Everything needs two persons. */
export const pairTrust = firstTrust(persons, {
  thresholds: { change: 2, network: 2, update: 2, terminal: 2, trust: 2 },
});

/** A trust file that names keys of one person, whatever these are; no command of ours would write it. */
export function trustOf(blobs: readonly Uint8Array[], more: object = {}): Uint8Array {
  return byteForm({
    schema: 1,
    epoch: 1,
    prev: null,
    persons: [
      {
        name: "ada",
        keys: blobs.map((blob) => ({ id: approverKeyId(blob), kind: "ssh", key: blob.toBase64() })),
      },
    ],
    thresholds: { change: 1, network: 1, update: 1, terminal: 1, trust: 1 },
    publishers: {},
    auditors: [],
    ...more,
  });
}

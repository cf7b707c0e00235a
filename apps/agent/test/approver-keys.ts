import { sshFingerprint } from "@gatehouse/approval/verify";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";

/** The public half of an approver's SSH key, which follows from a seed. */
export function makeApproverKey(seed: number, comment = `person-${seed}`) {
  const blob = Buffer.concat([
    sshText(Buffer.from("ssh-ed25519")),
    sshText(publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(seed)))),
  ]);
  return {
    blob: new Uint8Array(blob),
    line: `ssh-ed25519 ${blob.toString("base64")} ${comment}`.trimEnd(),
    fingerprint: sshFingerprint(blob),
  };
}

function sshText(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.byteLength);
  return Buffer.concat([length, bytes]);
}

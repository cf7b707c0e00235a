import { fault } from "@gatehouse/contract/faults";
import { readText } from "@gatehouse/keys/frame";
import { readBase64 } from "./base64.ts";
import { describeFound } from "./describe-found.ts";
import { readSshStrings, takeSshString } from "./ssh-wire.ts";

/** The key types of approvers. RSA, other curves and certificates are none of them, and are refused by their names. */
export const sshKeyTypes = {
  "ssh-ed25519": { curve: "ed25519", isSecurityKey: false, fields: ["point"] },
  "ecdsa-sha2-nistp256": { curve: "nistp256", isSecurityKey: false, fields: ["curve", "point"] },
  "sk-ssh-ed25519@openssh.com": { curve: "ed25519", isSecurityKey: true, fields: ["point", "application"] },
  "sk-ecdsa-sha2-nistp256@openssh.com": {
    curve: "nistp256",
    isSecurityKey: true,
    fields: ["curve", "point", "application"],
  },
} as const satisfies Record<string, SshKeyForm>;

interface SshKeyForm {
  readonly curve: "ed25519" | "nistp256";
  /** Its signatures say whether somebody touched it, and whether it asked for a PIN. */
  readonly isSecurityKey: boolean;
  readonly fields: readonly ("curve" | "point" | "application")[];
}

export type SshKeyType = keyof typeof sshKeyTypes;

export interface SshKey {
  readonly type: SshKeyType;
  /** The key as OpenSSH writes it before base64. It is pinned whole, byte for byte. */
  readonly blob: Uint8Array;
  /** The raw public key. Whether anybody could sign for it is asked by `loadSshKey` of the other door. */
  readonly point: Uint8Array;
  /** For what a security key was made: `ssh:`. Empty for others. */
  readonly application: Uint8Array;
}

/** A line of a `.pub` file: type, base64, comment. Throws `key.type` for any other text, without repeating it. */
export function readSshKeyLine(line: string): SshKey & { readonly comment: string } {
  const [word = "", base64 = "", ...comment] = line.replace(/\r?\n$/, "").split(" ");
  const type = getSshKeyType(word);
  const blob = readBase64(base64);
  const key = blob === undefined ? undefined : readSshKey(blob);
  if (key?.type !== type) throw refused(`the bytes of a key of ${type} in base64 behind its name`, "something else");
  return { ...key, comment: comment.join(" ") };
}

/** A key of its bytes. Throws `key.type`. */
export function readSshKey(blob: Uint8Array): SshKey {
  const taken = takeSshString(blob);
  if (taken === undefined || blob.byteLength > mostBytes) throw refused("a public key of OpenSSH", "other bytes");
  const type = getSshKeyType(taken.string);
  const { curve, fields }: SshKeyForm = sshKeyTypes[type];
  const strings = readSshStrings(taken.rest, fields.length)?.strings;
  if (strings === undefined) throw refused(`a key of ${type} and nothing behind it`, "other bytes");
  const field = (name: (typeof fields)[number]) => strings[fields.indexOf(name)] ?? new Uint8Array();
  if (fields.includes("curve") && readText(field("curve")) !== curve) {
    throw refused(`the curve ${curve} in a key of ${type}`, describeFound(field("curve")));
  }
  return { type, blob, point: field("point"), application: field("application") };
}

/** Throws `key.type` for the name of any type that is not accepted. */
export function getSshKeyType(name: string | Uint8Array): SshKeyType {
  const text = typeof name === "string" ? name : readText(name);
  if (!isSshKeyType(text)) throw refused(Object.keys(sshKeyTypes).join(", "), describeFound(name));
  return text;
}

function isSshKeyType(name: string | undefined): name is SshKeyType {
  return name !== undefined && Object.hasOwn(sshKeyTypes, name);
}

/** Far above what four short strings need. */
const mostBytes = 1_024;

function refused(expected: string, found: string): Error {
  return fault("key.type", `expected ${expected}, found ${found}`);
}

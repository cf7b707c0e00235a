import { expect, test } from "vitest";
import { readSshKey, readSshKeyLine, type SshKeyType, sshKeyTypes } from "./ssh-key.ts";
import { joinBytes, sshString } from "./ssh-wire.ts";
import { makeKey } from "./verify/ssh-key-cases.ts";

const types = Object.keys(sshKeyTypes) as SshKeyType[];

test.each(types)("a line of %s is read", (type) => {
  const { blob, line } = makeKey(type, 10);
  const key = readSshKeyLine(line);
  expect(key).toMatchObject({ type, blob, comment: "ada@example" });
  expect(key.point.byteLength).toBe(sshKeyTypes[type].curve === "ed25519" ? 32 : 65);
  expect(new TextDecoder().decode(key.application)).toBe(sshKeyTypes[type].isSecurityKey ? "ssh:" : "");
  expect(readSshKeyLine(`${type} ${blob.toBase64()}\n`).comment).toBe("");
  expect(readSshKeyLine(`${line} at work\r\n`).comment).toBe("ada@example at work");
});

test.each([
  "ssh-rsa",
  "ssh-dss",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "ssh-ed25519-cert-v01@openssh.com",
  "sk-ecdsa-sha2-nistp256-cert-v01@openssh.com",
  "webauthn-sk-ecdsa-sha2-nistp256@openssh.com",
])("a key of %s is refused by its name", (type) => {
  const blob = joinBytes(sshString(type), sshString(new Uint8Array(32)));
  const refusal = `key.type: expected ${types.join(", ")}, found "${type}"`;
  expect(() => readSshKeyLine(`${type} ${blob.toBase64()} somebody`)).toThrow(refusal);
  expect(() => readSshKey(blob)).toThrow(refusal);
});

const ed25519 = makeKey("ssh-ed25519", 10);
const p256 = makeKey("ecdsa-sha2-nistp256", 10);

test.each([
  ["nothing", ""],
  ["the name of something that every object has", "toString AAAA"],
  ["a name alone", "ssh-ed25519"],
  ["base64 without padding", `ssh-ed25519 ${ed25519.blob.toBase64()}`.replace(/.$/, "")],
  ["base64 with stray bits", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AB=="],
  ["the key of another type behind a name", `ssh-ed25519 ${p256.blob.toBase64()}`],
  ["two lines", `${ed25519.line}\n${ed25519.line}`.replaceAll(" ada@example", "")],
  ["options before the name", `no-pty ${ed25519.line}`],
])("a line with %s is refused", (_, line) => {
  expect(() => readSshKeyLine(line)).toThrow(/^key\.type: /);
});

test("what is no public key is not repeated, for it may be a private one", () => {
  const secret = "-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXktdjEAAAAA";
  expect(() => readSshKeyLine(secret)).toThrow("found something else of 10 characters");
});

test.each([
  ["no bytes", new Uint8Array()],
  ["a byte behind", joinBytes(ed25519.blob, Uint8Array.of(0))],
  ["a byte less", ed25519.blob.subarray(0, -1)],
  ["a field more", joinBytes(ed25519.blob, sshString("ssh:"))],
  ["a name that is not UTF-8", sshString(Uint8Array.of(0xff))],
  ["another curve", joinBytes(sshString("ecdsa-sha2-nistp256"), sshString("nistp384"), sshString(new Uint8Array(65)))],
  [
    "a name for its application of a thousand bytes",
    joinBytes(sshString("sk-ssh-ed25519@openssh.com"), sshString(new Uint8Array(32)), sshString(new Uint8Array(1_000))),
  ],
])("a key with %s is refused", (_, blob) => {
  expect(() => readSshKey(blob)).toThrow(/^key\.type: /);
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childEnvironment } from "../../../../tests/support/child-environment.ts";
import { readArmor, writeArmor } from "../armor.ts";
import { type SshKeyType, sshKeyTypes } from "../ssh-key.ts";
import { approvalNamespace, sshKeygenSign } from "../sshsig.ts";
import { codeOf, vectorFrame } from "./approval-cases.ts";
import { parseSshKeyLine, sshFingerprint } from "./load-ssh-key.ts";
import { makeKey, makeSshSig } from "./ssh-key-cases.ts";
import { verifySshSig } from "./verify-sshsig.ts";

/** OpenSSH itself on the other side: what it signs is believed here, and what is made here is believed there. */
const message = Uint8Array.fromHex(vectorFrame);
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "gatehouse-approval-"));
  const made = { ed25519: ["ed25519"], p256: ["ecdsa", "-b", "256"], p384: ["ecdsa", "-b", "384"], rsa: ["rsa"] };
  for (const [name, type] of Object.entries(made))
    run("ssh-keygen", "-q", "-N", "", "-f", keyFile(name), "-t", ...type);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.each(["ed25519", "p256"])("a key of %s", (name) => {
  test.each(["sha512", "sha256"])("signs what is believed here, over %s", (hash) => {
    const { blob } = parseSshKeyLine(publicLine(name));
    const pinned = { blob, needsVerification: true };
    const signature = readArmor(sign(name, "-O", `hashalg=${hash}`));
    verifySshSig(message, signature, pinned);
    expect(codeOf(() => verifySshSig(message.subarray(1), signature, pinned))).toBe("signature.invalid");
    const longer = new Uint8Array([...signature, 0]);
    expect(codeOf(() => verifySshSig(message, longer, pinned))).toBe("signature.format");
  });

  test("has the fingerprint that ssh-keygen prints", () => {
    const { blob } = parseSshKeyLine(publicLine(name));
    expect(run("ssh-keygen", "-l", "-f", `${keyFile(name)}.pub`)).toContain(` ${sshFingerprint(blob)} `);
  });

  test("signs for another purpose what is not believed here", () => {
    const { blob } = parseSshKeyLine(publicLine(name));
    const armor = run("ssh-keygen", "-Y", "sign", "-n", "git", "-f", keyFile(name));
    const verify = () => verifySshSig(message, readArmor(armor), { blob, needsVerification: true });
    expect(codeOf(verify)).toBe("signature.namespace");
  });
});

test("an armor of ours is the armor of ssh-keygen", () => {
  const armor = sign("ed25519");
  expect(writeArmor(readArmor(armor))).toBe(armor);
});

test.each(["rsa", "p384"])("a key of %s is refused, and so is what it signs", (name) => {
  expect(codeOf(() => parseSshKeyLine(publicLine(name)))).toBe("key.type");
  const blob = Uint8Array.fromBase64(publicLine(name).split(" ")[1] ?? "");
  const verify = () => verifySshSig(message, readArmor(sign(name)), { blob, needsVerification: true });
  expect(codeOf(verify)).toBe("key.type");
});

test.each(Object.keys(sshKeyTypes) as SshKeyType[])("what is made here with %s is believed by ssh-keygen", (type) => {
  const key = makeKey(type, 10);
  const [allowed, signature] = [join(directory, "allowed"), join(directory, "made.sig")];
  writeFileSync(allowed, `ada ${key.line}\n`);
  writeFileSync(signature, writeArmor(makeSshSig(key, message)));
  const said = run("ssh-keygen", "-Y", "verify", "-n", approvalNamespace, "-f", allowed, "-I", "ada", "-s", signature);
  expect(said).toMatch(/^Good "gatehouse-approve@v1" signature for ada with /);
});

function sign(name: string, ...more: readonly string[]): string {
  const [program, ...words] = sshKeygenSign(keyFile(name));
  return run(program, ...words, ...more);
}

/** Only what signs or verifies reads the message: a program that ends without reading it can make the writing fail. */
function run(program: string, ...words: readonly string[]): string {
  const input = words.includes("-Y") ? { input: message } : {};
  return execFileSync(program, words, { ...input, env: childEnvironment(), stdio: "pipe", encoding: "utf8" });
}

function keyFile(name: string): string {
  return join(directory, name);
}

function publicLine(name: string): string {
  return readFileSync(`${keyFile(name)}.pub`, "utf8");
}

import { expect, test } from "vitest";
import { type SshKeyType, sshKeyTypes } from "../ssh-key.ts";
import { joinBytes, sshString } from "../ssh-wire.ts";
import { approverKeyId, loadSshKey, parseSshKeyLine, sshFingerprint } from "./load-ssh-key.ts";
import { makeKey } from "./ssh-key-cases.ts";

const types = Object.keys(sshKeyTypes) as SshKeyType[];

test("a key is called by what follows from it (the vector of the protocol)", () => {
  const { blob } = makeKey("ssh-ed25519", 0x0a);
  expect(approverKeyId(blob)).toBe("76980a957d775f4aaf50bf987954897d");
});

test("the types of one point have ids and fingerprints of their own", () => {
  const blobs = types.map((type) => makeKey(type, 1).blob);
  expect(new Set(blobs.map(approverKeyId)).size).toBe(4);
  expect(new Set(blobs.map(sshFingerprint)).size).toBe(4);
});

test.each(types)("a key of %s is loaded from its line", (type) => {
  const { blob, line } = makeKey(type, 3);
  expect(parseSshKeyLine(line)).toMatchObject({ type, blob, comment: "ada@example" });
});

/** The two forms that are points of Ed25519. */
const ed25519Blobs = (point: Uint8Array) => [
  joinBytes(sshString("ssh-ed25519"), sshString(point)),
  joinBytes(sshString("sk-ssh-ed25519@openssh.com"), sshString(point), sshString("ssh:")),
];
const p256Blobs = (point: Uint8Array) => [
  joinBytes(sshString("ecdsa-sha2-nistp256"), sshString("nistp256"), sshString(point)),
  joinBytes(
    sshString("sk-ecdsa-sha2-nistp256@openssh.com"),
    sshString("nistp256"),
    sshString(point),
    sshString("ssh:"),
  ),
];
const hex = (text: string) => Uint8Array.fromHex(text);
const goodPoint = parseSshKeyLine(makeKey("ecdsa-sha2-nistp256", 3).line).point;

test.each([
  ["zero", "00".repeat(32)],
  ["the neutral point", `01${"00".repeat(31)}`],
  ["a point of order 8", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"],
  ["a y above the prime", "ff".repeat(32)],
  ["no point of the curve", `02${"00".repeat(31)}`],
  ["31 bytes", "11".repeat(31)],
])("an Ed25519 key of %s is weak, whatever its type", (_, point) => {
  for (const blob of ed25519Blobs(hex(point))) expect(() => loadSshKey(blob, "the key")).toThrow(/^key\.weak: the key/);
});

test.each([
  ["nothing", new Uint8Array()],
  ["64 bytes", goodPoint.subarray(0, 64)],
  ["a compressed point", joinBytes(Uint8Array.of(2), goodPoint.subarray(1, 33))],
  ["a hybrid point", joinBytes(Uint8Array.of(6), goodPoint.subarray(1))],
  ["a point beside the curve", joinBytes(goodPoint.subarray(0, 64), Uint8Array.of((goodPoint[64] as number) ^ 1))],
  ["zeros", joinBytes(Uint8Array.of(4), new Uint8Array(64))],
  ["coordinates above the prime", joinBytes(Uint8Array.of(4), new Uint8Array(64).fill(255))],
  ["a y above the prime", joinBytes(goodPoint.subarray(0, 33), new Uint8Array(32).fill(255))],
])("a P-256 key of %s is weak, whatever its type", (_, point) => {
  for (const blob of p256Blobs(point)) expect(() => loadSshKey(blob, "the key")).toThrow(/^key\.weak: the key/);
});

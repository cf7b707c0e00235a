import { createHash } from "node:crypto";
import { encodeText } from "@gatehouse/keys/frame";
import { describe, expect, test } from "vitest";
import { writeArmor } from "../armor.ts";
import { type SshKeyType, sshKeyTypes } from "../ssh-key.ts";
import { joinBytes, readSshStrings, sshString } from "../ssh-wire.ts";
import { readSshSig } from "../sshsig.ts";
import { codeOf, vectorFrame } from "./approval-cases.ts";
import { makeKey, makeSshSig, sshInteger, wrapInner } from "./ssh-key-cases.ts";
import { verifySshSig } from "./verify-sshsig.ts";

const types = Object.keys(sshKeyTypes) as SshKeyType[];
const message: Uint8Array = Uint8Array.fromHex(vectorFrame);
const key = makeKey("ssh-ed25519", 0x0a);
const ecdsa = makeKey("ecdsa-sha2-nistp256", 4);
const securityKey = makeKey("sk-ssh-ed25519@openssh.com", 5);
const pin = ({ blob }: { blob: Uint8Array }, needsVerification = true) => ({ blob, needsVerification });

test("the signature of the protocol's vector is made and believed", () => {
  const blob = makeSshSig(key, message);
  expect(blob.byteLength).toBe(190);
  expect(createHash("sha256").update(blob).digest("hex")).toBe(
    "970bc6fc08ed9151c7e427653b8a408dc8ca2aac3dd1f457df0fe8bd20973b3d",
  );
  expect(readSshSig(blob).signature.toHex()).toMatch(/^69463f2a0ae451cb.*d74f1803$/);
  expect(answer(blob)).toBe("taken");
});

test("not one bit of a signature can be another", () => {
  const blob = makeSshSig(key, message);
  const answers = Array.from({ length: blob.byteLength * 8 }, (_, bit) => answer(flipBit(blob, bit)));
  expect(answers).toHaveLength(1_520);
  expect(new Set(answers)).toEqual(
    new Set(["signature.format", "signature.key_unknown", "signature.namespace", "signature.invalid"]),
  );
});

test("not one byte of a message can be another", () => {
  const blob = makeSshSig(key, message);
  for (let byte = 0; byte < message.byteLength; byte += 1) {
    expect(answer(blob, pin(key), flipBit(message, byte * 8 + (byte % 8)))).toBe("signature.invalid");
  }
});

describe.each(types)("signatures of %s", (type) => {
  const made = makeKey(type, 6);

  test.each(["sha256", "sha512"] as const)("are believed over %s", (hash) => {
    expect(answer(makeSshSig(made, message, { hash }), pin(made))).toBe("taken");
  });

  test("are not believed with a bit changed, byte by byte", () => {
    const blob = makeSshSig(made, message);
    for (let byte = 0; byte < blob.byteLength; byte += 1) {
      expect(answer(flipBit(blob, byte * 8 + (byte % 8)), pin(made))).not.toBe("taken");
    }
  });

  test("are not those of another key, also when they name the pinned one", () => {
    const other = makeKey(type, 7);
    expect(answer(makeSshSig(other, message), pin(made))).toBe("signature.key_unknown");
    expect(answer(makeSshSig(other, message, { signer: made.blob }), pin(made))).toBe("signature.invalid");
  });

  test("have nothing behind them, outside or inside", () => {
    const blob = makeSshSig(made, message);
    const outer = readSshStrings(blob.subarray(10), 5)?.strings ?? [];
    const inner = joinBytes(outer[4] as Uint8Array, Uint8Array.of(0));
    expect(answer(joinBytes(blob, Uint8Array.of(0)), pin(made))).toBe("signature.format");
    expect(answer(blob.subarray(0, -1), pin(made))).toBe("signature.format");
    expect(answer(wrapInner(made.blob, inner), pin(made))).toBe("signature.format");
  });
});

test.each(["git", "file", "gatehouse-approve@v2", "gatehouse-approve@v1 ", "", "\u0000"])(
  "a signature for %j is for another purpose",
  (namespace) => {
    expect(answer(makeSshSig(key, message, { namespace }))).toBe("signature.namespace");
  },
);

test("an armored signature, and one of a login, are no SSHSIG", () => {
  expect(answer(encodeText(writeArmor(makeSshSig(key, message))))).toBe("signature.format");
  expect(answer(joinBytes(sshString("ssh-ed25519"), sshString(new Uint8Array(64))))).toBe("signature.format");
});

describe("the outer form", () => {
  const good = makeSshSig(key, message);
  const [signer = good, , , , inner = good] = readSshStrings(good.subarray(10), 5)?.strings ?? [];
  const outer = (version: number, ...parts: readonly (string | Uint8Array)[]) =>
    joinBytes(encodeText("SSHSIG"), Uint8Array.of(0, 0, 0, version), ...parts.map(sshString));
  const rest = ["gatehouse-approve@v1", "", "sha512", inner] as const;

  test("is taken apart and put together here as it is", () => {
    expect(outer(1, signer, ...rest)).toEqual(good);
  });

  test.each([
    ["no bytes", new Uint8Array()],
    ["the first word alone", good.subarray(0, 6)],
    ["version 2", outer(2, signer, ...rest)],
    ["version 0", outer(0, signer, ...rest)],
    ["reserved bytes", outer(1, signer, "gatehouse-approve@v1", "x", "sha512", inner)],
    ["sha1", outer(1, signer, "gatehouse-approve@v1", "", "sha1", inner)],
    ["a part more", outer(1, signer, ...rest, "")],
    ["a part less", outer(1, signer, "gatehouse-approve@v1", "", "sha512")],
    ["a hash that is not UTF-8", outer(1, signer, "gatehouse-approve@v1", "", Uint8Array.of(255), inner)],
  ])("with %s is none", (_, bytes) => {
    expect(answer(bytes)).toBe("signature.format");
  });
});

describe("the inner form", () => {
  const number = (last: number) => Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? last : 1));
  const ecdsaOf = (...numbers: readonly Uint8Array[]) =>
    wrapInner(ecdsa.blob, joinBytes(sshString(ecdsa.type), sshString(joinBytes(...numbers))));

  test.each([
    ["an ECDSA signature under an Ed25519 key", joinBytes(sshString(ecdsa.type), sshString(new Uint8Array(64)))],
    ["63 bytes", joinBytes(sshString(key.type), sshString(new Uint8Array(63)))],
    ["65 bytes", joinBytes(sshString(key.type), sshString(new Uint8Array(65)))],
    [
      "flags, which only security keys have",
      joinBytes(sshString(key.type), sshString(new Uint8Array(64)), new Uint8Array(5)),
    ],
    ["no bytes", new Uint8Array()],
  ])("of %s is none of Ed25519", (_, inner) => {
    expect(answer(wrapInner(key.blob, inner))).toBe("signature.format");
  });

  test.each([
    ["r of zero", ecdsaOf(sshString(""), sshInteger(number(1)))],
    ["s of zero", ecdsaOf(sshInteger(number(1)), sshString(""))],
    ["a negative r", ecdsaOf(sshString(Uint8Array.of(0x80)), sshInteger(number(1)))],
    ["a zero too many", ecdsaOf(sshString(joinBytes(Uint8Array.of(0), number(1))), sshInteger(number(1)))],
    ["r of 33 bytes", ecdsaOf(sshString(joinBytes(Uint8Array.of(1), number(1))), sshInteger(number(1)))],
    ["one number", ecdsaOf(sshInteger(number(1)))],
    ["three numbers", ecdsaOf(sshInteger(number(1)), sshInteger(number(1)), sshInteger(number(1)))],
  ])("with %s is none of ECDSA", (_, bytes) => {
    expect(answer(bytes, pin(ecdsa))).toBe("signature.format");
  });

  test("with numbers above the order is one that nobody made", () => {
    const above = sshInteger(new Uint8Array(32).fill(255));
    expect(answer(ecdsaOf(above, above), pin(ecdsa))).toBe("signature.invalid");
  });

  test.each(["ssh-rsa", "ecdsa-sha2-nistp384", "toString", ""])("of %j is not accepted, whoever is asked", (type) => {
    const inner = joinBytes(sshString(type), sshString(new Uint8Array(64)));
    expect(codeOf(() => readSshSig(wrapInner(sshString(type), inner)))).toBe("signature.format");
    expect(codeOf(() => readSshSig(wrapInner(new Uint8Array(), inner)))).toBe("signature.format");
    expect(codeOf(() => readSshSig(wrapInner(sshString(Uint8Array.of(255)), inner)))).toBe("signature.format");
  });
});

test("an Ed25519 signature with the order added to its second half is not believed", () => {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const { signature } = readSshSig(makeSshSig(key, message));
  const half = BigInt(`0x${signature.slice(32).toReversed().toHex()}`) + order;
  const twin = Uint8Array.fromHex(half.toString(16).padStart(64, "0")).toReversed();
  const inner = joinBytes(sshString(key.type), sshString(joinBytes(signature.subarray(0, 32), twin)));
  expect(answer(wrapInner(key.blob, inner))).toBe("signature.invalid");
});

describe("security keys", () => {
  test.each([
    [0, "nobody touched it", "signature.presence", "signature.presence"],
    [1, "it was touched", "signature.presence", "taken"],
    [4, "it asked for its PIN, but was not touched", "signature.presence", "signature.presence"],
    [5, "both", "taken", "taken"],
    [0x85, "both, and a bit that is not ours", "taken", "taken"],
  ])("flags %i: %s", (flags, _, wanted, waived) => {
    const blob = makeSshSig(securityKey, message, { flags });
    expect(answer(blob, pin(securityKey))).toBe(wanted);
    expect(answer(blob, pin(securityKey, false))).toBe(waived);
  });

  test("flags are signed: nobody adds them later", () => {
    const blob = makeSshSig(securityKey, message, { flags: 1 });
    blob[blob.byteLength - 5] = 5;
    expect(answer(blob, pin(securityKey))).toBe("signature.invalid");
  });

  test("a key made for another purpose is another key", () => {
    const blob = joinBytes(securityKey.blob.subarray(0, -8), sshString("ssh:x"));
    expect(answer(makeSshSig(securityKey, message, { signer: blob }), pin(securityKey))).toBe("signature.key_unknown");
  });
});

test("a pinned key that anybody can sign for, or of another type, is asked for its form again", () => {
  const weak = joinBytes(sshString("ssh-ed25519"), sshString(Uint8Array.of(1, ...new Uint8Array(31))));
  const rsa = joinBytes(sshString("ssh-rsa"), sshString(Uint8Array.of(1)), sshString(Uint8Array.of(1)));
  expect(answer(makeSshSig(key, message, { signer: weak }), pin({ blob: weak }))).toBe("key.weak");
  expect(answer(makeSshSig(key, message, { signer: rsa }), pin({ blob: rsa }))).toBe("key.type");
});

function answer(blob: Uint8Array, pinned = pin(key), signed = message): string {
  return codeOf(() => verifySshSig(signed, blob, pinned));
}

function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const flipped = new Uint8Array(bytes);
  flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
  return flipped;
}

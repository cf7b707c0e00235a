import { describe, expect, test } from "vitest";
import { generatePublisherKey, isLocked, openKeyFile, publisherKeyFromSeed, sealKeyFile } from "./index.ts";

const key = publisherKeyFromSeed(
  Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex"),
);
const passphrase = "correct horse battery staple";

const changed = async (change: (file: Record<string, unknown>) => unknown) => {
  const file = JSON.parse(Buffer.from(await sealKeyFile(key, { plain: true })).toString()) as Record<string, unknown>;
  return Buffer.from(JSON.stringify(change(file)));
};

describe("a publisher key", () => {
  test("its public half is that of RFC 8032, and its id follows from it", () => {
    expect(Buffer.from(key.publicKey, "base64").toString("hex")).toBe(
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    );
    expect(key.keyId).toBe("21fe31dfa154a261626bf854046fd227");
  });

  test("two new ones differ", () => {
    expect(generatePublisherKey().keyId).not.toBe(generatePublisherKey().keyId);
  });
});

describe("a key file", () => {
  test("with a passphrase it opens with that one only, and does not show the key", async () => {
    const file = await sealKeyFile(key, { passphrase });
    const seed = key.privateKey.export({ format: "jwk" }).d ?? "";
    expect(Buffer.from(file).includes(Buffer.from(seed, "base64url").toString("base64"))).toBe(false);
    expect(isLocked(file)).toBe(true);
    expect(await openKeyFile(file, passphrase)).toMatchObject({ keyId: key.keyId, publicKey: key.publicKey });
    const refusal = { code: "key_file.passphrase_wrong" };
    await expect(openKeyFile(file, "another")).rejects.toMatchObject(refusal);
    await expect(openKeyFile(file)).rejects.toMatchObject(refusal);
  });

  test("two files of one key share nothing secret", async () => {
    const [one, two] = await Promise.all([sealKeyFile(key, { passphrase }), sealKeyFile(key, { passphrase })]);
    const secretOf = (file: Uint8Array) =>
      (JSON.parse(Buffer.from(file).toString()) as { aes256gcm: object }).aes256gcm;
    expect(secretOf(one)).not.toEqual(secretOf(two));
  });

  test("without one it opens as it is", async () => {
    const file = await sealKeyFile(key, { plain: true });
    expect(isLocked(file)).toBe(false);
    expect((await openKeyFile(file)).privateKey.equals(key.privateKey)).toBe(true);
  });

  test("a byte of the sealed part that changed is refused", async () => {
    const file = Buffer.from(await sealKeyFile(key, { passphrase })).toString();
    const other = file.replace(/"sealed": "(.)/, (_, first: string) => `"sealed": "${first === "A" ? "B" : "A"}`);
    await expect(openKeyFile(Buffer.from(other), passphrase)).rejects.toMatchObject({
      code: "key_file.passphrase_wrong",
    });
  });

  test("text that is not JSON is refused", async () => {
    await expect(openKeyFile(Buffer.from("{"))).rejects.toThrow("expected strict JSON, found a fault at character 1");
  });

  test.each([
    ["another kind of file", (file: object) => ({ ...file, kind: "ssh" }), /found another form at \/kind$/],
    ["a field more", (file: object) => ({ ...file, comment: "x" }), /found another form at \/$/],
    [
      "a key of another length",
      (file: object) => ({ ...file, privateKey: "AAAA" }),
      "expected a private key of 32 bytes, found 3",
    ],
    [
      "another key",
      (file: object) => ({ ...file, privateKey: Buffer.alloc(32, 1).toString("base64") }),
      /found that of another$/,
    ],
    ["another key's id", (file: object) => ({ ...file, keyId: "0".repeat(32) }), /found that of another$/],
  ])("%s is refused", async (_, change, detail) => {
    const file = await changed(change);
    await expect(openKeyFile(file)).rejects.toMatchObject({ code: "key_file.invalid" });
    await expect(openKeyFile(file)).rejects.toThrow(detail);
  });
});

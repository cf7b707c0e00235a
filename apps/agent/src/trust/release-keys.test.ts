import { publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { testReleaseSigner } from "../../../../tests/support/test-release-key.ts";
import { weakKeys } from "../../../../tests/support/weak-keys.ts";
import { getReleaseKeys, testReleaseKey } from "./release-keys.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const now = "25lf4lFp0UHKubu6krqgH58uHs599MsqwFGQ83/MH50=";
const next = "IVL40Zt5HSRFMkLhXy6rbLfP+ntqXtMAl5YOBpiB2xI=";
const read = (text: string, isTestBuild = false) => getReleaseKeys({ text, isTestBuild });

test("the keys are those that were compiled in, each by the id that follows from it", () => {
  const keys = read(`${now},${next}`);
  expect(keys.map(({ key }) => base64(key))).toEqual([now, next]);
  expect(keys.map(({ id }) => id)).toEqual(["9a92d2b54a9a5402de3e65a07a5cb12a", "3097e2dee2cb4a34b53840cdb705aed7"]);
  expect(read(next)).toHaveLength(1);
});

test("an agent without a key takes no release, and says so", () => {
  expect(() => read("")).toThrow(/^release\.key_absent: .* found none/);
});

test("the key of tests is the one whose private half stands in the tests, and only a build for tests takes it", () => {
  expect(base64(publicKeyBytes(testReleaseSigner))).toBe(testReleaseKey);
  for (const text of [testReleaseKey, `${now},${testReleaseKey}`]) {
    expect(() => read(text)).toThrow(/^release\.test_key/);
    expect(read(text, true)).toHaveLength(text.split(",").length);
  }
});

test.each([
  ["three keys", `${now},${next},${testReleaseKey}`],
  ["a key twice", `${now},${now}`],
  ["an empty one", `${now},`],
  ["another spelling of the same bytes", now.replace("0=", "1=")],
  ["the key of tests in another spelling", testReleaseKey.replace("4=", "5=")],
  ["a key without padding", now.slice(0, -1)],
  ["a byte more", base64(new Uint8Array([...publicKeyBytes(testReleaseSigner), 1]))],
  ["words", "release"],
])("%s is no list of release keys", (_, text) => {
  expect(() => read(text, true)).toThrow(/^(release\.key_absent|key\.weak)/);
});

test("a key that anybody can sign for is refused by name", () => {
  for (const weak of weakKeys) expect(() => read(base64(Uint8Array.fromHex(weak)))).toThrow(/^key\.weak/);
});

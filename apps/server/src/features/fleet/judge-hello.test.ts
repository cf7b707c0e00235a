import { challengeFrame, controlPath, type VersionRange } from "@gatehouse/channel";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { PretendHost } from "../../../../../tests/support/pretend-host.ts";
import { readHello } from "./judge-hello.ts";

const server = publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(5)));
const nonce = new Uint8Array(32).fill(7);

/** What the server makes of an agent that chose `chosen`, asked with `versions`. */
function judge(versions: VersionRange, chosen: number, said: VersionRange = versions) {
  const challenge = challengeFrame({ versions, server, nonce, at: 0 });
  const hello = new PretendHost().hello(challenge, { chosen, versions: said });
  return readHello(hello, { versions, server, nonce, path: controlPath }).hello.chosen;
}

const [first, both] = [
  { min: 1, max: 1 },
  { min: 1, max: 2 },
];

/** A version 2 is planted here: nothing speaks it yet. */
test("a server that also speaks a later version takes the earlier from who has no other, and the later from who has both", () => {
  expect(judge(both, 1)).toBe(1);
  expect(judge(both, 2)).toBe(2);
  expect(judge(first, 1)).toBe(1);
});

test("a version that was not offered is refused by name", () => {
  expect(() => judge(first, 2)).toThrow(/^hello\.version: /);
  expect(() => judge({ min: 2, max: 2 }, 1)).toThrow(/^hello\.version: /);
});

test("an offer that somebody lowered on the way is found out, although the version itself is spoken", () => {
  expect(() => judge(both, 1, first)).toThrow(/^hello\.node_signature: /);
});

import { isFault } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { checkNewPassword, openPasswords, passwordCost, hashingLimits } from "./password.ts";

const cheap = { memory: 64, passes: 1, lanes: 1 };
const phrase = "seven lazy otters";

test("what is kept is argon2id with 19 MiB, two passes and one lane, and its own salt", async () => {
  const passwords = await openPasswords();
  const [first, second] = [await passwords.hash(phrase), await passwords.hash(phrase)];
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(second).not.toBe(first);
  expect(first).not.toContain(phrase);
  expect(await passwords.verify(first, phrase)).toBe(true);
  expect(await passwords.verify(first, `${phrase}!`)).toBe(false);
});

test("a hash of another implementation is understood", async () => {
  // echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32: the vector of the reference implementation.
  const known = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  const passwords = await openPasswords(cheap);
  expect(await passwords.verify(known, "password")).toBe(true);
  expect(passwords.isOutdated(known)).toBe(true);
});

test("both ways to write a letter are the same password", async () => {
  const passwords = await openPasswords(cheap);
  expect(await passwords.verify(await passwords.hash("caf\u00e9 otter lake"), "cafe\u0301 otter lake")).toBe(true);
});

test("a hash is outdated when any of its parameters is not today's", async () => {
  const today = await openPasswords(cheap);
  expect(today.isOutdated(await today.hash(phrase))).toBe(false);
  for (const other of [{ memory: 72 }, { passes: 2 }, { lanes: 2 }]) {
    const then = await openPasswords({ ...cheap, ...other });
    const stored = await then.hash(phrase);
    expect(today.isOutdated(stored), JSON.stringify(other)).toBe(true);
    expect(await today.verify(stored, phrase)).toBe(true);
  }
  expect(today.isOutdated("$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAA$" + "A".repeat(43))).toBe(true);
  expect(today.isOutdated("$argon2id$v=19$m=64,t=1,p=1$" + "A".repeat(22) + "$" + "A".repeat(22))).toBe(true);
});

test("a name that nobody has costs the work of a real one, and is never right", async () => {
  const passwords = await openPasswords(cheap);
  expect(await passwords.verifyNobody(phrase)).toBe(false);
});

test("a stored text that is no hash is a defect that does not repeat the text", async () => {
  const passwords = await openPasswords(cheap);
  for (const text of ["", phrase, "$argon2i$v=19$m=64,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAA", "$2b$10$abcdefgh"]) {
    await expect(passwords.verify(text, phrase)).rejects.toThrow(/not an argon2id PHC string$/);
  }
});

test("strangers beyond their line are told that the server is busy, and to come again at different times", async () => {
  const draws = [0, 0.5, 0.999];
  const passwords = await openPasswords(cheap, () => draws.shift() ?? 0);
  const stored = await passwords.hash(phrase);
  const { atOnce, waiting } = hashingLimits.lanes.stranger;
  const guesses = Array.from({ length: atOnce + waiting + 3 }, (_, at) =>
    passwords.verify(stored, "not the otters", { lane: "stranger", block: `block ${at}` }),
  );
  const proof = passwords.verify(stored, phrase);
  const all = await Promise.allSettled(guesses);
  const refused = all.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  expect(refused.every((reason) => isFault(reason, "server.busy"))).toBe(true);
  expect(refused.map((reason) => isFault(reason) && reason.fields["retryAfter"])).toEqual([1, 3, 5]);
  expect(await proof).toBe(true);
});

test("a weak new password is refused with a reason", () => {
  expect(() => checkNewPassword("short", "admin")).toThrow(/at least 12/);
  expect(() => checkNewPassword(phrase, "admin")).not.toThrow();
});

test("the cost is the one that is promised", () => {
  expect(passwordCost).toEqual({ memory: 19_456, passes: 2, lanes: 1 });
});

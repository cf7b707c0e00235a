import { credentialsKind } from "@gatehouse/contract/records";
import type { Reads } from "@gatehouse/store/decide";
import { expect, test } from "vitest";
import { authLimits } from "./limits.ts";
import type { SessionRecord, SessionRef } from "@gatehouse/identity";
import { describeClient, rewriteSessions, roomForOne, sessionKeyOf } from "./sessions.ts";

const ref = (id: string, expiresAt = 100): SessionRef => ({ id, key: `session/${id}`, expiresAt });
/** A key by its text. */
const named = (text: string) => expect.objectContaining({ text }) as unknown;
const credentialsKey = named("credentials/usr_1");
const book = (...sessions: SessionRef[]) => ({
  key: credentialsKind.key("usr_1"),
  version: 7,
  value: { sessions, tokens: [{ id: "t", deadAt: 5 }] },
});
const session: SessionRecord = {
  id: "new",
  userId: "usr_1",
  createdAt: 1,
  authenticatedAt: 1,
  expiresAt: 50,
  address: "192.0.2.1",
  userAgent: "",
};

/** Every session has a record of version 3. */
const reads: Reads = { get: (key) => Promise.resolve({ key, version: 3, value: session } as never) };

test("a session that begins is listed and kept under the digest of its value", async () => {
  const { changes, ended, value } = await rewriteSessions(reads, book(ref("a")), { keep: () => true, add: session });
  expect(value).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(ended).toEqual([]);
  const key = sessionKeyOf(value);
  expect(key.text).toMatch(/^session\/[0-9a-f]{64}$/);
  expect(changes).toEqual([
    {
      key: credentialsKey,
      was: 7,
      value: { sessions: [ref("a"), { id: "new", key: key.text, expiresAt: 50 }], tokens: [{ id: "t", deadAt: 5 }] },
    },
    { key: named(key.text), was: 0, value: session },
  ]);
  expect(JSON.stringify(changes)).not.toContain(value);
});

test("a session that is renewed keeps its id, gets another value, and did not end", async () => {
  const { changes, ended } = await rewriteSessions(reads, book(ref("a"), ref("new")), {
    keep: () => true,
    add: session,
  });
  expect(ended).toEqual([]);
  expect(changes).toContainEqual({ key: named("session/new"), was: 3, value: null });
  expect(changes.filter(({ value }) => value === session)).toHaveLength(1);
});

test("sessions that are not kept end with their records", async () => {
  const { changes, ended } = await rewriteSessions(reads, book(ref("a"), ref("b")), {
    keep: ({ id }) => id === "b",
    tokens: [],
  });
  expect(ended).toEqual(["a"]);
  expect(changes).toEqual([
    { key: credentialsKey, was: 7, value: { sessions: [ref("b")], tokens: [] } },
    { key: named("session/a"), was: 3, value: null },
  ]);
});

test("the oldest go when a user has too many, and expired ones go first", () => {
  const many = Array.from({ length: authLimits.sessionsPerUser }, (_, i) => ref(`s${i}`));
  expect(many.filter(roomForOne(many, 10)).map(({ id }) => id)).toEqual(many.slice(1).map(({ id }) => id));
  const withExpired = [ref("live0"), ...many.slice(1).map((one, i) => (i === 5 ? { ...one, expiresAt: 10 } : one))];
  expect(withExpired.filter(roomForOne(withExpired, 10))).toHaveLength(authLimits.sessionsPerUser - 1);
  expect(withExpired.filter(roomForOne(withExpired, 10))).toContain(withExpired[0]);
});

test("two values are never the same", async () => {
  const rewrite = () => rewriteSessions(reads, book(), { keep: () => true, add: session });
  const values = (await Promise.all(Array.from({ length: 1_000 }, rewrite))).map(({ value }) => value);
  expect(new Set(values).size).toBe(1_000);
});

test("a long user agent is cut", () => {
  const client = describeClient({ clientAddress: "192.0.2.1" }, "x".repeat(500));
  expect(client).toEqual({ address: "192.0.2.1", userAgent: "x".repeat(200) });
  expect(describeClient({ clientAddress: "192.0.2.1" }, undefined).userAgent).toBe("");
});

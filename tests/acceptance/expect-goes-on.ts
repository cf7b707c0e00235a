import { createHash } from "node:crypto";
import {
  type ControlFrame,
  decodeBase64url,
  type FrameOf,
  readWitnessHead,
  unpackHeadRows,
  type WitnessHead,
  witnessHeadFrame,
} from "@gatehouse/channel";
import { isSignedBy, loadPublicKey, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { expect } from "vitest";
import type { KnownHead } from "../fixtures/hold-head.ts";
import type { FakeConnection } from "../support/fake-host.ts";
import { until } from "../support/until.ts";
import type { Answer } from "./ask.ts";

/**
 * The newest head that the server has signed goes on from the one that a host holds, over every one between them. Then the host says what it holds.
 */
export async function expectGoesOn(connection: FakeConnection, server: Uint8Array, held: KnownHead): Promise<void> {
  // Shown once this version has held the log against the head that was signed last.
  await nextOf(connection, "head");
  connection.send({ t: "want-heads", from: held.n + 1 });
  const frame = await nextOf(connection, "heads");
  const newest = readSigned(decodeBase64url(frame.signed), [signatureLength], readWitnessHead);
  if (newest === undefined) throw new Error("what the server showed is no head");
  expect(isSignedBy(loadPublicKey(server, "the server's key"), newest.framed, newest.signatures[0])).toBe(true);
  const { n, position, at } = held;
  let last: WitnessHead = { n, position, at, prev: Uint8Array.fromHex(held.prev), link: Uint8Array.fromHex(held.link) };
  for (const row of unpackHeadRows(decodeBase64url(frame.rows) ?? new Uint8Array()) ?? []) {
    const prev = createHash("sha256").update(witnessHeadFrame(last)).digest();
    last = { ...row, n: last.n + 1, prev };
  }
  expect(Buffer.from(newest.framed).equals(witnessHeadFrame(last)), `head ${newest.value.n} goes on`).toBe(true);
  expect(newest.value.n, "the log has moved since").toBeGreaterThan(n);
  connection.send({ t: "~witness", held: { n, position, link: held.link, at }, code: null });
}

/** The server finds what the host has told it in its own log. */
export async function expectBelieved(
  read: (path: string) => Promise<Answer>,
  node: string,
  held: KnownHead,
): Promise<void> {
  const find = async (): Promise<Shown | undefined> => {
    const { items } = (await read("/api/audit/witnesses")).json;
    return (items as readonly Shown[]).find((one) => one["node"] === node);
  };
  await until("what the host holds is known", async () => (await find())?.["state"] !== "silent");
  expect(await find()).toMatchObject({ state: expect.stringMatching(/^(agrees|behind)$/), n: held.n, code: null });
  expect((await read("/api/audit?action=witness.line_begun")).json["items"]).toEqual([]);
}

type Shown = Readonly<Record<string, unknown>>;

async function nextOf<T extends ControlFrame["t"]>(connection: FakeConnection, kind: T): Promise<FrameOf<T>> {
  let frame = await connection.next();
  while (frame.t !== kind) frame = await connection.next();
  return frame as FrameOf<T>;
}

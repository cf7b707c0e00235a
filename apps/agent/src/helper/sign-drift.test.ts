import { decodeBase64url, readDrift } from "@gatehouse/channel";
import { isSignedBy, loadPublicKey } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { startHelper } from "../../test/helper-process.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { makeHostIdentity } from "../local/host-key.ts";
import type { ReadDrift } from "./helper-deps.ts";

const nothing = { watched: 2, more: 0, parts: [] };

async function startLooking(readDrift: ReadDrift) {
  const host = makeHostDirectory();
  const identity = await makeHostIdentity(host);
  return { identity, ...(await startHelper(host, { readDrift })) };
}

test("a whole look is signed by the host, with its number and its time", async () => {
  const { ask, identity, clock } = await startLooking(async () => ({ left: 0, number: 7, drift: nothing }));
  const { signed } = await ask("drift.read");
  const read = readSigned(decodeBase64url(signed as string), [64], readDrift);
  if (read === undefined) throw new Error("no signed look");
  expect(isSignedBy(loadPublicKey(identity.publicKey, "H"), read.framed, read.signatures[0])).toBe(true);
  const { nodeId, publicKey: hostKey } = identity;
  expect(read.value).toEqual({ nodeId, hostKey, number: 7, at: clock.now(), drift: nothing });
});

test("a look in which parts are missing is not signed", async () => {
  const { ask } = await startLooking(async () => ({ left: 3, number: 7, drift: nothing }));
  expect(await ask("drift.read")).toEqual({ left: 3 });
});

test.each([{ subjects: ["file:/etc/shadow"] }, { path: "/etc/shadow" }, { after: "file:/etc" }])(
  "whoever asks cannot say what is looked at: %j",
  async (fields) => {
    let looks = 0;
    const { ask } = await startLooking(async () => {
      looks += 1;
      return { left: 0, number: 1, drift: nothing };
    });
    await expect(ask("drift.read", fields)).rejects.toThrow(/^local\.frame/);
    expect(looks).toBe(0);
  },
);

test("the seventh look of a minute is refused, and looks come one after the other", async () => {
  let [running, most] = [0, 0];
  const { ask, clock } = await startLooking(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return { left: 0, number: 1, drift: nothing };
  });
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => ask("drift.read")));
  expect(most).toBe(1);
  await expect(ask("drift.read")).rejects.toThrow(/^read\.rate/);
  clock.advance(60_001);
  await ask("drift.read");
});

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { exportPrivateKey, newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import type { KeyObject } from "node:crypto";
import { encodeBase64url } from "@gatehouse/channel";
import { faultyVfs, type FaultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { type HostDirectory, makeHostDirectory } from "../../test/host-directory.ts";
import { findKeyIn, offeredKeyPath } from "./channel-key.ts";
import { findOfferedKey, keepOfferedKey, syncOfferedKey, takeOfferedKey } from "./offered-key.ts";

const shown = (key: KeyObject) => encodeBase64url(publicKeyBytes(key));

/** What the server lets in, from which operation on. */
interface Accepted {
  readonly op: number;
  readonly keys: readonly string[];
}

/** Puts the disk that is in memory where the agent reads. */
function layOut({ paths }: HostDirectory, vfs: FaultyVfs): void {
  rmSync(paths.networkState, { recursive: true, force: true });
  mkdirSync(paths.networkState, { recursive: true });
  for (const [path, bytes] of vfs.contents()) writeFileSync(path, bytes, { mode: 0o600 });
}

/**
 * Offers, lost frames, refusals, lost welcomes and failing disks as they come, in the order in which the agent does them. The server is what
 * `take-channel-key.ts` makes of it: the new key beside the one before, and the new one alone when a hello was said with it.
 */
async function run(host: HostDirectory, seed: number, failing: boolean) {
  const random = new Random(seed);
  const { channelKey } = host.paths;
  const first = newPrivateKey();
  const file = new TextEncoder().encode(
    `${JSON.stringify({ schema: 1, seed: encodeBase64url(exportPrivateKey(first)) })}\n`,
  );
  const vfs = faultyVfs({ files: new Map([[channelKey, file]]) });
  const place = { paths: host.paths, user: host.owner, vfs };
  let [current, former]: [string, string | undefined] = [shown(first), undefined];
  const accepted: Accepted[] = [];
  const tell = () => accepted.push({ op: vfs.tick(), keys: [current, ...(former === undefined ? [] : [former])] });
  tell();
  const flaws: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    if (failing && random.chance(0.3)) {
      const op = random.pick(["write", "sync", "rename", "syncDirectory", "create"] as const);
      vfs.failNext(op, 1 + random.below(2), random.pick(["EIO", "ENOSPC"]));
    }
    layOut(host, vfs);
    const [kept, offered] = [findKeyIn(place, channelKey), findOfferedKey(place)];
    if (kept === undefined) throw new Error("there is no key");
    const known = [current, former];
    const isOffered = offered !== undefined && (random.chance(0.7) || !known.includes(shown(kept)));
    const used = isOffered ? offered : kept;
    if (!known.includes(shown(used))) {
      if (offered === undefined || !known.includes(shown(isOffered ? kept : offered))) flaws.push(`step ${step}`);
      continue;
    }
    if (shown(used) === current && former !== undefined) {
      former = undefined;
      tell();
    }
    // The welcome may get lost.
    if (random.chance(0.2)) continue;
    const attempt = async (work: () => Promise<void>) =>
      work().then(
        () => true,
        () => false,
      );
    if (isOffered) {
      await attempt(() => takeOfferedKey(place, used));
      continue;
    }
    const isSame = offered !== undefined && random.chance(0.5);
    const next = isSame ? offered : newPrivateKey();
    const isKept = await attempt(() => (isSame ? syncOfferedKey(place) : keepOfferedKey(place, next)));
    // The offer may get lost, and the server may refuse it.
    if (!isKept || random.chance(0.4) || shown(next) === current) continue;
    [current, former] = [shown(next), current];
    tell();
  }
  vfs.clearFaults();
  return { vfs, accepted, flaws, place };
}

async function flawsOf(seeds: readonly number[], failing: boolean) {
  const host = makeHostDirectory();
  const found: string[] = [];
  let [cuts, changes] = [0, 0];
  for (const seed of seeds) {
    const { vfs, accepted, flaws, place } = await run(host, seed, failing);
    found.push(...flaws);
    changes += accepted.length;
    for (let op = 1; op <= vfs.ops; op += 1) {
      layOut(host, vfs.imageAt(op, new Random(seed, op)));
      const held = [host.paths.channelKey, offeredKeyPath(place)].flatMap((path) => {
        const key = findKeyIn(place, path);
        return key === undefined ? [] : [shown(key)];
      });
      const known = accepted.findLast((each) => each.op <= op)?.keys ?? [];
      if (!held.some((key) => known.includes(key))) found.push(`seed ${seed}: none of its keys after operation ${op}`);
      cuts += 1;
    }
  }
  rmSync(dirname(host.paths.channelKey), { recursive: true, force: true });
  return { found, cuts, changes };
}

test("whatever gets lost and whenever the power is cut, the host has a key that the server knows", async () => {
  const { found, cuts, changes } = await flawsOf([1, 2, 3, 4, 5, 6], false);
  expect(found).toEqual([]);
  expect(cuts).toBeGreaterThan(500);
  expect(changes).toBeGreaterThan(60);
});

test("also on a disk that fails", async () => {
  const { found, cuts, changes } = await flawsOf([11, 12, 13, 14, 15, 16], true);
  expect(found).toEqual([]);
  expect(cuts).toBeGreaterThan(300);
  expect(changes).toBeGreaterThan(30);
});

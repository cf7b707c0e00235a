import type { KeyObject } from "node:crypto";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { isFault } from "@gatehouse/contract/faults";
import { nodeVfs, syncOrEnd } from "@gatehouse/files";
import { publicKeyBytes } from "@gatehouse/keys";
import { isSameBytes } from "@gatehouse/keys/frame";
import { type ChannelKeyPlace, findKeyIn, offeredKeyPath, putKeyIn } from "./channel-key.ts";

/**
 * A channel key that the server is offered in place of the present one. It stands beside that one, on the disk before the server hears of it,
 * until a welcome was said to it: whichever of the two the server knows, the host has it.
 */
export function findOfferedKey(place: ChannelKeyPlace): KeyObject | undefined {
  try {
    return findKeyIn(place, offeredKeyPath(place));
  } catch (error) {
    // One that is not sound is as good as none: the other key opens the connection.
    if (isFault(error)) return undefined;
    throw error;
  }
}

export function keepOfferedKey(place: ChannelKeyPlace, key: KeyObject): Promise<void> {
  return putKeyIn(place, offeredKeyPath(place), key);
}

/** What an earlier process has left may be in memory alone: it is on the disk when this returns. */
export async function syncOfferedKey(place: ChannelKeyPlace): Promise<void> {
  const { vfs = nodeVfs } = place;
  const path = offeredKeyPath(place);
  const file = await vfs.open(path, "write");
  try {
    await syncOrEnd(file);
  } finally {
    await file.close();
  }
  await vfs.syncDirectory(dirname(path));
}

/** The offered key becomes the only one. It is tried first as long as it stands there, so that no step of this can lose it. */
export async function takeOfferedKey(place: ChannelKeyPlace, welcomed: KeyObject): Promise<void> {
  const { vfs = nodeVfs, paths } = place;
  const offered = findOfferedKey(place);
  // An enrolment has come in between, and its key counts.
  if (offered === undefined || !isSameBytes(publicKeyBytes(offered), publicKeyBytes(welcomed))) return;
  await vfs.rename(offeredKeyPath(place), paths.channelKey);
  await vfs.syncDirectory(dirname(paths.channelKey));
}

/** When the file was written, which is when its key was made; undefined when there is none. */
export function findKeyTime(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

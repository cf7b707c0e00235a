import type { KeyObject } from "node:crypto";
import { decodeBase64url, encodeBase64url } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { nodeVfs, type Vfs } from "@gatehouse/files";
import { exportPrivateKey, importPrivateKey } from "@gatehouse/keys";
import { dirname } from "node:path";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "./json-file.ts";

/** The network part's own key: it opens connections and nothing else. It lies where that part alone reads and writes. */
export interface ChannelKeyPlace {
  readonly paths: Pick<AgentPaths, "channelKey">;
  /** The user of the network part. */
  readonly user: number;
  /** The disk, unless a test says otherwise. */
  readonly vfs?: Vfs | undefined;
}

export function getChannelKey(place: ChannelKeyPlace): KeyObject {
  const key = findKeyIn(place, place.paths.channelKey);
  if (key === undefined) throw fault("host.not_enrolled", `there is no ${place.paths.channelKey}`);
  return key;
}

export function findKeyIn(place: ChannelKeyPlace, path: string): KeyObject | undefined {
  const kept = findJsonFile(keyFile(place, path));
  if (kept === undefined) return undefined;
  const seed = decodeBase64url(kept.seed);
  if (seed?.byteLength !== 32) throw fault("agent.file_unusable", `${path} holds no key`);
  return importPrivateKey(seed);
}

export function putKeyIn(place: ChannelKeyPlace, path: string, key: KeyObject): Promise<void> {
  const kept = { schema: 1, seed: encodeBase64url(exportPrivateKey(key)) } as const;
  return putJsonFile(keyFile(place, path), kept);
}

/** Where a key stands that the server was offered. */
export function offeredKeyPath({ paths }: ChannelKeyPlace): string {
  return `${paths.channelKey}.offered`;
}

/** Kept beside the former one until the server has answered: an enrolment that fails leaves the former connection as it was. */
export async function keepNextChannelKey(place: ChannelKeyPlace, key: KeyObject) {
  const { vfs = nodeVfs } = place;
  const { channelKey } = place.paths;
  const next = `${channelKey}.next`;
  await putKeyIn(place, next, key);
  return {
    take: async () => {
      await vfs.rename(next, channelKey);
      await vfs.syncDirectory(dirname(channelKey));
      // What was offered before is worth nothing to a server that has enrolled this host anew.
      await vfs.remove(offeredKeyPath(place));
      await vfs.syncDirectory(dirname(channelKey));
    },
    drop: () => vfs.remove(next),
  };
}

const form = z.strictObject({ schema: z.literal(1), seed: z.string().length(43) });

function keyFile({ user, vfs }: ChannelKeyPlace, path: string): JsonFile<z.output<typeof form>> {
  return { path, owner: user, mode: 0o600, form, vfs };
}

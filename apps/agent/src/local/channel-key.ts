import type { KeyObject } from "node:crypto";
import { decodeBase64url, encodeBase64url } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { nodeVfs } from "@gatehouse/files";
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
}

export function getChannelKey(place: ChannelKeyPlace): KeyObject {
  const kept = findJsonFile(keyFile(place, place.paths.channelKey));
  if (kept === undefined) throw fault("host.not_enrolled", `there is no ${place.paths.channelKey}`);
  const seed = decodeBase64url(kept.seed);
  if (seed?.byteLength !== 32) throw fault("agent.file_unusable", `${place.paths.channelKey} holds no key`);
  return importPrivateKey(seed);
}

/** Kept beside the former one until the server has answered: an enrolment that fails leaves the former connection as it was. */
export async function keepNextChannelKey(place: ChannelKeyPlace, key: KeyObject) {
  const { channelKey } = place.paths;
  const next = `${channelKey}.next`;
  await putJsonFile(keyFile(place, next), { schema: 1, seed: encodeBase64url(exportPrivateKey(key)) });
  return {
    take: async () => {
      await nodeVfs.rename(next, channelKey);
      await nodeVfs.syncDirectory(dirname(channelKey));
    },
    drop: () => nodeVfs.remove(next),
  };
}

const form = z.strictObject({ schema: z.literal(1), seed: z.string().length(43) });

function keyFile({ user }: ChannelKeyPlace, path: string): JsonFile<z.output<typeof form>> {
  return { path, owner: user, mode: 0o600, form };
}

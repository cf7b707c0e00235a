import type { JsonObject } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { planLimits } from "@gatehouse/plan";
import { accountNames } from "./account-names.ts";
import type { HostOperation, StateGround } from "./host-operation.ts";
import { readPlainFile } from "./read-plain-file.ts";

/** The helper has directories of its own in their place: what it sees there is not what the host has. */
const ownPlaces = ["/tmp", "/var/tmp"];

/** A file by the hash of what it holds, with who may do what with it. */
export const readFileState = readStateUpTo(64 * 1024 * 1024);

/** The same of a program, which may be as large as an artifact is. */
export const readBinaryState = readStateUpTo(planLimits.artifactBytes);

function readStateUpTo(mostBytes: number): HostOperation["readState"] {
  return (ground, path) => readState(ground, path, mostBytes);
}

async function readState(ground: StateGround, path: string, mostBytes: number): Promise<JsonObject | null> {
  const own = ownPlaces.find((place) => path === place || path.startsWith(`${place}/`));
  if (own !== undefined) throw fault("state.unreadable", `the helper has a ${own} of its own`);
  const found = await readPlainFile(ground, path, { mostBytes, isLinkedOften: false });
  if (found === null) return null;
  const { digest, isPrivate, mode, uid, gid } = found;
  const names = accountNames(ground.root);
  return {
    ...(isPrivate ? { hmac: digest } : { sha256: digest }),
    mode: (mode & 0o7777).toString(8).padStart(4, "0"),
    owner: names.user(uid),
    group: names.group(gid),
  };
}

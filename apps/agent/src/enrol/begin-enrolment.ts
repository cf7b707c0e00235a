import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Clock, runAll } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { nodeVfs, type Vfs } from "@gatehouse/files";
import { removeEnrolMarker, setEnrolMarker } from "../local/enrol-marker.ts";
import { findHostIdentity, type HostIdentity, makeHostIdentity } from "../local/host-key.ts";
import { nextPlace } from "../local/next-place.ts";
import { findPinnedServer, type PinnedServer, putPinnedServer } from "../local/server-file.ts";
import type { AgentPaths } from "../config.ts";
import { readUsableCode } from "./read-code.ts";

export interface BeginDeps {
  readonly paths: AgentPaths;
  /** Whom root's files belong to. */
  readonly owner: number;
  readonly clock: Clock;
  readonly vfs?: Vfs | undefined;
}

export interface BegunEnrolment {
  readonly nodeId: string;
  readonly url: string;
  /** The server has answered: what is written now stays. */
  finish(): Promise<void>;
  /** Everything as it was before. */
  undo(): Promise<void>;
}

/**
 * Root's part of an enrolment, before any packet: judges the code, makes the host key when there is none, writes down the one server that
 * this host will believe, and opens the helper for one enrolment.
 */
export async function beginEnrolment(
  deps: BeginDeps,
  asked: { readonly code: string; readonly newIdentity: boolean; readonly ca?: string },
): Promise<BegunEnrolment> {
  const code = readUsableCode(asked.code, deps.clock.now());
  const { vfs = nodeVfs, paths } = deps;
  const next = nextPlace(deps);
  const before = asked.newIdentity ? undefined : findHostIdentity(deps);
  if (before?.isBound === false) {
    throw fault("identity.cloned", `${before.nodeId} was made on a machine with another machine id`);
  }
  const clear = [
    () => removeEnrolMarker(deps),
    () => vfs.remove(next.paths.server),
    () => vfs.remove(next.paths.hostKey),
  ];
  // Where there is no key yet the first one is made in its place: a server that has it must not meet another after a cut.
  const isFirst = !existsSync(paths.hostKey);
  const undo = () => runAll([...clear, ...(isFirst ? [() => vfs.remove(paths.hostKey)] : [])]);
  // What an enrolment has left that was cut off, nobody has taken.
  await runAll(clear);
  try {
    const former = wayOf(deps, code.url);
    const { ca = former.ca } = asked;
    const way = { ...former, ...(ca === undefined ? {} : { ca }) };
    const server: PinnedServer = { ...way, url: code.url, key: code.server };
    const identity: HostIdentity = before ?? (await makeHostIdentity(isFirst ? deps : next));
    await putPinnedServer(next, server);
    await setEnrolMarker(deps, deps.clock.now());
    return {
      nodeId: identity.nodeId,
      url: code.url,
      undo,
      finish: async () => {
        if (before === undefined && !isFirst) {
          await vfs.rename(next.paths.hostKey, paths.hostKey);
          await vfs.syncDirectory(dirname(paths.hostKey));
        }
        await putPinnedServer(deps, { ...server, nodeId: identity.nodeId });
        await runAll(clear);
      },
    };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** How root has said the server is reached, as long as it is the same server. A file that is not sound has said nothing. */
function wayOf(deps: BeginDeps, url: string): Pick<PinnedServer, "ca" | "proxy"> {
  try {
    const known = findPinnedServer(deps);
    if (known === undefined || new URL(known.url).origin !== new URL(url).origin) return {};
    const { ca, proxy } = known;
    return { ...(ca === undefined ? {} : { ca }), ...(proxy === undefined ? {} : { proxy }) };
  } catch (error) {
    if (isFault(error)) return {};
    throw error;
  }
}

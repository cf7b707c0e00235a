import { type Clock, runAll } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { removeEnrolMarker, setEnrolMarker } from "../local/enrol-marker.ts";
import { findHostIdentity, type HostIdentity, makeHostIdentity } from "../local/host-key.ts";
import { findPinnedServer, type PinnedServer, putPinnedServer } from "../local/server-file.ts";
import type { AgentPaths } from "../config.ts";
import { readUsableCode } from "./read-code.ts";
import { type SetAside, setAside } from "./set-aside.ts";

export interface BeginDeps {
  readonly paths: AgentPaths;
  /** Whom root's files belong to. */
  readonly owner: number;
  readonly clock: Clock;
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
  const before = asked.newIdentity ? undefined : findHostIdentity(deps);
  if (before?.isBound === false) {
    throw fault("identity.cloned", `${before.nodeId} was made on a machine with another machine id`);
  }
  const asides: SetAside[] = [];
  const undo = () =>
    runAll([() => removeEnrolMarker(deps), ...asides.toReversed().map((each) => () => each.restore())]);
  try {
    asides.push(await setAside(deps.paths.server));
    const former = wayOf(deps, code.url);
    const { ca = former.ca } = asked;
    const way = { ...former, ...(ca === undefined ? {} : { ca }) };
    const server: PinnedServer = { ...way, url: code.url, key: code.server };
    asides.push(await setAside(deps.paths.hostKey));
    const identity: HostIdentity = before ?? (await makeHostIdentity(deps));
    await putPinnedServer(deps, server);
    await setEnrolMarker(deps, deps.clock.now());
    return {
      nodeId: identity.nodeId,
      url: code.url,
      undo,
      finish: async () => {
        await putPinnedServer(deps, { ...server, nodeId: identity.nodeId });
        await removeEnrolMarker(deps);
        for (const each of asides) await each.forget();
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

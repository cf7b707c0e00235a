import { lstatSync } from "node:fs";
import { isFault } from "@gatehouse/contract";
import type { Ceiling } from "../ceiling/ceiling.ts";
import { readCeiling } from "../ceiling/read-ceiling.ts";
import type { AgentPaths } from "../config.ts";
import { findOwnedFile } from "../host/read-owned-file.ts";
import { findPinnedServer } from "../local/server-file.ts";
import { findTrust, type FoundTrust } from "../trust/read-trust.ts";
import { readStanding, type WitnessStanding } from "../witness/take-head.ts";
import { type ConnectionStatus, parseConnectionStatus } from "./connection-status.ts";
import { needRoom } from "./need-room.ts";
import { findKnownServer, type KnownServer } from "./known-server.ts";

/** What is kept on this host, as far as the caller may read it; what may not be read or is not sound says so instead. */
export interface LocalState {
  readonly server: KnownServer | undefined;
  readonly hasHostKey: boolean | "unreadable";
  readonly ceiling: Ceiling | undefined;
  readonly trust: FoundTrust;
  readonly connection: ConnectionStatus | undefined;
  /** Undefined where there is no server, and for who may not read it. */
  readonly witness: WitnessStanding | undefined;
  readonly problems: readonly string[];
}

export function readLocalState(paths: AgentPaths, owner: number): LocalState {
  const problems: string[] = [];
  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      if (!isFault(error)) throw error;
      problems.push(`${error.code}: ${error.detail}`);
      return otherwise;
    }
  };
  attempt(() => needRoom(paths.networkState), undefined);
  const server = attempt(() => findKnownServer(paths.server, owner), undefined);
  return {
    server,
    hasHostKey: findFile(paths.hostKey),
    // A ceiling that cannot be believed allows nothing, and the problem beside it says why.
    ceiling: attempt(() => readCeiling(paths.ceiling, owner).ceiling, undefined),
    trust: findTrust({ paths, owner }),
    witness: server === undefined ? undefined : attempt(() => readWitness(paths, owner), undefined),
    connection: attempt(() => readConnection(paths.status), undefined),
    problems,
  };
}

/** Root's alone; to others the rest is shown without a word about it. */
function readWitness(paths: AgentPaths, owner: number): WitnessStanding | undefined {
  if (process.getuid?.() !== owner) return undefined;
  const key = findServerKey(paths, owner);
  return key === undefined ? undefined : readStanding({ paths, owner }, key);
}

/** What is wrong with the file itself is said by whoever shows the server. */
function findServerKey(paths: AgentPaths, owner: number): Uint8Array | undefined {
  try {
    return findPinnedServer({ paths, owner })?.key;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

function readConnection(path: string): ConnectionStatus | undefined {
  // Written by the network part under a user that systemd made up for it: shown, and nothing is decided by it.
  const bytes = findOwnedFile({ path, owner: "anybody", forbidden: 0, unsafe: "agent.file_unusable" });
  return bytes === undefined ? undefined : parseConnectionStatus(bytes);
}

function findFile(path: string): boolean | "unreadable" {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return "unreadable";
  }
}

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeyObject } from "node:crypto";
import { firstTrust, parseTrust, type Trust } from "@gatehouse/approval/verify";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { madeAt, makeKey, type MadeKey } from "../../../tests/support/signed-task.ts";
import { type Ceiling, ceilingText } from "../src/ceiling/ceiling.ts";
import { type HostIdentity, makeHostIdentity } from "../src/local/host-key.ts";
import { putPinnedServer } from "../src/local/server-file.ts";
import { readCeiling } from "../src/ceiling/read-ceiling.ts";
import { readStates } from "../src/operations/read-states.ts";
import type { TaskJudgeDeps } from "../src/tasks/judge-task.ts";
import { getReleaseKeys, testReleaseKey } from "../src/trust/release-keys.ts";
import { hastyVfs } from "./hasty-vfs.ts";
import { recordedHost } from "./recorded-host.ts";
import { type HostDirectory, makeHostDirectory } from "./host-directory.ts";

export interface TaskHostParts {
  readonly accepts?: "signed" | "server" | "none";
  readonly allow?: readonly string[];
  readonly keep?: readonly string[];
  /** Bytes of the trust file; null for none. */
  readonly trust?: Uint8Array | null;
  /** What programs of the host answer (`recordedHost`). */
  readonly programs?: Parameters<typeof recordedHost>[0];
}

/** A host that takes changes. */
export interface TaskHost extends HostDirectory {
  readonly identity: HostIdentity;
  readonly nodeId: string;
  /** Private halves: of the server that it is enrolled with, and of the approvers in its trust file. */
  readonly serverKey: KeyObject;
  readonly approvers: readonly [MadeKey, MadeKey];
  readonly trust: Trust;
  /** Moves by hand: the wall clock, and the uptime of a boot. */
  readonly time: { wall: number; uptimeMs: number; boot: string };
  /** Writes a file of the host, with directories that are root's alone. */
  readonly write: (path: string, text: string, mode?: number) => void;
  readonly setCeiling: (ceiling: Ceiling) => void;
  readonly setTrust: (bytes: Uint8Array) => void;
  /** What a judge of this host uses: its files and `time`, with programs that are a table. */
  readonly judgeDeps: TaskJudgeDeps;
}

export const usualAllow = ["file.write:/etc/app", "service.restart:app.service", "firewall.apply:gatehouse_edge"];

/**
 * A host in a temporary directory: host key, machine id, pinned server, ceiling and trust file. Ada (ssh-ed25519, seed 10) and Bob
 * (ecdsa-sha2-nistp256, seed 11) are its approvers; one of them is enough.
 */
export async function makeTaskHost(parts: TaskHostParts = {}): Promise<TaskHost> {
  const { accepts = "signed", allow = usualAllow, keep, trust: given } = parts;
  const host = makeHostDirectory();
  const { paths, owner } = host;
  const put = (place: string, bytes: string | Uint8Array, mode: number) => {
    mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
    writeFileSync(place, bytes);
    chmodSync(place, mode);
  };
  const identity = await makeHostIdentity({ paths, owner, vfs: hastyVfs });
  const serverKey = importPrivateKey(new Uint8Array(32).fill(5));
  const key = publicKeyBytes(serverKey);
  await putPinnedServer({ paths, owner, vfs: hastyVfs }, { url: "https://gh.example", key, nodeId: identity.nodeId });
  const approvers = [makeKey("ssh-ed25519", 10), makeKey("ecdsa-sha2-nistp256", 11)] as const;
  const trustBytes = given ?? usualTrust(approvers);
  const setCeiling = (ceiling: Ceiling) => put(paths.ceiling, ceilingText(ceiling), 0o600);
  const setTrust = (bytes: Uint8Array) => put(paths.trust, bytes, 0o644);
  setCeiling({
    schema: 1,
    level: "managed",
    allow: [...allow],
    ...(accepts === "none" ? {} : { accepts }),
    ...(keep === undefined ? {} : { keep: [...keep] }),
  });
  if (given !== null) setTrust(trustBytes);
  const time = { wall: madeAt + 60_000, uptimeMs: 5_000_000, boot: "11111111-2222-3333-4444-555555555555" };
  const ceilingNow = () => readCeiling(paths.ceiling, owner).ceiling;
  const { run } = recordedHost(parts.programs);
  const clock = { now: () => time.wall, monotonic: () => 0 };
  return {
    ...host,
    identity,
    nodeId: identity.nodeId,
    serverKey,
    approvers,
    trust: parseTrust(trustBytes),
    time,
    write: (path, text, mode = 0o644) => put(join(host.root, path), text, mode),
    setCeiling,
    setTrust,
    judgeDeps: {
      paths,
      owner,
      clock,
      findUptime: () => ({ boot: time.boot, ms: time.uptimeMs }),
      madeAt: madeAt - 30 * 86_400_000,
      vfs: hastyVfs,
      readCeiling: ceilingNow,
      findTaken: async () => undefined,
      running: { version: "0.2.1", architecture: "x64" },
      release: { getKeys: () => getReleaseKeys({ text: testReleaseKey, isTestBuild: true }), floor: "0.2.0" },
      readStates: (question) => readStates({ root: host.root, run, clock, readCeiling: ceilingNow }, question),
    },
  };
}

export function usualTrust([ada, bob]: readonly [MadeKey, MadeKey]): Uint8Array {
  return firstTrust([
    { name: "ada", keys: [{ blob: ada.blob }] },
    { name: "bob", keys: [{ blob: bob.blob }] },
  ]);
}

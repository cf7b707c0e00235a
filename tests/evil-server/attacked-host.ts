import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newPrivateKey } from "@gatehouse/keys";
import { ceilingDigest, ceilingText, defaultCeiling } from "../../apps/agent/src/ceiling/ceiling.ts";
import { writeDropIn } from "../../apps/agent/src/ceiling/set-ceiling.ts";
import { type AgentPaths, agentPaths } from "../../apps/agent/src/config.ts";
import { keepNextChannelKey } from "../../apps/agent/src/local/channel-key.ts";
import { type HostIdentity, makeHostIdentity } from "../../apps/agent/src/local/host-key.ts";
import { putPinnedServer } from "../../apps/agent/src/local/server-file.ts";
import type { WrittenCeiling } from "./ceilings.ts";

/** A host in a directory: enrolled, with everything on it that somebody could want to change. */
export interface AttackedHost {
  /** All that is watched: the host, and where its agent could leave something besides. */
  readonly directory: string;
  readonly paths: AgentPaths;
  readonly identity: HostIdentity;
  /** What the host signs as its ceiling. */
  readonly ceilingDigest: string;
  /** The environment of the agent: whatever it uses lies inside. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it is started. */
  readonly startedIn: string;
}

/** What a change would be worth it for, with its mode. */
const baits: readonly (readonly [string, number])[] = [
  ["etc/passwd", 0o644],
  ["etc/shadow", 0o600],
  ["etc/nginx/nginx.conf", 0o644],
  ["etc/cron.d/backup", 0o644],
  ["etc/systemd/system/nginx.service", 0o644],
  ["opt/tool", 0o755],
  ["root/.ssh/authorized_keys", 0o600],
  ["usr/bin/sudo", 0o4755],
  ["usr/lib/gatehouse/gatehouse-agent", 0o755],
  ["var/log/nginx.log", 0o640],
];

export async function makeAttackedHost(
  directory: string,
  { ceiling }: WrittenCeiling,
  server: { readonly url: string; readonly key: Uint8Array },
): Promise<AttackedHost> {
  const root = join(directory, "host");
  const paths = agentPaths(root);
  const owner = process.getuid?.() ?? 0;
  for (const [name, mode] of baits) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${name} as it was\n`);
    chmodSync(path, mode);
  }
  symlinkSync("../nginx/nginx.conf", join(root, "etc/cron.d/link"));
  writeFileSync(join(root, "etc/machine-id"), `${"a".repeat(32)}\n`);
  writeFileSync(join(root, "etc/os-release"), 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n');
  for (const each of ["run/gatehouse", "var/lib/private/gatehouse-agent", "etc/gatehouse"]) {
    mkdirSync(join(root, each), { recursive: true });
  }
  const environment: Record<string, string> = { HOME: join(directory, "home"), TMPDIR: join(directory, "tmp") };
  const startedIn = join(directory, "work");
  for (const each of [...Object.values(environment), startedIn]) mkdirSync(each, { recursive: true });
  if (ceiling !== undefined) {
    writeFileSync(paths.ceiling, ceilingText(ceiling), { mode: 0o600 });
    await writeDropIn(paths, ceiling);
  }
  const identity = await makeHostIdentity({ paths, owner });
  await putPinnedServer({ paths, owner }, { ...server, nodeId: identity.nodeId });
  await (await keepNextChannelKey({ paths, user: owner }, newPrivateKey())).take();
  const digest = ceilingDigest(ceiling ?? defaultCeiling);
  return { directory, paths, identity, ceilingDigest: digest, environment, startedIn };
}

import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { sh } from "./lab.ts";
import type { ManagedHost } from "./managed-host.ts";

/** The state of a host: every name with all that could be changed about it. */
export type OutsideState = ReadonlyMap<string, string>;

/**
 * The only places where the agent writes by itself, of which `/run/gatehouse` is in memory; the log of the host; and what the lab itself
 * has put there. All else of a host is its state.
 */
const besides = ["var/lib/gatehouse", "var/lib/private/gatehouse-agent", "var/log/journal", "opt/lab"];

/** systemd gives every start of a unit a /tmp of its own, and takes it away. */
const ownTmp = /^(var\/)?tmp\/systemd-private-[0-9a-f]{32}-gatehouse-(agent|helper)\.service-/;

/** Units live there that are written nowhere else. */
const unitsInMemory = ["system", "system.control", "transient", "generator", "generator.early", "generator.late"];

/** Both parts come and go, the one by its socket and the other by whoever attacks; the socket says whether somebody is behind it. */
const ownParts = /^(gatehouse-(agent|helper)\.service |gatehouse-helper\.socket +loaded +active +(listening|running) )/;

/** All of a host that a server would like to change, read without asking anybody on it but its manager for the units. */
export async function readOutside(host: ManagedHost): Promise<OutsideState> {
  const [layer, rules, routes, routes6, units] = await Promise.all([
    host.layer(),
    inNetworkOf(host, "nft", "--json", "--stateless", "list", "ruleset"),
    inNetworkOf(host, "ip", "-json", "-4", "route", "show", "table", "all"),
    inNetworkOf(host, "ip", "-json", "-6", "route", "show", "table", "all"),
    host.shell("systemctl list-units --all --full --plain --no-legend --no-pager"),
  ]);
  const living = units.split("\n").filter((line) => !ownParts.test(line));
  return new Map([
    ...filesOf(layer),
    // Whenever the manager reads its units again it writes the same ones.
    ...unitsInMemory
      .flatMap((name) => filesOf(host.place(`run/systemd/${name}`), `run/systemd/${name}/`))
      .map(([name, what]) => [name, withoutStamps(what)] as const),
    // The kernel numbers what it is given: a table that was put back is the one that it was.
    ["the ruleset", rules.replaceAll(/, "handle": \d+/g, "")],
    ["the routes", routes + routes6],
    ["the units", living.map((line) => line.replaceAll(/ +/g, " ")).join("\n")],
  ]);
}

/** What is otherwise than before, a sentence each. */
export async function findOutsideChanges(host: ManagedHost, before: OutsideState): Promise<string[]> {
  return differences(before, await readOutside(host));
}

export function differences(before: OutsideState, after: OutsideState): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      const [was = "absent", is = "absent"] = [before.get(name), after.get(name)];
      return was.includes("\n") ? `${name}: ${lineChanges(was, is)}` : `${name} was ${was}, is ${is}`;
    });
}

function lineChanges(was: string, is: string): string {
  const [before, after] = [was.split("\n"), is.split("\n")];
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const come = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  return [...gone, ...come].join(" ");
}

async function inNetworkOf(host: ManagedHost, program: string, ...words: readonly string[]): Promise<string> {
  return (await sh("nsenter", ["--target", String(host.pid), "--net", program, ...words])).stdout;
}

function filesOf(directory: string, prefix = ""): [string, string][] {
  const found: [string, string][] = [];
  const walk = (at: string) => {
    for (const entry of readdirSync(join(directory, at), { withFileTypes: true })) {
      const name = join(at, entry.name);
      if (besides.includes(name) || ownTmp.test(name)) continue;
      const described = describe(join(directory, name));
      if (described !== undefined) found.push([`/${prefix}${name}`, described]);
      if (entry.isDirectory()) walk(name);
    }
  };
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) walk("");
  return found;
}

/** What is larger is known by when it was written, as everything else is too. */
const hashedBytes = 1024n * 1024n;

/** A file that was replaced by an equal one was written all the same. Directories change with the names of temporary files. */
function describe(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const about = `mode ${(found.mode & 0o7777n).toString(8)}, owner ${found.uid}:${found.gid}`;
  if (found.isSymbolicLink()) return `a link to ${readlinkSync(path)}`;
  if (found.isDirectory()) return `a directory, ${about}`;
  if (found.isCharacterDevice() && found.rdev === 0n) return "taken away";
  if (!found.isFile()) return `something special, ${about}`;
  const { size, nlink } = found;
  return `a file, ${about}, ${size} bytes, ${nlink} names, ${writtenAt(found)}, ${size > hashedBytes ? "" : digestOf(path)}`;
}

/** Without what tells when a file was written, and not what it is. */
export function withoutStamps(described: string): string {
  return described.replace(/number \d+, written \d+, changed \d+, /, "");
}

function writtenAt({ ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `number ${ino}, written ${mtimeNs}, changed ${ctimeNs}`;
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
}

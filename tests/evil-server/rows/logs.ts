import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Operation } from "@gatehouse/plan";
import type { Ceiling } from "../../../apps/agent/src/ceiling/ceiling.ts";
import { journalOn } from "../../lab/change-on-host.ts";
import type { Found } from "./found.ts";
import { inTurn } from "./in-turn.ts";
import { fileAt, planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { type HostWish, type RowHost, signedCeiling } from "./row-host.ts";

const place = "/etc/nginx/logs";
const reading = (...logs: string[]): Ceiling => ({ ...signedCeiling, read: { logs } });
const listed = reading(place, "nginx.service");

const logAt = (path: string): Operation => ({ kind: "log.tail", source: { from: "file", path }, lines: 100 });
const journalOf = (unit: string): Operation => ({ kind: "log.tail", source: { from: "journal", unit }, lines: 100 });

/** Each in a plan of its own that Ada has approved. */
const asked = ({ open }: RowGround, wish: HostWish, ...operations: readonly Operation[]): Promise<Found[]> =>
  inTurn(operations, async (one) => {
    const host = await open(wish);
    return host.change(taskOf(host, await planFor(host, [one])));
  });

/** What the host has told with its last end. */
async function toldBy({ machine }: RowHost): Promise<Found> {
  const last = (await journalOn(machine.host)).at(-1);
  const told = last?.kind === "ended" ? (last.data.told ?? []) : [];
  const lines = told.flatMap((one) => one.lines);
  const code = told.map((one) => one.code ?? "told").join(" ") || "nothing told";
  return { code: lines.length === 0 ? code : `${code}: ${lines.join(" ")}`, detail: "", at: "journal" };
}

/** Somebody who may write beside the log has laid something there, and the server asks for it. */
const laid = (
  { open }: RowGround,
  ...lays: readonly { readonly path: string; readonly lay: (root: string) => void }[]
): Promise<Found[]> =>
  inTurn(lays, async ({ path, lay }) => {
    const host = await open({ ceiling: listed, before: ({ paths }) => lay(paths.root) });
    const found = await host.change(taskOf(host, await planFor(host, [logAt(path)])));
    return found.code === "applied" ? toldBy(host) : found;
  });

const inPlace = (lay: (at: string, root: string) => void) => (root: string) => {
  mkdirSync(join(root, place));
  lay(join(root, place, "error.log"), root);
};

export const logs: RowFamily = {
  name: "logs",
  control: {
    does: "a file that the ceiling names is written, and the end of a log read that it names too",
    expects: ["applied", "told: one two"],
    mayChange: usualChange,
    attack: async ({ open }) => {
      const before = ({ paths }: { readonly paths: { readonly root: string } }) =>
        inPlace((at) => writeFileSync(at, "one\ntwo\n"))(paths.root);
      const host = await open({ ceiling: listed, before });
      const operations = [fileAt("/etc/nginx/nginx.conf"), logAt(`${place}/error.log`)];
      return [await host.change(taskOf(host, await planFor(host, operations))), await toldBy(host)];
    },
  },
  rows: [
    {
      row: 283,
      does: "logs that the ceiling does not name: a file beside, another unit, and any where it names none",
      expects: ["ceiling.path", "ceiling.path", "ceiling.path", "ceiling.unit", "ceiling.kind", "ceiling.kind"],
      attack: async (ground) => [
        ...(await asked(
          ground,
          { ceiling: listed },
          logAt("/etc/shadow"),
          logAt("/etc/nginx/logs-evil"),
          logAt("/etc/nginx/nginx.conf"),
          journalOf("ssh.service"),
        )),
        // What may be written or restarted may not be read for that.
        ...(await asked(ground, {}, logAt("/etc/nginx/nginx.conf"), journalOf("nginx.service"))),
      ],
    },
    {
      row: 284,
      does: "the host key, the trust file, the state of the network part and of the kernel, though all above them is listed",
      expects: "ceiling.protected",
      attack: (ground) =>
        asked(
          ground,
          { ceiling: reading("/etc", "/var", "/proc", "/usr") },
          logAt("/var/lib/gatehouse/host.key"),
          logAt("/etc/gatehouse/trust.json"),
          logAt("/var/lib/private/gatehouse-agent/channel.key"),
          logAt("/proc/1/environ"),
          logAt("/var/run/gatehouse/helper.sock"),
        ),
    },
    {
      row: 285,
      does: "a log that somebody made a link to a key, itself or on the way to it; a second name of a secret, and a pipe",
      expects: ["path.symlink", "path.symlink", "path.kind", "path.kind"],
      attack: (ground) =>
        laid(
          ground,
          {
            path: `${place}/error.log`,
            lay: inPlace((at) => symlinkSync("/var/lib/gatehouse/host.key", at)),
          },
          {
            path: `${place}/host.key`,
            lay: (root) => symlinkSync("/var/lib/gatehouse", join(root, place)),
          },
          {
            path: `${place}/error.log`,
            lay: inPlace((at, root) => linkSync(join(root, "etc/shadow"), at)),
          },
          {
            path: `${place}/error.log`,
            lay: inPlace((at) => void spawnSync("mkfifo", [at])),
          },
        ),
    },
  ],
};

import { spawnSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@gatehouse/base";
import type { Ceiling } from "../../../apps/agent/src/ceiling/ceiling.ts";
import type { Found } from "./found.ts";
import { inTurn } from "./in-turn.ts";
import { planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { type HostWish, type RowHost, signedCeiling } from "./row-host.ts";

const place = "/etc/nginx/logs";
const log = `${place}/error.log`;
const sending = (...logs: string[]): Ceiling => ({ ...signedCeiling, send: { logs } });
const listed = sending(log, "nginx.service");

/** Of no bytes: whoever makes up a place knows it. */
const emptyDigest = "e3b0c44298fc1c14";
/** As a thief of the server may make it up: of a file that is gone, so that the log begins anew. */
const fromBeginning = `f1:1:0:l:0:${emptyDigest}:0`;

const question = (source: string, cursor: string | null = null, more: JsonObject = {}): JsonObject => ({
  sources: [{ source, cursor }],
  lines: 200,
  skip: false,
  ...more,
});

/** What was told, in place of `answered`: every line of it, or why there is none. */
async function read(host: RowHost, fields: JsonObject): Promise<Found> {
  const found = await host.ask("log.read", fields);
  const { lines = [], refused = [] } = found.answer as unknown as {
    readonly lines?: readonly { readonly text: string }[];
    readonly refused?: readonly { readonly code: string }[];
  };
  const told = lines.map(({ text }) => text).join(" ") || "nothing";
  const code = found.code === "answered" ? (refused[0]?.code ?? `told ${told}`) : found.code;
  return { ...found, code };
}

const inPlace = (lay: (at: string, root: string) => void) => (root: string) => {
  mkdirSync(join(root, place));
  lay(join(root, log), root);
};

const withLines = inPlace((at) => writeFileSync(at, "one\ntwo\n"));
const wishWith = (lay: (root: string) => void, ceiling: Ceiling = listed): HostWish => ({
  ceiling,
  before: ({ paths }) => lay(paths.root),
});

/** Whoever may write beside the log has laid something there; what is asked for is the log, from a place that leads to it. */
const laid = ({ open }: RowGround, ...lays: readonly ((root: string) => void)[]): Promise<Found[]> =>
  inTurn(lays, async (lay) => read(await open(wishWith(lay)), question(log, fromBeginning)));

/** A listed log, from places that somebody has made up. */
async function forged({ open }: RowGround): Promise<Found[]> {
  const host = await open(wishWith(withLines));
  const inodeOf = (path: string) => lstatSync(join(host.paths.root, path), { bigint: true }).ino;
  const secrets = ["/etc/shadow", "/etc/gatehouse/trust.json"].map(inodeOf);
  const cursors = [
    "nonsense",
    "f1:../../shadow",
    `j1:s=${"0".repeat(32)};i=1;b=${"0".repeat(32)};m=1;t=1;x=1 --unit=ssh.service`,
    `f1:99999999999999999999:999999999999999:l:999:${"f".repeat(16)}:999999999999999`,
    ...secrets.map((inode) => `f1:${inode}:0:l:0:${emptyDigest}:0`),
    "x".repeat(8_192),
  ];
  return inTurn(cursors, (cursor) => read(host, question(log, cursor)));
}

export const sentLogs: RowFamily = {
  name: "sent logs",
  control: {
    does: "a log that the ceiling lets be sent, from its end on and from its beginning, and a change that Ada has approved",
    expects: ["told nothing", "told one two", "applied"],
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open(wishWith(withLines));
      const begun = await read(host, question(log));
      const told = await read(host, question(log, fromBeginning));
      return [begun, told, await host.change(taskOf(host, await planFor(host)))];
    },
  },
  rows: [
    {
      row: 294,
      does: "logs that are not sent: a file beside, an earlier one by its name, a directory, another unit, and what plans may read",
      expects: "read.ceiling",
      attack: async ({ open }) => {
        const host = await open(wishWith(withLines));
        const others = ["/etc/shadow", `${log}.1`, place, "/etc/nginx/nginx.conf", "ssh.service"];
        const found: Found[] = await inTurn(others, (source) => read(host, question(source)));
        const reading = { ...signedCeiling, read: { logs: [place, "nginx.service"] } };
        const reader = await open(wishWith(withLines, reading));
        return [...found, ...(await inTurn([log, "nginx.service"], (source) => read(reader, question(source))))];
      },
    },
    {
      row: 295,
      does: "places that were made up, of other files, of no file and without end: the listed log again, or nothing",
      expects: [
        "told nothing",
        "told nothing",
        "told nothing",
        "told one two",
        "told one two",
        "told one two",
        "local.frame",
      ],
      attack: forged,
    },
    {
      row: 296,
      does: "a log that somebody made a link to a key, itself or on the way to it, a second name of a secret, a pipe or a directory; and earlier files of it that are such",
      expects: ["path.symlink", "path.symlink", "path.kind", "path.kind", "path.kind", "told one two"],
      attack: (ground) =>
        laid(
          ground,
          inPlace((at) => symlinkSync("/var/lib/gatehouse/host.key", at)),
          (root) => symlinkSync("/var/lib/gatehouse", join(root, place)),
          inPlace((at, root) => linkSync(join(root, "etc/shadow"), at)),
          inPlace((at) => void spawnSync("mkfifo", [at])),
          inPlace((at) => mkdirSync(at)),
          inPlace((at, root) => {
            writeFileSync(at, "one\ntwo\n");
            symlinkSync("/var/lib/gatehouse/host.key", `${at}.1`);
            linkSync(join(root, "etc/shadow"), `${at}.2`);
            spawnSync("mkfifo", [`${at}.3`]);
          }),
        ),
    },
    {
      row: 297,
      does: "more than a question has: sources, lines, a place without end, a log twice, a path beside the list",
      expects: "local.frame",
      attack: async ({ open }) => {
        const host = await open(wishWith(withLines));
        const source = { source: log, cursor: null };
        const many = Array.from({ length: 17 }, (_, n) => ({ source: `unit-${n}.service`, cursor: null }));
        return inTurn(
          [
            { sources: many },
            { sources: [source, source] },
            { sources: [] },
            { lines: 201 },
            { lines: 0 },
            { path: log },
          ],
          (more) => read(host, question(log, null, more as JsonObject)),
        );
      },
    },
    {
      row: 298,
      does: "checkpoints that were made up, in a wish for logs",
      by: "apps/agent/src/logs/open-log-follower.test.ts",
      name: "with a checkpoint %s all logs begin at their ends",
      of: "that names a path",
    },
    {
      row: 299,
      does: "a wish for logs said again and again on one connection, each with a budget of its own and from the beginning",
      by: "apps/agent/src/logs/wanted-logs.test.ts",
      name: "a server says once on a connection that it wants logs: whatever it says again changes nothing and asks nobody",
    },
  ],
};

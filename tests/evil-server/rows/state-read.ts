import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { channelLimits, decodeBase64url, encodeBase64url } from "@gatehouse/channel";
import type { AttackedMachine } from "./attacked-machine.ts";
import type { Found } from "./found.ts";
import { planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily } from "./row.ts";
import type { RowHost } from "./row-host.ts";

const request = encodeBase64url(new Uint8Array(32).fill(4));
const read = (host: RowHost, ...subjects: readonly string[]) => host.ask("state.read", { request, subjects });

/** What somebody has laid where a file should be. */
const laid =
  (lay: (path: string, host: AttackedMachine) => void) =>
  (host: AttackedMachine): void => {
    const path = join(host.paths.root, "etc/nginx/nginx.conf");
    rmSync(path);
    lay(path, host);
  };

export const stateRead: RowFamily = {
  name: "state.read",
  control: {
    does: "a question about a file that the ceiling names, and a change of it that Ada has approved",
    expects: ["answered", "applied"],
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open();
      const told = await read(host, "file:/etc/nginx/nginx.conf");
      return [told, await host.change(taskOf(host, await planFor(host)))];
    },
  },
  rows: [
    {
      row: 277,
      does: "what the ceiling does not name, and what no ceiling can",
      expects: "read.ceiling",
      attack: async ({ open }) => {
        const found: Found[] = [];
        for (const subject of [
          "file:/etc/shadow",
          "file:/etc/nginx-evil",
          "file:/etc/nginx/../shadow",
          "file:/var/lib/gatehouse/host.key",
          "file:/etc/gatehouse/trust.json",
          "file:/proc/self/environ",
          "service:dbus.service",
          "firewall:filter",
        ]) {
          // Questions that are refused are counted too.
          found.push(await read(await open(), subject));
        }
        return found;
      },
    },
    {
      row: 278,
      does: "the hash of a short secret",
      expects: ["answered", "named by a MAC"],
      attack: async ({ open }) => {
        const host = await open({
          before: laid((path) => writeFileSync(path, "1234\n", { mode: 0o600 })),
        });
        const told = await read(host, "file:/etc/nginx/nginx.conf");
        const bytes = Buffer.from(decodeBase64url(told.answer["signed"] as string) ?? []).toString("utf8");
        const isHidden = bytes.includes('"hmac"') && !bytes.includes('"sha256"');
        return [told, { code: isHidden ? "named by a MAC" : "told by its hash", detail: "", at: "state.read" }];
      },
    },
    {
      row: 279,
      does: "a pipe, a directory, a file of two names and one of 65 MiB",
      expects: ["path.kind", "path.kind", "path.kind", "read.limit"],
      attack: async ({ open }) => {
        const found: Found[] = [];
        for (const lay of [
          (path: string) => void spawnSync("mkfifo", [path]),
          (path: string) => mkdirSync(path),
          (path: string, { paths }: AttackedMachine) => linkSync(join(paths.root, "etc/passwd"), path),
          (path: string) => {
            writeFileSync(path, "");
            truncateSync(path, 65 * 1024 * 1024);
          },
        ]) {
          found.push(await read(await open({ before: laid(lay) }), "file:/etc/nginx/nginx.conf"));
        }
        return found;
      },
    },
    {
      row: 280,
      does: "a file that somebody made a link, itself or on the way to it",
      expects: "path.symlink",
      attack: async ({ open }) => {
        const itself = await open({ before: laid((path) => symlinkSync("../shadow", path)) });
        const first = await read(itself, "file:/etc/nginx/nginx.conf");
        const onTheWay = await open({
          before: ({ paths }) => {
            rmSync(join(paths.root, "etc/nginx"), { recursive: true });
            symlinkSync("../root/.ssh", join(paths.root, "etc/nginx"));
          },
        });
        return [first, await read(onTheWay, "file:/etc/nginx/authorized_keys")];
      },
    },
    {
      row: 281,
      does: "an invented state, shown to whoever approves",
      by: "apps/agent/src/helper/sign-state.test.ts",
      name: "an answer is signed by the host for this question alone, with its own time",
    },
    {
      row: 282,
      does: "one question more than a minute has",
      expects: [...Array.from({ length: channelLimits.statesPerMinute }, () => "answered"), "read.rate"],
      attack: async ({ open }) => {
        const host = await open();
        const found: Found[] = [];
        for (let count = 0; count <= channelLimits.statesPerMinute; count += 1) {
          found.push(await read(host, "file:/etc/nginx/nginx.conf"));
        }
        return found;
      },
    },
  ],
};

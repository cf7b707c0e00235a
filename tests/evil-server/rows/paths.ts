import { spawnSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Operation } from "@gatehouse/plan";
import { makePlan, makeSection } from "../../support/signed-task.ts";
import type { AttackedMachine } from "./attacked-machine.ts";
import type { Found } from "./found.ts";
import { fileAt, planFor, taskOf, usualChange, usualOperations } from "./made-task.ts";
import { evilPlace, layEvilPrograms, withEnvironment } from "./manager-environment.ts";
import type { RowFamily, RowGround } from "./row.ts";

/** What nobody may name: each in a plan that Ada has approved as it stands. */
async function named({ open }: RowGround, ...operations: readonly object[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const one of operations) {
    const host = await open();
    const good = makeSection({ nodeId: host.nodeId, operations: usualOperations });
    const plan = makePlan({ nodeId: host.nodeId, operations: [], section: { ...good, operations: [one] } });
    found.push(await host.change(taskOf(host, plan)));
  }
  return found;
}

/** A plan that is approved, and then somebody lays something where its file should go. */
async function laid({ open }: RowGround, ...lays: readonly ((root: string) => void)[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const lay of lays) {
    const host = await open({ before: ({ paths }: AttackedMachine) => lay(paths.root) });
    // What it was made from is asked behind where it goes.
    const section = makeSection({ nodeId: host.nodeId, operations: usualOperations });
    found.push(await host.change(taskOf(host, makePlan({ nodeId: host.nodeId, operations: [], section }))));
  }
  return found;
}

const target = "etc/nginx/nginx.conf";
const odd = ["..", "\u0000", "\n", "$(id)", "`id`", ";id", " ", "*", "é", "\\"];
const file = (more: object) => ({ ...fileAt("/etc/nginx/nginx.conf"), ...more });
const rule = { label: "x", verdict: "accept" };
const firewall = (more: object, rules: readonly object[] = [{ ...rule, ...more }]) => ({
  kind: "firewall.apply",
  table: "gatehouse_filter",
  input: { policy: "drop", rules },
});

export const paths: RowFamily = {
  name: "paths",
  control: {
    does: "a plain file below plain directories",
    expects: "applied",
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open();
      return host.change(taskOf(host, await planFor(host)));
    },
  },
  rows: [
    {
      row: 276,
      does: "PATH and LD_PRELOAD in the manager's environment, with programs of the host's own names",
      expects: "applied",
      mayChange: /^the ruleset: /,
      attack: async ({ open }) => {
        const host = await open({
          before: async (machine) => {
            layEvilPrograms(machine);
            const path = `${evilPlace}:/usr/sbin:/usr/bin:/sbin:/bin`;
            await withEnvironment({ PATH: path, LD_PRELOAD: `${evilPlace}/nft` })(machine);
          },
        });
        const open22 = { ...rule, protocol: "tcp", ports: [{ from: 22, to: 22 }] };
        const answers = { label: "answers", verdict: "accept", states: ["established"] };
        const operation = firewall({}, [open22, answers]) as unknown as Operation;
        return host.change(taskOf(host, await planFor(host, [operation])));
      },
    },
    {
      row: 177,
      does: "an approval that was kept until the host had changed",
      expects: "state.stale",
      attack: async ({ open }) => {
        const found: Found[] = [];
        for (const states of [
          {},
          { [`file:/${target}`]: { sha256: "0".repeat(64), mode: "0644", owner: "0", group: "0" } },
        ]) {
          const host = await open();
          found.push(await host.change(taskOf(host, await planFor(host, usualOperations, { states }))));
        }
        const host = await open();
        const gone = { "file:/etc/app.conf": host.stateOf(`file:/${target}`) ?? {} };
        found.push(await host.change(taskOf(host, await planFor(host, [fileAt("/etc/app.conf")], { states: gone }))));
        return found;
      },
    },
    {
      row: 270,
      does: "dots, NUL, line ends, leading - and @, $(…) in any field",
      expects: "plan.schema",
      attack: (ground) =>
        named(
          ground,
          ...odd.map((text) => file({ path: `/etc/nginx/${text}` })),
          file({ path: "etc/nginx/nginx.conf" }),
          file({ path: "/etc/nginx/" }),
          file({ path: "/etc/nginx/../../etc/shadow" }),
          file({ owner: "-root" }),
          file({ group: "$(id)" }),
          file({ mode: "4755" }),
          ...["-x.service", "@x.service", "a b.service", "nginx.service\n", "nginx"].map((unit) => ({
            kind: "service.restart",
            unit,
          })),
        ),
    },
    {
      row: 271,
      does: "labels and interfaces that would break out of the quotes of nft",
      expects: "plan.schema",
      attack: (ground) =>
        named(
          ground,
          ...['x"', "x\\", "x\n", 'x" accept; drop #', "-x", ""].map((label) => firewall({ label })),
          ...['lo"', "lo; id", "-f", "a".repeat(16)].map((name) => firewall({ interfaces: [name] })),
          { ...firewall({}), table: "filter; flush ruleset" },
        ),
    },
    {
      row: 272,
      does: "a link to /etc/shadow as the target, and on the way to it",
      expects: "path.symlink",
      attack: (ground) =>
        laid(
          ground,
          (root) => {
            rmSync(join(root, target));
            symlinkSync("../shadow", join(root, target));
          },
          (root) => {
            renameSync(join(root, "etc/nginx"), join(root, "etc/real"));
            symlinkSync("real", join(root, "etc/nginx"));
          },
        ),
    },
    {
      row: 273,
      does: "a directory on the way that others can write to, or that is not there",
      expects: "path.parent",
      attack: (ground) =>
        laid(
          ground,
          (root) => chmodSync(join(root, "etc/nginx"), 0o777),
          (root) => chmodSync(join(root, "etc"), 0o775),
          (root) => rmSync(join(root, "etc/nginx"), { recursive: true }),
        ),
    },
    {
      row: 274,
      does: "a hard link, a pipe, a directory as the target; a file as its directory",
      expects: "path.kind",
      attack: (ground) =>
        laid(
          ground,
          (root) => {
            rmSync(join(root, target));
            linkSync(join(root, "etc/shadow"), join(root, target));
          },
          (root) => {
            rmSync(join(root, target));
            spawnSync("mkfifo", [join(root, target)]);
          },
          (root) => {
            rmSync(join(root, target));
            mkdirSync(join(root, target));
          },
          (root) => {
            rmSync(join(root, "etc/nginx"), { recursive: true });
            writeFileSync(join(root, "etc/nginx"), "");
          },
        ),
    },
    {
      row: 275,
      does: "targets below /proc, /sys, /dev and /run, which no ceiling can list",
      expects: "ceiling.path",
      attack: async ({ open }) => {
        const found: Found[] = [];
        for (const path of ["/proc/sys/kernel/core_pattern", "/sys/power/state", "/dev/mem", "/run/gatehouse/x"]) {
          const host = await open();
          const operations: Operation[] = [fileAt(path)];
          found.push(await host.change(taskOf(host, await planFor(host, operations))));
        }
        return found;
      },
    },
  ],
};

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { writeContainer } from "@gatehouse/approval";
import { signedBy } from "../../../packages/approval/src/verify/approval-cases.ts";
import { mostUsed, type UsedApproval, withUsed, writeUsed } from "../../../apps/agent/src/tasks/used-file.ts";
import type { AttackedMachine } from "./attacked-machine.ts";
import { approvers } from "./approvers.ts";
import { setBack } from "./clocks.ts";
import { approvalFor, approvedBy, newTask, orderFor, planFor, signedTask, taskOf, usualChange } from "./made-task.ts";
import { inTurn } from "./in-turn.ts";
import type { RowFamily } from "./row.ts";
import { type RowHost, serverCeiling } from "./row-host.ts";
import { ecdsaTwin } from "./signatures.ts";

const spent = "5e".repeat(16);
const hour = 3_600_000;
const entryOf = (approvalId: string, notAfter: number): UsedApproval => ({
  approvalId,
  planDigest: "0".repeat(64),
  notAfter,
});

/** The host has used these. */
function putUsed({ paths }: AttackedMachine, list: Parameters<typeof writeUsed>[0]): void {
  writeFileSync(paths.used, writeUsed(list), { mode: 0o600 });
}

const hasUsed = (host: AttackedMachine) => putUsed(host, { entries: [entryOf(spent, Date.now() + hour)], horizon: 0 });

/** The approval that was used, once more. */
const again = (host: RowHost) => signedTask(host, { approvalId: spent });

export const use: RowFamily = {
  name: "single use",
  control: {
    does: "an approval that was not used, where another one was, and one more",
    expects: "applied",
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open({ before: hasUsed });
      return [await host.change(await signedTask(host, {})), await host.change(await signedTask(host, {}))];
    },
  },
  rows: [
    {
      row: 95,
      does: "the twin of an ECDSA signature that was used",
      expects: "use.spent",
      attack: async ({ open }) => {
        const host = await open({ before: hasUsed });
        const plan = await planFor(host);
        const { statement, ssh } = signedBy(approvers.bob, approvalFor(host, plan, { approvalId: spent }));
        const approvals = writeContainer([{ statement, ssh: ecdsaTwin(ssh) }]);
        return host.change(taskOf(host, plan, { approvals }));
      },
    },
    {
      row: 133,
      does: "a change that was made, once more; and an order",
      expects: "use.spent",
      attack: async ({ open }) => {
        const host = await open({ before: hasUsed });
        const first = await host.change(await again(host));
        const trusting = await open({ before: hasUsed, ceiling: serverCeiling });
        const plan = await planFor(trusting);
        const approvals = orderFor(trusting, plan, { orderId: spent });
        return [first, await trusting.change(taskOf(trusting, plan, { approvals }))];
      },
    },
    {
      row: 134,
      does: "the same under another id of the task, and with another plan",
      expects: "use.spent",
      attack: async ({ open }) => {
        const host = await open({ before: hasUsed });
        const made = { ...(await again(host)), task: `task_${"1".repeat(26)}` };
        const plan = await planFor(host, undefined, { before: [] });
        const approvals = approvedBy([approvers.bob], approvalFor(host, plan, { approvalId: spent }));
        return [await host.change(made), await host.change(taskOf(host, plan, { approvals }))];
      },
    },
    {
      row: 137,
      does: "the helper killed, and the same once more",
      expects: "use.spent",
      attack: async ({ open }) => {
        const host = await open({ before: hasUsed });
        const made = await again(host);
        const first = await host.change(made);
        await host.kill();
        return [first, await host.change(made)];
      },
    },
    {
      row: 138,
      does: "the clock set back behind the use",
      expects: "use.spent",
      attack: async ({ open }) => {
        const host = await open({
          before: async (made) => {
            hasUsed(made);
            await setBack(4 * 60_000)(made);
          },
        });
        return host.change(await again(host));
      },
    },
    {
      row: 136,
      does: "one approval on two connections at once",
      expects: ["applied", "slot.busy"],
      mayChange: usualChange,
      attack: async ({ open }) => {
        const host = await open();
        const made = await signedTask(host, {});
        await host.bring(made);
        const both = [made, { ...made, task: newTask(host) }].map((each) => host.announce(each));
        const found = (await Promise.all(both)).filter(({ code }) => code !== "answered");
        return [await host.end(), ...found];
      },
    },
    {
      row: 139,
      does: "an approval that was used, after root has reset the clock",
      expects: ["applied", "use.spent", "use.spent"],
      mayChange: usualChange,
      attack: async ({ open }) => {
        const host = await open();
        const made = await signedTask(host, {});
        const first = await host.change(made);
        const second = await host.change({ ...made, task: newTask(host) });
        await host.machine.host.shell("gatehouse-agent clock reset");
        return [first, second, await host.change({ ...made, task: newTask(host) })];
      },
    },
    {
      row: 144,
      does: "a disk from before the use, put back: the same bytes once more",
      expects: ["applied", "applied", "use.spent"],
      mayChange: usualChange,
      attack: async ({ open }) => {
        const host = await open();
        const made = await signedTask(host, {});
        const { host: machine } = host.machine;
        const [kept, image] = ["/var/lib/gatehouse /etc/nginx", "/opt/lab/image"];
        await machine.shell(`rm -rf ${image} && mkdir ${image} && cp -a ${kept} ${image}`);
        const first = await host.change(made);
        await host.machine.stopParts();
        await machine.shell(`rm -rf ${kept} && cp -a ${image}/gatehouse /var/lib && cp -a ${image}/nginx /etc`);
        const second = await host.change(made);
        return [first, second, await host.change({ ...made, task: newTask(host) })];
      },
    },
    {
      row: 140,
      does: "65,536 further approvals to push a used one out",
      expects: "use.horizon",
      attack: async ({ open }) => {
        const now = Date.now();
        const host = await open({
          before: (made) => {
            const others = Array.from({ length: mostUsed - 1 }, (_, at) =>
              entryOf(at.toString(16).padStart(32, "0"), now + 2 * hour),
            );
            const full = { entries: [entryOf(spent, now + hour), ...others], horizon: 0 };
            putUsed(made, withUsed(full, entryOf("f".repeat(32), now + 2 * hour)));
          },
        });
        return host.change(await signedTask(host, { approvalId: spent, notAfter: now + hour }));
      },
    },
    {
      row: 175,
      does: "a bit of what the host remembers, the end cut off, rights for others",
      expects: "journal.unsound",
      attack: async ({ open }) => {
        const spoils: ((host: AttackedMachine) => void)[] = [
          ({ paths }) => {
            const bytes = readFileSync(paths.used);
            bytes[20] = (bytes[20] ?? 0) ^ 1;
            writeFileSync(paths.used, bytes);
          },
          ({ paths }) => writeFileSync(paths.used, readFileSync(paths.used).subarray(0, -88)),
          ({ paths }) => writeFileSync(paths.used, ""),
          ({ paths }) => chmodSync(paths.used, 0o644),
        ];
        return inTurn(spoils, async (spoil) => {
          const host = await open({
            before: (made) => {
              hasUsed(made);
              spoil(made);
            },
          });
          return host.change(await again(host));
        });
      },
    },
  ],
};

import { sectionBits } from "@gatehouse/approval";
import { approvers } from "./approvers.ts";
import type { Found } from "./found.ts";
import { approvalFor, approvedBy, newTask, orderFor, planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily } from "./row.ts";
import { type RowHost, serverCeiling } from "./row-host.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** This host has the middle of three places in the plan: one statement covers hosts of all waves. */
const allOfThem = sectionBits(3, [0, 1, 2]);

/** Each counted from now. */
type Times = Partial<Record<"issuedAt" | "notBefore" | "notAfter", number>>;

/** The wave of this host, under one approval of the whole plan with these times; and again, as the wave of a run that goes on. */
async function bring(host: RowHost, times: Times = {}, again = false): Promise<Found[]> {
  const plan = await planFor(host);
  const now = Date.now();
  const moved = Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, now + ms]));
  const approval = approvalFor(host, plan, { sections: allOfThem, ...moved });
  const made = taskOf(host, plan, { approvals: approvedBy([approvers.ada], approval) });
  const first = await host.change(made);
  return again ? [first, await host.change({ ...made, task: newTask(host) })] : [first];
}

/** What a server can do with the waves of a plan that was approved once for all its hosts: no host takes more of it, and none later. */
export const waves: RowFamily = {
  name: "waves",
  control: {
    does: "the wave of this host, under the approval of the whole plan",
    expects: "applied",
    mayChange: usualChange,
    attack: async ({ open }) => bring(await open()),
  },
  rows: [
    {
      row: 291,
      does: "a wave that was withheld until the approval of the plan had ended, and one under an order of before",
      expects: "time.expired",
      attack: async ({ open }) => {
        const late = await bring(await open(), { issuedAt: -day, notBefore: -day, notAfter: -1 });
        const host = await open({ ceiling: serverCeiling });
        const plan = await planFor(host);
        const ended = { notBefore: Date.now() - day, notAfter: Date.now() - 1 };
        const order = taskOf(host, plan, { approvals: orderFor(host, plan, ended) });
        return [...late, await host.change(order)];
      },
    },
    {
      row: 292,
      does: "a wave that was brought and made, once more when the plan goes on",
      expects: ["applied", "use.spent"],
      mayChange: usualChange,
      attack: async ({ open }) => bring(await open(), {}, true),
    },
    {
      row: 293,
      does: "a wave before the window that was approved",
      expects: "time.early",
      attack: async ({ open }) => bring(await open(), { notBefore: hour, notAfter: day }),
    },
  ],
};

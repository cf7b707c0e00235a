import { fileAt, planFor, taskOf } from "./made-task.ts";
import type { RowFamily } from "./row.ts";

const lab = "tests/lab/evil-on-hosts.test.ts";
const power = "tests/lab/power-cuts.test.ts";
const usual = "tests/lab/hosts-walk.test.ts";
const changes = "apps/agent/src/safety/open-changes.test.ts";
const proofs = "apps/agent/src/safety/judge-proof.test.ts";
const outcomes = "apps/server/src/features/plans/take-outcome.test.ts";
const deadman = "apps/agent/src/safety/open-deadman.test.ts";
const step = "after $step: $end";
const timer = "cannot be doubled, stopped or postponed, and a server that welcomes nobody gains nothing";
const proof =
  "is none without frames, of an earlier probe, of another host, or by another key; the server's own word holds the change";

/** Changes that are really made: on hosts with systemd and a kernel of their own, in the lab. */
export const applying: RowFamily = {
  name: "applying",
  control: {
    does: "a change that waits for an approver's word as no host does yet, with nothing wrong",
    expects: "apply.absent",
    attack: async ({ open }) => {
      const host = await open();
      return host.offer(taskOf(host, await planFor(host, [fileAt("/etc/nginx/nginx.conf")])));
    },
  },
  rows: [
    {
      row: 136,
      does: "one approval on two connections at once",
      by: lab,
      name: "of one approval on two connections at once, one is taken and the other finds the host busy",
    },
    {
      row: 139,
      does: "an approval that was used, after root has reset the clock",
      by: lab,
      name: "stays spent when the helper is killed, and when root resets the clock",
    },
    {
      row: 172,
      does: "power cut at `armed`",
      by: power,
      name: step,
      of: '{ step: "armed", end: "failed_before_change',
    },
    { row: 173, does: "power cut in `applying`", by: power, name: step, of: '{ step: "applying", end: "rolled_back' },
    { row: 174, does: "power cut after `confirmed`", by: power, name: step, of: '{ step: "confirmed", end: "applied"' },
    {
      row: 176,
      does: "a journal that cannot be written, at every record",
      by: changes,
      name: "a journal that cannot be written ends the process",
      of: "at %s",
    },
    {
      row: 178,
      does: "a part of the host changed between acceptance and change",
      by: changes,
      name: "a part that somebody has changed since it was judged",
    },
    {
      row: 180,
      does: "an end that no host has signed",
      by: "apps/cli/src/plans/judge-outcome.test.ts",
      name: "a server that shows %s proves nothing",
      of: "a signature that does not fit",
    },
    {
      row: 181,
      does: "an outcome of another task, plan or approval",
      by: outcomes,
      name: "%s is written down and not believed",
      of: "under another approval",
    },
    { row: 182, does: "the helper killed at every step", by: power, name: step, of: "const deaths" },
    { row: 183, does: "a second change while one is open", by: lab, name: timer },
    { row: 184, does: "as the network part: stop the timer", by: lab, name: timer },
    { row: 185, does: "the manager reloaded again and again", by: lab, name: timer },
    {
      row: 187,
      does: "the program that takes changes back is damaged",
      by: lab,
      name: "is not begun without, when the program that takes changes back is damaged",
    },
    {
      row: 189,
      does: "somebody holds the name of the unit",
      by: lab,
      name: "is not begun without, when somebody holds its name",
    },
    {
      row: 188,
      does: "a timer that is off by more than a second",
      by: deadman,
      name: "a timer that is off a second time is stopped and refused",
    },
    {
      row: 191,
      does: "a proof in the moment in which the dead-man begins",
      by: proofs,
      name: "when the dead-man was the first to write",
    },
    { row: 192, does: "the server's own word though the host reaches nobody", by: lab, name: proof },
    { row: 193, does: "no welcome", by: lab, name: timer },
    { row: 194, does: "a welcome of an earlier probe", by: lab, name: proof },
    { row: 195, does: "a welcome of another host", by: lab, name: proof },
    { row: 196, does: "no frames at all", by: lab, name: proof },
    {
      row: 197,
      does: "a proof before there is a probe",
      by: lab,
      name: "is none before there is anything to prove",
    },
    {
      row: 198,
      does: "the connection from before the change",
      by: usual,
      name: "is taken back by the host alone, if somebody signs it all the same",
    },
    { row: 199, does: "a welcome by another key", by: lab, name: proof },
    { row: 200, does: "a proof after the deadline", by: proofs, name: "too late is a proof", of: "after the deadline" },
  ],
};

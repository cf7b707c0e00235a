import { encodeBase64url } from "@gatehouse/channel";
import { importPrivateKey, signatureLength } from "@gatehouse/keys";
import { announceTask } from "../../support/signed-task.ts";
import type { Found } from "./found.ts";
import { orderFor, planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily } from "./row.ts";
import { type RowHost, serverCeiling } from "./row-host.ts";
import { withApprovals } from "./statements.ts";

const otherKey = importPrivateKey(new Uint8Array(32).fill(9));
const tasksPerMinute = 12;

/** A change is submitted, and this is brought as its section. */
async function bring(host: RowHost, offset: number, bytes: (section: Uint8Array) => Uint8Array): Promise<Found> {
  const made = taskOf(host, await planFor(host));
  await host.announce(made);
  const { sha256 } = announceTask(made).fields.parts.section;
  return host.ask("blob.put", { sha256, offset, bytes: encodeBase64url(bytes(made.section)) });
}

export const parts: RowFamily = {
  name: "parts",
  control: {
    does: "the parts of a change that Ada has approved, as they were named",
    expects: "applied",
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open();
      return host.change(taskOf(host, await planFor(host)));
    },
  },
  rows: [
    {
      row: 45,
      does: "other bytes in place of a part",
      expects: "blob.digest",
      attack: async ({ open }) => bring(await open(), 0, (section) => section.map((byte) => byte ^ 1)),
    },
    {
      row: 48,
      does: "a change without the server's signature, where approvers count and where the server does",
      expects: ["statement.malformed", "order.signature"],
      attack: async (ground) => [
        ...(await withApprovals(ground, {}, (host, plan) => orderFor(host, plan).subarray(0, -signatureLength))),
        ...(await withApprovals(ground, { ceiling: serverCeiling }, (host, plan) =>
          orderFor(host, plan, {}, otherKey),
        )),
      ],
    },
    {
      row: 258,
      does: "one change more than a minute has",
      expects: [...Array.from({ length: tasksPerMinute }, () => "answered"), "local.limit"],
      attack: async ({ open }) => {
        const host = await open();
        const made = taskOf(host, await planFor(host));
        const found: Found[] = [];
        for (let count = 0; count <= tasksPerMinute; count += 1) found.push(await host.announce(made));
        return found;
      },
    },
    {
      row: 259,
      does: "refusals, to fill the log",
      by: "apps/agent/src/helper/submit-task.test.ts",
      name: "a thousand changes are not judged and fill no log: a dozen a minute are, with a dozen lines",
    },
    {
      row: 260,
      does: "no acknowledgements, to fill the outbox",
      by: "apps/agent/src/outbox/open-outbox.test.ts",
      name: "a full outbox drops steps, then logs, then states, oldest first, and counts them",
    },
    {
      row: 261,
      does: "each connection closed at once",
      by: "apps/agent/src/control/retry.test.ts",
      name: "attempts that come to nothing are spread ever wider, up to a minute",
    },
    {
      row: 262,
      does: "a part that trickles for days",
      by: "apps/agent/src/tasks/open-inbox.test.ts",
      name: "what stands still for ten minutes is forgotten, counted from the last piece",
    },
  ],
};

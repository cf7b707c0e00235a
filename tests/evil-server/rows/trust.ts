import { chmodSync, writeFileSync } from "node:fs";
import { firstTrust, trustDigest } from "@gatehouse/approval/verify";
import { byteForm } from "@gatehouse/base";
import type { AttackedMachine } from "./attacked-machine.ts";
import { approvers, persons, trustOf, usualTrust } from "./approvers.ts";
import type { Found } from "./found.ts";
import { approvalFor, approvedBy, planFor, signedTask, taskOf, usualChange } from "./made-task.ts";
import { inTurn } from "./in-turn.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { withApprovals } from "./statements.ts";
import { withReason } from "./with-reason.ts";

const { ada, former } = approvers;
const day = 86_400_000;
const formerAda = { name: "ada", keys: [{ blob: former.blob }] };

/** The file that followed the usual one: Ada's former key is gone. */
const nextTrust = byteForm({
  ...(JSON.parse(Buffer.from(usualTrust).toString("utf8")) as object),
  epoch: 2,
  prev: trustDigest(usualTrust),
});

/** A host whose trust file is these bytes; the refusal, and the reason behind it. */
async function trusting({ open }: RowGround, ...files: readonly Uint8Array[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const trust of files) {
    const host = await open({ trust });
    found.push(...withReason(await host.change(await signedTask(host, {}))));
  }
  return found;
}

const twice = (count: number) => Array.from({ length: count }, () => ["trust.unsound", "trust.form"]).flat();

export const trust: RowFamily = {
  name: "trust",
  control: {
    does: "an approval for the file of the second epoch, and for one that ends tomorrow",
    expects: "applied",
    mayChange: usualChange,
    attack: ({ open }) =>
      inTurn([nextTrust, firstTrust(persons, { notAfter: Date.now() + day })], async (file) => {
        const host = await open({ trust: file });
        return host.change(await signedTask(host, {}));
      }),
  },
  rows: [
    {
      row: 151,
      does: "a key that was taken out of the file",
      expects: "signature.key_unknown",
      attack: (ground) =>
        withApprovals(ground, { trust: nextTrust }, (host, plan) => approvedBy([former], approvalFor(host, plan))),
    },
    {
      row: 152,
      does: "an approval that was made before the rotation",
      expects: "statement.trust",
      attack: (ground) =>
        withApprovals(ground, { trust: nextTrust }, (host, plan) =>
          approvedBy([ada], approvalFor(host, plan, { trust: [trustDigest(usualTrust)] })),
        ),
    },
    {
      row: 153,
      does: "a host that is kept at the old file, and a key that the next one has not got: until the file ends",
      expects: ["applied", "trust.expired"],
      mayChange: usualChange,
      attack: ({ open }) =>
        inTurn([day, -1], async (ms) => {
          const host = await open({ trust: firstTrust([formerAda], { notAfter: Date.now() + ms }) });
          const plan = await planFor(host);
          return host.change(taskOf(host, plan, { approvals: approvedBy([former], approvalFor(host, plan)) }));
        }),
    },
    {
      row: 154,
      does: "an approval for a host that has no trust file, and a file for it",
      expects: ["trust.none", "local.verb", "frame.unknown"],
      attack: async ({ open, connect }) => {
        const host = await open({ trust: null });
        return [
          await host.change(taskOf(host, await planFor(host))),
          await host.ask("trust.put", { file: Buffer.from(usualTrust).toString("base64") }),
          await connect(
            { name: "a trust file", stage: "open", make: () => ['{"t":"trust","file":"AA"}'] },
            { trust: null },
          ),
        ];
      },
    },
    {
      row: 155,
      does: "a trust file that carries a mode, a ceiling or a server",
      expects: twice(3),
      attack: (ground) =>
        trusting(
          ground,
          ...[{ mode: "server" }, { ceiling: { level: "managed" } }, { server: "AA" }].map((more) =>
            trustOf([ada.blob], more),
          ),
        ),
    },
    {
      row: 156,
      does: "thresholds of 0, and above the number of persons",
      expects: twice(3),
      attack: (ground) =>
        trusting(
          ground,
          ...[0, 2, -1].map((change) =>
            trustOf([ada.blob], { thresholds: { change, network: 1, update: 1, terminal: 1, trust: 1 } }),
          ),
        ),
    },
    {
      row: 159,
      does: "a trust file that was cut, is empty, or that others can write to",
      expects: "trust.unsound",
      attack: async ({ open }) => {
        const spoils: ((host: AttackedMachine) => void)[] = [
          ({ paths }) => writeFileSync(paths.trust, usualTrust.subarray(0, -10)),
          ({ paths }) => writeFileSync(paths.trust, ""),
          ({ paths }) => chmodSync(paths.trust, 0o666),
        ];
        return inTurn(spoils, async (before) => {
          const host = await open({ before });
          return host.change(await signedTask(host, {}));
        });
      },
    },
    {
      row: 160,
      does: "a trust file after its end",
      expects: "trust.expired",
      attack: async ({ open }) => {
        const host = await open({ trust: firstTrust(persons, { notAfter: Date.now() - 1 }) });
        return host.change(await signedTask(host, {}));
      },
    },
  ],
};

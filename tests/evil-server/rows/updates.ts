import type { KeyObject } from "node:crypto";
import type { Operation } from "@gatehouse/plan";
import { idOf, signed, updateTo } from "../../../apps/agent/test/made-artifact.ts";
import { elfOf } from "../../support/elf-program.ts";
import { openReleaseYard, type ReleaseYard, releaseOf } from "../../lab/lab-releases.ts";
import { testReleaseSigner } from "../../support/test-release-key.ts";
import { approvers, publisherKeys } from "./approvers.ts";
import type { Found } from "./found.ts";
import { inTurn } from "./in-turn.ts";
import { approvalFor, approvedBy, planFor, taskOf } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { type HostWish, ownVersion, type RowHost } from "./row-host.ts";

type Update = Extract<Operation, { kind: "agent.update" }>;

const architecture = process.arch === "arm64" ? "arm64" : "x64";
const later = "9.0.0";
const { acme, unknown } = publisherKeys;
const small = elfOf(architecture, 5_000);
const other = elfOf(architecture, 6_000);

/** Each is a change of its own that Ada has approved, with these bytes beside it. */
const offered = ({ open }: RowGround, ...updates: readonly Update[]): Promise<Found[]> =>
  inTurn(updates, async (update) => {
    const host = await open();
    return host.change(taskOf(host, await planFor(host, [update]), { brought: [small] }));
  });

const releaseBy = (key: KeyObject, more: Partial<Update> = {}): Update =>
  signed(updateTo(small, { architecture, version: later, ...more }), key);

/** What was put in the agent's place is gone again before the next row. */
const afterwardsPutBack: HostWish = { before: (machine) => void machine.undo.push(() => machine.putAgentBack()) };

/** A genuine later release with these bytes, and what becomes of it. */
async function updatedBy(
  { open }: RowGround,
  find: (yard: ReleaseYard) => Uint8Array,
  rollbackWindow: number,
  after: (host: RowHost) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const yard = await openReleaseYard();
  try {
    const bytes = find(yard);
    const host = await open(afterwardsPutBack);
    const plan = await planFor(host, [releaseOf(bytes, later)]);
    const approvals = approvedBy([approvers.ada], approvalFor(host, plan, { rollbackWindow }));
    const end = await host.change(taskOf(host, plan, { approvals, brought: [bytes] }));
    return [end, ...(await after(host))];
  } finally {
    await yard.remove();
  }
}

/** Which agent a host has, as it says itself when nothing holds it. */
async function versionOn({ machine }: RowHost): Promise<Found> {
  const said = await machine.host.shell("gatehouse-agent --version");
  return { code: /^gatehouse-agent (\S+)/.exec(said)?.[1] ?? "nothing", detail: said.trim(), at: "the host" };
}

/** Releases of the agent: whoever owns one owns every host that takes it. */
export const updates: RowFamily = {
  name: "updates of the agent",
  control: {
    does: "a later release that the release key has signed and Ada has approved: it goes on with the change itself",
    expects: ["applied", later],
    mayChange: /^\/usr\/lib\/gatehouse\/(rescue\/)?gatehouse-agent was /,
    attack: (ground) =>
      updatedBy(
        ground,
        (yard) => yard.agent(later),
        600,
        async (host) => [await versionOn(host)],
      ),
  },
  rows: [
    {
      row: 214,
      does: "an agent that the release key has not signed: signed by others, for other bytes, for another version, and spoilt",
      expects: "artifact.signature",
      attack: (ground) => {
        const good = releaseBy(testReleaseSigner);
        const { keyId, ed25519 } = good.signature;
        const spoilt = `${ed25519.startsWith("A") ? "B" : "A"}${ed25519.slice(1)}`;
        return offered(
          ground,
          releaseBy(acme),
          { ...releaseBy(unknown), signature: { ...releaseBy(unknown).signature, keyId: idOf(testReleaseSigner) } },
          signed(good, testReleaseSigner, updateTo(other, { architecture, version: later })),
          signed(good, testReleaseSigner, { ...good, version: "9.0.1" }),
          { ...good, signature: { keyId, ed25519: spoilt } },
        );
      },
    },
    {
      row: 215,
      does: "genuine releases that are older, as old as the one that runs, or only another spelling of it",
      expects: "artifact.downgrade",
      attack: (ground) =>
        offered(
          ground,
          ...["0.0.1", "0.2.1-alpha.1", ownVersion].map((version) => releaseBy(testReleaseSigner, { version })),
        ),
    },
    {
      row: 222,
      does: "a genuine release that starts, and never says hello",
      expects: ["rolled_back confirm.late", ownVersion],
      // The very file that it was: nothing about it is other but when it was given its name back.
      mayChange:
        /^\/usr\/lib\/gatehouse\/gatehouse-agent was (a file, .*)changed \d+, ([0-9a-f]*), is \1changed \d+, \2$/,
      attack: (ground) =>
        updatedBy(
          ground,
          (yard) => yard.idle(),
          20,
          async (host) => [await versionOn(host)],
        ),
    },
  ],
};

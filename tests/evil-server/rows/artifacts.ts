import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { channelLimits, encodeBase64url } from "@gatehouse/channel";
import { firstTrust } from "@gatehouse/approval/verify";
import type { Operation } from "@gatehouse/plan";
import { idOf, replaceWith, sha256Of, signed, updateTo } from "../../../apps/agent/test/made-artifact.ts";
import { elfOf } from "../../support/elf-program.ts";
import { runAsNetworkPart } from "../../lab/helper-peer.ts";
import { testReleaseSigner } from "../../support/test-release-key.ts";
import { announceTask, type MadeTask } from "../../support/signed-task.ts";
import { persons, publisherKeys } from "./approvers.ts";
import type { Found } from "./found.ts";
import { inTurn } from "./in-turn.ts";
import { planFor, taskOf } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import type { HostWish, RowHost } from "./row-host.ts";

type Replace = Extract<Operation, { kind: "binary.replace" }>;
type Update = Extract<Operation, { kind: "agent.update" }>;

const [own, foreign] = process.arch === "arm64" ? (["arm64", "x64"] as const) : (["x64", "arm64"] as const);
const { acme, globex, unknown } = publisherKeys;
const path = "/opt/programs/tool";
const tool = elfOf(own, 5_000);
const other = elfOf(own, 6_000);
const piece = channelLimits.pullBytes;

/** A program that acme has signed, with whatever is otherwise about it. */
const toolBy = (more: Partial<Replace> = {}, { bytes = tool, key = acme } = {}): Replace =>
  signed(replaceWith(bytes, { path, architecture: own, ...more }), key);

/** A release of the agent that is genuine but for what is otherwise about it. */
const releaseBy = (bytes: Uint8Array, more: Partial<Update> = {}): Update =>
  signed(updateTo(bytes, { architecture: own, version: "9.0.0", ...more }), testReleaseSigner);

/** A change of programs that Ada has approved, with these bytes beside it. */
async function taskFor(host: RowHost, replace: Replace | Update, ...brought: readonly Uint8Array[]): Promise<MadeTask> {
  return taskOf(host, await planFor(host, [replace]), { brought });
}

interface Attempt {
  readonly replace: Replace | Update;
  readonly brought?: readonly Uint8Array[];
}

/** Each is a change of its own. */
const offered = ({ open }: RowGround, wish: HostWish, ...attempts: readonly Attempt[]): Promise<Found[]> =>
  inTurn(attempts, async ({ replace, brought = [tool] }) => {
    const host = await open(wish);
    return host.change(await taskFor(host, replace, ...brought));
  });

/** A change is submitted and its small parts brought: what is asked for then is the program. */
async function untilAsked(host: RowHost, made: MadeTask): Promise<string> {
  await host.announce(made);
  const { fields, blobs } = announceTask(made);
  const { artifacts, ...small } = fields.parts;
  for (const { sha256 } of Object.values(small)) await host.put(sha256, blobs.get(sha256) ?? new Uint8Array());
  return artifacts[0]?.sha256 ?? "";
}

const put = (host: RowHost, sha256: string, offset: number, bytes: Uint8Array) =>
  host.ask("blob.put", { sha256, offset, bytes: encodeBase64url(bytes) });

/** Whether the network part was let do something. */
async function triedByNetworkPart({ machine }: RowHost, ...words: readonly string[]): Promise<Found> {
  const { code, stderr } = await runAsNetworkPart(machine.host, ...words);
  return { code: code === 0 ? "done" : "refused", detail: stderr.trim(), at: words.join(" ") };
}

/** What the host keeps of artifacts: the names of the files. */
function keptOn({ paths }: RowHost): readonly string[] {
  return existsSync(paths.inbox) ? readdirSync(paths.inbox) : [];
}

export const artifacts: RowFamily = {
  name: "artifacts",
  control: {
    does: "programs that their publishers have signed and Ada has approved, one of them where acme alone may bring any",
    expects: "applied",
    mayChange: /^\/opt\/programs\/(acme\/)?tool was /,
    attack: (ground) =>
      offered(
        ground,
        {},
        { replace: toolBy({ path: "/opt/programs/acme/tool" }) },
        { replace: toolBy({ publisher: "globex" }, { key: globex }) },
      ),
  },
  rows: [
    {
      row: 216,
      does: "a genuine program for the other architecture, one that is called ours, what is no program, and releases of the agent that are the same",
      expects: "artifact.architecture",
      attack: (ground) => {
        const strange = elfOf(foreign, 5_000);
        const text = new TextEncoder().encode("#!/bin/sh\nid\n");
        return offered(
          ground,
          {},
          { replace: toolBy({ architecture: foreign }, { bytes: strange }), brought: [strange] },
          { replace: toolBy({}, { bytes: strange }), brought: [strange] },
          { replace: toolBy({}, { bytes: text }), brought: [text] },
          { replace: releaseBy(strange, { architecture: foreign }), brought: [strange] },
          { replace: releaseBy(strange), brought: [strange] },
          { replace: releaseBy(text), brought: [text] },
        );
      },
    },
    {
      row: 217,
      does: "what the release key has signed for `binary.replace`, and what acme has signed for `agent.update`",
      expects: "artifact.signature",
      attack: (ground) => {
        const said = { name: "gatehouse-agent", version: "9.0.0" };
        const replace = replaceWith(tool, { path, architecture: own, ...said });
        const asRelease = updateTo(tool, { architecture: own, version: said.version });
        const byRelease = signed(replace, testReleaseSigner, asRelease);
        const byAcme = signed(asRelease, acme);
        return offered(
          ground,
          {},
          { replace: byRelease },
          { replace: signed(replace, acme, asRelease) },
          { replace: { ...byRelease, signature: { ...byRelease.signature, keyId: idOf(acme) } } },
          { replace: byAcme },
          { replace: signed(asRelease, acme, replace) },
          { replace: { ...byAcme, signature: { ...byAcme.signature, keyId: idOf(testReleaseSigner) } } },
        );
      },
    },
    {
      row: 218,
      does: "programs of one publisher for a path that is another's, and below it",
      expects: "ceiling.publisher",
      attack: (ground) =>
        offered(
          ground,
          {},
          ...["/opt/programs/acme/tool", "/opt/programs/acme", "/opt/programs/acme/below/tool"].map((at) => ({
            replace: toolBy({ path: at, publisher: "globex" }, { key: globex }),
          })),
        ),
    },
    {
      row: 219,
      does: "a publisher that the trust file does not name, and a trust file that names none",
      expects: "artifact.publisher",
      attack: async (ground) => [
        ...(await offered(ground, {}, { replace: toolBy({ publisher: "unknown" }, { key: unknown }) })),
        ...(await offered(ground, { trust: firstTrust(persons) }, { replace: toolBy() })),
      ],
    },
    {
      row: 220,
      does: "the right digest with another size, and bytes that no operation names",
      expects: ["artifact.digest", "artifact.digest", "artifact.digest", "artifact.missing"],
      attack: (ground) =>
        offered(
          ground,
          {},
          { replace: toolBy({ size: tool.byteLength + 1 }) },
          { replace: toolBy({ size: tool.byteLength - 1 }) },
          { replace: toolBy(), brought: [tool, other] },
          { replace: toolBy(), brought: [other] },
        ),
    },
    {
      row: 221,
      does: "another file in the program's place, between hash and install: by the network part, and by somebody who is root",
      expects: ["refused", "refused", "refused", "applied", "the program that was signed"],
      mayChange: /^\/opt\/programs\/tool was /,
      attack: async ({ open }) => {
        const host = await open();
        const made = await taskFor(host, toolBy(), tool);
        await host.bring(made);
        const { inbox } = host.paths;
        const [name = ""] = keptOn(host);
        const place = `/var/lib/gatehouse/inbox/${name}`;
        const tried = await inTurn(
          [
            ["ls", "/var/lib/gatehouse/inbox"],
            ["cp", "/usr/bin/true", place],
            ["mv", "/opt/programs/acme/tool", place],
          ],
          (words) => triedByNetworkPart(host, ...words),
        );
        writeFileSync(join(inbox, "evil"), other, { mode: 0o600 });
        renameSync(join(inbox, "evil"), join(inbox, name));
        await host.announce(made);
        const end = await host.end();
        const isSigned = (await host.machine.host.shell(`sha256sum < ${path}`)).startsWith(sha256Of(tool));
        const code = isSigned ? "the program that was signed" : "another program";
        return [...tried, end, { code, detail: path, at: "the host" }];
      },
    },
    {
      row: 223,
      does: "bytes that nobody asked for: before any change, beside one, and after it was refused",
      expects: "blob.not_wanted",
      attack: async ({ open }) => {
        const host = await open();
        const first = await host.put("0".repeat(64), new Uint8Array(10));
        const asked = await untilAsked(host, await taskFor(host, toolBy(), tool));
        const beside = await host.put(sha256Of(other), other);
        // What follows names no program, so that none is wanted any more.
        await host.announce(taskOf(host, await planFor(host)));
        return [first, beside, await host.put(asked, tool)];
      },
    },
    {
      row: 224,
      does: "bytes of a program beyond its size, behind a gap, over what has come, and of a part of the plan",
      expects: "blob.size",
      attack: async ({ open }) => {
        const host = await open();
        const made = await taskFor(host, toolBy(), tool);
        const asked = await untilAsked(host, made);
        const longer = Buffer.concat([tool, Uint8Array.of(0)]);
        const found = [await put(host, asked, 0, longer), await put(host, asked, 1, tool.subarray(1))];
        await put(host, asked, 0, tool.subarray(0, 1_000));
        found.push(
          await put(host, asked, 999, tool.subarray(999)),
          await put(host, asked, 1_001, tool.subarray(1_001)),
        );
        const again = await open();
        const small = taskOf(again, await planFor(again));
        await again.announce(small);
        const { section } = announceTask(small).fields.parts;
        found.push(await put(again, section.sha256, 0, Buffer.concat([small.section, Uint8Array.of(0)])));
        found.push(await put(again, section.sha256, 1, small.section.subarray(1)));
        return found;
      },
    },
    {
      row: 225,
      does: "the inbox filled by one change after another, and by one that names too much",
      expects: ["one program", "one program", "one program", "blob.quota", "nothing"],
      attack: async ({ open }) => {
        const host = await open();
        const sizes = [3, 4, 5].map((pieces) => elfOf(own, pieces * piece));
        const filled = await inTurn(sizes, async (bytes) => {
          await host.bring(await taskFor(host, toolBy({}, { bytes }), bytes));
          return inboxOf(host);
        });
        const made = await taskFor(host, toolBy(), tool);
        const { parts } = announceTask(made).fields;
        const large = ["1", "2", "3"].map((digit) => ({ sha256: digit.repeat(64), size: 512 * 1024 * 1024 }));
        const tooMuch = await host.announce(made, { parts: { ...parts, artifacts: large } });
        return [...filled, tooMuch, inboxOf(host)];
      },
    },
  ],
};

function inboxOf(host: RowHost): Found {
  const names = keptOn(host);
  const code = ["nothing", "one program"][names.length] ?? "more than one program";
  return { code, detail: names.join(" "), at: "the inbox" };
}
